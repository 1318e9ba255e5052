/** Functions of Camel's simple language that are offered while one types: how they begin, and what they give. */
import type { FunctionEntry } from "../../model/catalog-view.ts";

export interface SimpleFunction {
  /** What stands between `${` and `}`; one that ends with `.`, `(` or `:` goes on. */
  readonly text: string;
  readonly docs: string;
}

/** The functions of a catalogue, in its order. */
export function simpleFunctions(entries: readonly FunctionEntry[]): readonly SimpleFunction[] {
  return entries.flatMap(({ usage, docs }) => beginningsOf(usage).map((text) => ({ text, docs })));
}

/** `trim(exp)` begins with `trim(`; `body.path` is `body` alone, or goes on behind its dot. */
function beginningsOf(usage: string): readonly string[] {
  const [name = usage] = /^[\w-]+/.exec(usage) ?? [];
  if (usage === name) return [name];
  const begun = usage.slice(0, name.length + 1);
  return usage === `${name}.path` ? [name, begun] : [begun];
}
