/** The parts of the library's syntax tree that are read here. */

export interface SyntaxNode {
  readonly type: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly SyntaxNode[];
  readonly stages?: readonly { readonly type: string; readonly expr: SyntaxNode }[];
  readonly arguments?: readonly SyntaxNode[];
  readonly procedure?: SyntaxNode;
  readonly expressions?: readonly SyntaxNode[];
  readonly expression?: SyntaxNode;
  readonly condition?: SyntaxNode;
  readonly then?: SyntaxNode;
  readonly else?: SyntaxNode;
  readonly lhs?: SyntaxNode;
  readonly rhs?: SyntaxNode;
  readonly keepArray?: boolean;
  readonly keepSingletonArray?: boolean;
}

/** Calls `visit` for each node, an outer one before those inside it. */
export function walk(root: unknown, visit: (node: SyntaxNode) => void): void {
  const known = new Set<unknown>();
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || known.has(next)) continue;
    known.add(next);
    if ("type" in next && typeof next.type === "string") visit(next as SyntaxNode);
    // Pushes one by one: a list may be longer than the arguments of a call may be.
    for (const inner of Object.values(next).reverse()) waiting.push(inner);
  }
}
