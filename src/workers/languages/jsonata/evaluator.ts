/** Evaluates JSONata expressions with bounds on time, depth and size, and with linear regular expressions. */

import { howToRaise } from "../../../shared/limits.ts";
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { Budget } from "../budget.ts";
import { LinearRegExp } from "../linear-reg-exp.ts";
import { addFunctions, type Clock, clockOf } from "./functions.ts";
import { Guard } from "./guard.ts";
import { guardFunctions } from "./guards.ts";
import { type Jsonata, jsonataLibrary, pushUpTo } from "./library.ts";
import type { Session } from "./session.ts";
import { type SyntaxNode, usedValueMappings, walk } from "./syntax-tree.ts";

/** The greatest depth of nested functions; each takes several frames of the thread's stack. */
export const maxDepth = 400;

/** How many times a message's size an evaluation may build in all; most of it is soon collected. */
export const garbage = 16;

export interface Bounds {
  readonly depth: number;
  /** The most elements of a list. */
  readonly sequence: number;
  /** The setting that raises the bound; absent when the bound is the limit of a message's body. */
  readonly moreElements?: string;
}

export interface JsonataExpression {
  readonly tree: SyntaxNode;
  /** Names of its variables, including functions and its own. */
  readonly variables: ReadonlySet<string>;
  /** Ids of its value mappings. */
  readonly valueMappings: readonly string[];
  /**
   * Evaluates the expression and returns the library's own result, whose lists carry marks (see `plainResult`). Throws
   * JsonataError, LimitExceededException, and the errors of value mappings. `bindings` hide functions of the same name.
   */
  evaluate(input: unknown, bindings: Readonly<Record<string, unknown>>, session: Session): unknown;
}

/** A failure of an expression itself. */
export class JsonataError extends Error {
  /** JSONata's error code, such as `T0410`; undefined for a failure of JavaScript. */
  readonly code: string | undefined;
  /** The place in the expression, in characters from 0. */
  readonly index: number | undefined;

  constructor(message: string, code: string | undefined, index: number | undefined) {
    super(message);
    this.name = "JsonataError";
    this.code = code;
    this.index = index;
  }
}

interface Guarded {
  readonly library: Jsonata;
  readonly guard: Guard;
  readonly clock: Clock;
}

let session: Session | undefined;
let guarded: Guarded | undefined;

/** Compiles an expression. Throws NotLoaded, and ExpressionSyntaxError for an invalid text. */
export function compileJsonata(text: string, bounds: Bounds): JsonataExpression {
  const { library, guard } = guardedJsonata();
  const options: Parameters<Jsonata>[1] = {
    budget: undefined,
    stack: bounds.depth,
    sequence: bounds.sequence,
    push: pushUpTo(bounds.sequence),
    RegexEngine: LinearRegExp,
  };
  const expression = parsed(library, text, options);
  const tree = expression.ast();
  const variables = new Set<string>();
  walk(tree, (node) => {
    if (node.type === "variable" && typeof node.value === "string") variables.add(node.value);
    else if (node.type === "regex") checkPattern(node);
  });
  return {
    tree,
    variables,
    valueMappings: variables.has("vmap") ? usedValueMappings(tree) : [],
    evaluate(input, bindings, own) {
      const { budget } = own;
      options.budget = budget;
      guard.begin(budget);
      session = own;
      try {
        return expression.evaluate(input, bindings);
      } catch (error) {
        throw failure(error, text, bounds, budget);
      } finally {
        guard.end();
        options.budget = undefined;
        session = undefined;
      }
    },
  };
}

/** Returns the library, which is guarded once per thread. Throws NotLoaded. */
export function guardedJsonata(): Guarded {
  const library = jsonataLibrary.module();
  guarded ??= { library, guard: guardOf(library), clock: clockOf(library, current) };
  return guarded;
}

function current(): Session {
  if (session === undefined) throw new Error("no evaluation is under way");
  return session;
}

function guardOf(library: Jsonata): Guard {
  const guard = new Guard();
  guardFunctions(library, guard);
  addFunctions(library, current);
  // Charges a text only where an operator joins two: functions charge the texts that they make.
  library.hooks.evaluated = ({ type }, _input, _frame, result) => {
    if (type === "binary" || typeof result !== "string") guard.keep(result);
  };
  return guard;
}

function parsed(library: Jsonata, text: string, options: Parameters<Jsonata>[1]): ReturnType<Jsonata> {
  try {
    return library(text, options);
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionSyntaxError("the expression nests too deep", 0);
    const { position, message } = error as { readonly position?: number; readonly message?: string };
    throw new ExpressionSyntaxError(message ?? exceptionMessage(error), Math.max(0, (position ?? 1) - 1));
  }
}

function checkPattern({ value, position = 1 }: SyntaxNode): void {
  try {
    new LinearRegExp(value as RegExp);
  } catch (error) {
    throw new ExpressionSyntaxError(exceptionMessage(error), Math.max(0, position - 1));
  }
}

function failure(error: unknown, text: string, bounds: Bounds, budget: Budget): unknown {
  if (error instanceof FlowException) return error;
  if (error instanceof RangeError) return budget.exceeded("is too deep or builds too much");
  const { code, message, position, token } = error as {
    readonly code?: string;
    readonly message?: string;
    readonly position?: number;
    readonly token?: unknown;
  };
  if (code === "D1012") return budget.overTime();
  if (code === "D1011") return budget.exceeded(`nests at most ${bounds.depth} deep`);
  if (code === "D2014" || code === "D2015") {
    const more = bounds.moreElements ?? howToRaise("messageBodyBytes");
    return budget.exceeded(`makes lists of at most ${bounds.sequence} elements: ${more}`);
  }
  return new JsonataError(message ?? exceptionMessage(error), code, indexOf(text, position, token));
}

/** Returns where the call or the operator begins; the library reports the end of the token. */
function indexOf(text: string, position: number | undefined, token: unknown): number | undefined {
  if (position === undefined) return undefined;
  if (typeof token === "string" && token !== "") {
    const call = text.lastIndexOf(`$${token}`, position);
    if (call >= 0) return call;
    const operator = text.lastIndexOf(token, position);
    if (operator >= 0) return operator;
  }
  return Math.max(0, position - 1);
}
