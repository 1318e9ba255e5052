/** The closures that simple expressions compile to, so that they need no interpreter. */
import type { Session } from "../session.ts";

/** The input of an expression: the whole message, or inside `forEach` one item of it. */
export interface Scope {
  readonly context: unknown;
  /** The input of the whole expression; it differs from `context` inside a predicate. */
  readonly input: unknown;
  readonly variables: Variables;
  readonly session: Session;
}

/** The variables by their names in expressions. Those that no expression of the mapping names may be absent. */
export interface Variables {
  readonly body?: unknown;
  /** The same as `body`. */
  readonly root?: unknown;
  readonly headers?: unknown;
  readonly properties?: unknown;
  readonly variables?: unknown;
  readonly params?: unknown;
  /** Inside `forEach`: the item's number, from 0, and the context that the list was read from. */
  readonly index?: unknown;
  readonly parent?: unknown;
  /** `$now()` and `$millis()`. */
  readonly now?: unknown;
  readonly millis?: unknown;
}

export const variableNames = [
  "body",
  "root",
  "headers",
  "properties",
  "variables",
  "params",
  "index",
  "parent",
] as const;

/**
 * Returns the value, undefined for none, or `unsure`. Throws only LimitExceededException and the errors of value
 * mappings.
 */
export type Closure = (scope: Scope) => unknown;

/**
 * The closure cannot decide: the interpreter evaluates the expression instead. Errors are always left to the
 * interpreter.
 */
export const unsure = Symbol("unsure");
