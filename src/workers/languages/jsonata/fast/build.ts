/** Compiles lists in brackets and objects in braces. */
import { setOwn } from "../../input.ts";
import type { SyntaxNode } from "../syntax-tree.ts";
import { onlyHas, pairsOf } from "../syntax-tree.ts";
import { type Closure, unsure } from "./closure.ts";

type Compile = (node: SyntaxNode) => Closure | undefined;

/** `[a, b]` */
export function compileList(node: SyntaxNode, maxSequence: number, compile: Compile): Closure | undefined {
  if (!onlyHas(node, ["type", "value", "position", "expressions"])) return undefined;
  const { expressions = [] } = node;
  const elements = expressions.map(compile);
  if (elements.includes(undefined) || elements.length > maxSequence) return undefined;
  return (scope) => {
    const list: unknown[] = [];
    for (let at = 0; at < elements.length; at++) {
      const value = (elements[at] as Closure)(scope);
      if (value === unsure) return unsure;
      // A list inside of a list is flattened, unless it is written in brackets.
      if (Array.isArray(value) && expressions[at]?.value !== "[") for (const element of value) list.push(element);
      else if (value !== undefined) list.push(value);
      if (list.length > maxSequence) return unsure;
    }
    scope.session.budget.keep(list.length * 8 + 32);
    return list;
  };
}

/** Keys with which the library marks functions. */
const refused = new Set(["_jsonata_lambda", "_jsonata_function"]);

/** `{ "key": a }` with keys that are literals. */
export function compileObject(node: SyntaxNode, compile: Compile): Closure | undefined {
  if (!onlyHas(node, ["type", "value", "position", "lhs"])) return undefined;
  const values = new Map<string, Closure>();
  for (const [key, value] of pairsOf(node)) {
    if (key.type !== "string" || typeof key.value !== "string" || !onlyHas(key, ["type", "value", "position"]))
      return undefined;
    const closure = compile(value);
    if (closure === undefined || values.has(key.value) || refused.has(key.value)) return undefined;
    values.set(key.value, closure);
  }
  const members = [...values];
  return (scope) => {
    // The elements of a list are grouped by the keys.
    if (Array.isArray(scope.context)) return unsure;
    const record: Record<string, unknown> = {};
    for (const [key, closure] of members) {
      const value = closure(scope);
      if (value === unsure) return unsure;
      if (value !== undefined) setOwn(record, key, value);
    }
    scope.session.budget.keep(members.length * 8 + 32);
    return record;
  };
}
