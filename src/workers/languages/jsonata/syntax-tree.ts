/** The parts of the library's syntax tree that are read here, and what is found in it before an expression runs. */

import { idProblem } from "../../../shared/ids.ts";
import { ExpressionSyntaxError } from "../../engine/exception.ts";

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

/** Returns the keys and values of an object in braces. */
export function pairsOf(node: SyntaxNode): readonly (readonly [key: SyntaxNode, value: SyntaxNode])[] {
  return (node.lhs ?? []) as unknown as readonly (readonly [SyntaxNode, SyntaxNode])[];
}

/** Whether a node has only these fields. A node with a predicate, a grouping or another mark needs the interpreter. */
export function onlyHas(node: SyntaxNode, names: readonly string[]): boolean {
  return Object.keys(node).every((name) => names.includes(name));
}

const usage = "write $vmap('id', 'from', 'to', value), or with an object of qualifiers behind the value";

/** Lists the ids of the value mappings in `$vmap(id, from, to, value, qualifiers?)`. Throws ExpressionSyntaxError where one, or a column, is not a text literal. */
export function usedValueMappings(root: unknown): readonly string[] {
  const ids = new Set<string>();
  const called = new Set<SyntaxNode>();
  const named: SyntaxNode[] = [];
  walk(root, (node) => {
    if (node.type === "apply" && isVmap(node.rhs?.procedure))
      throw failure(node, `$vmap takes nothing from ~>: ${usage}`);
    if (node.type === "function" && isVmap(node.procedure)) {
      called.add(node.procedure as SyntaxNode);
      ids.add(readCall(node));
    } else if (isVmap(node)) named.push(node);
  });
  const loose = named.find((node) => !called.has(node));
  if (loose !== undefined) throw failure(loose, `$vmap can only be called: ${usage}`);
  return [...ids];
}

function readCall(call: SyntaxNode): string {
  const { arguments: given = [] } = call;
  if (given.length < 4 || given.length > 5) throw failure(call, `$vmap takes four or five arguments: ${usage}`);
  const [id, from, to] = given.slice(0, 3).map((argument, index) => {
    if (argument.type === "string" && typeof argument.value === "string" && argument.value !== "") {
      return argument.value;
    }
    const what = ["id of the value mapping", "column to look in", "column to answer from"][index];
    throw failure(call, `the ${what} must be a text literal, for it must be known before a message comes: ${usage}`);
  });
  if (id === undefined || from === undefined || to === undefined) throw failure(call, usage);
  const problem = idProblem(id);
  if (problem !== undefined) throw failure(call, `the id of the value mapping is none: ${problem}`);
  return id;
}

function isVmap(node: SyntaxNode | undefined): boolean {
  return node?.type === "variable" && node.value === "vmap";
}

function failure({ position = 1 }: SyntaxNode, message: string): ExpressionSyntaxError {
  return new ExpressionSyntaxError(message, Math.max(0, position - 1));
}
