/** What an expression becomes when it need not be interpreted. */
import type { Session } from "../../languages/jsonata/session.ts";

/** The message as an expression sees it: of the whole, or inside `forEach` of one item. */
export interface Scope {
  readonly context: unknown;
  /** What the whole expression is evaluated on: the context but inside a predicate. */
  readonly input: unknown;
  readonly variables: Variables;
  readonly session: Session;
}

/** As an expression names them; those that no expression of the mapping names need not be there. */
export interface Variables {
  readonly body?: unknown;
  /** The same as `body`. */
  readonly root?: unknown;
  readonly headers?: unknown;
  readonly properties?: unknown;
  readonly variables?: unknown;
  readonly params?: unknown;
  /** Inside `forEach`: the item's number from 0, and what the list was in. */
  readonly index?: unknown;
  readonly parent?: unknown;
  /** Functions. */
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

/** The value, undefined for none, or `unsure`. Never throws but LimitExceededException and what a value mapping throws. */
export type Closure = (scope: Scope) => unknown;

/** The interpreter must say: the case is one of those that a closure does not decide, and every error is. */
export const unsure = Symbol("unsure");
