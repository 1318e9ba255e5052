/** Names of rules that have no id: each is called after its place, unless another rule has that id. */
import { isPlainObject } from "../engine/convert.ts";

export interface RuleIds {
  /** Returns the name of a rule without an id: `place`, with `_` behind as long as another rule is called so. */
  freeId(place: string): string;
}

/** `list`: the rules as they were sent; what is no rule has no id. */
export function ruleIdsIn(list: unknown): RuleIds {
  const taken = new Set<string>();
  collect(list, taken);
  return {
    freeId(place) {
      let id = place;
      while (taken.has(id)) id += "_";
      taken.add(id);
      return id;
    },
  };
}

function collect(list: unknown, ids: Set<string>, depth = 0): void {
  // Deeper rules are refused when they are read.
  if (!Array.isArray(list) || depth > 20) return;
  for (const rule of list) {
    if (!isPlainObject(rule)) continue;
    if (typeof rule["id"] === "string") ids.add(rule["id"]);
    collect(rule["rules"], ids, depth + 1);
  }
}
