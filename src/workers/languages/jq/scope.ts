/** The names that are in scope in a jq program. */
import type { Output, Outputs } from "./output.ts";
import type { Definition, Node } from "./syntax.ts";
import { JqError, type Json } from "./values.ts";

/** A function as an argument: a tree and the scope of its names. */
export interface Closure {
  readonly node: Node;
  readonly scope: Scope;
}

/** Names in scope: a list from the inside out. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly variable?: { readonly name: string; readonly value: Json };
  readonly label?: { readonly name: string; readonly id: object };
  /** A parameter is a function without parameters of its own. */
  readonly function?: { readonly key: string; readonly definition?: Definition; readonly closure?: Closure };
  /** The program's host, in the outermost scope. */
  readonly host?: Host;
}

/** Functions that read the message: `header("x")`. */
export interface Host {
  call(name: string, argument: string): Json;
}

/** Evaluates a node; passed to the parts of the evaluator that call back into it. */
export type Evaluate = (node: Node, input: Output, scope: Scope) => Outputs;

/** Looks up a variable. Throws JqError. */
export function readVariable(name: string, scope: Scope): Json {
  const found = lookUp(scope, (at) => (at.variable?.name === name ? at.variable : undefined));
  if (found !== undefined) return found.value;
  // Programs get no environment.
  return name === "ENV" ? {} : name === "__prog_args" ? [] : unknown(`$${name}`);
}

export function hostOf(scope: Scope): Host | undefined {
  return lookUp(scope, (at) => at.host);
}

export function lookUp<T>(scope: Scope, find: (at: Scope) => T | undefined): T | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = find(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function unknown(what: string): never {
  throw new JqError(`${what} is not defined`);
}

/** Thrown by `break $name`, and caught by the `label` of this identity. */
export class Break extends Error {
  readonly id: object;

  constructor(id: object) {
    super("break");
    this.id = id;
  }
}
