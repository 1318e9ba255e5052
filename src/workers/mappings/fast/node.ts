import type { SyntaxNode } from "../../languages/jsonata/syntax-tree.ts";

/** Whether a node has only these fields. A node with a predicate, a grouping or another mark needs the interpreter. */
export function onlyHas(node: SyntaxNode, names: readonly string[]): boolean {
  return Object.keys(node).every((name) => names.includes(name));
}
