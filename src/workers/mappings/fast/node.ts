import type { SyntaxNode } from "../../languages/jsonata/syntax-tree.ts";

/** Whether a node says nothing else: what is behind a predicate, a grouping or another mark is the interpreter's. */
export function onlyHas(node: SyntaxNode, names: readonly string[]): boolean {
  return Object.keys(node).every((name) => names.includes(name));
}
