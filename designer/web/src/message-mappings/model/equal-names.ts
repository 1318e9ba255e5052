/** Rules for fields of the result that the message has under the same name. */
import type { RuleFields } from "./edit-rules.ts";
import type { FieldNode } from "./fields.ts";
import { pathExpression, pointerOf } from "./names.ts";

/**
 * Rules for what is inside of two objects, or of the items of two lists. Targets and expressions begin there. Names are
 * equal whatever their case, and with or without `_` and `-`; `taken`: keys of fields that rules set already.
 */
export function equalNames(
  source: FieldNode,
  target: FieldNode,
  taken: ReadonlySet<string> = new Set(),
): readonly RuleFields[] {
  return pairs(source, target, taken, source.path.length, target.path.length);
}

function pairs(
  source: FieldNode,
  target: FieldNode,
  taken: ReadonlySet<string>,
  from: number,
  base: number,
): readonly RuleFields[] {
  return target.children.flatMap((wanted): readonly RuleFields[] => {
    const found = source.children.find(({ name }) => plainName(name) === plainName(wanted.name));
    if (found === undefined || taken.has(wanted.key)) return [];
    const to = pointerOf(wanted.path.slice(base));
    const expr = pathExpression(found.path.slice(from));
    if (wanted.kind === "list" && found.kind === "list") {
      if (wanted.children.length === 0) return [{ target: to, forEach: expr, expr: "$" }];
      const rules = equalNames(found, wanted, taken);
      return rules.length === 0 ? [] : [{ target: to, forEach: expr, rules }];
    }
    if (wanted.kind === "object" && found.kind === "object") return pairs(found, wanted, taken, from, base);
    const isValue = wanted.kind === "value" && found.kind === "value";
    return isValue ? [{ target: to, expr }] : [];
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
