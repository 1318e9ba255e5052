/** The error of a flow that does not compile, with its place. */
import type { Position } from "../../shared/diagnostic.ts";
import { ExpressionSyntaxError, exceptionMessage } from "./exception.ts";
import { NotLoaded } from "./late-module.ts";

/** `code` is a diagnostic's code: `unknown_step`, `bad_expression`, `bad_option`, ... */
export class CompileError extends Error {
  readonly code: string;
  readonly at: Position;
  readonly routeId: string;
  /** null: the fault is in the route itself or in its `from`. */
  readonly stepId: string | null;

  constructor(
    code: string,
    message: string,
    at: Position,
    routeId: string,
    stepId: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "CompileError";
    this.code = code;
    this.at = at;
    this.routeId = routeId;
    this.stepId = stepId;
  }
}

/** The place of a part of the model. */
export interface ModelPlace {
  readonly at: Position;
  readonly routeId: string;
  readonly stepId: string | null;
}

/** Returns the result of `make`. Adds the place to an error that has none. */
export function compiledAt<T>({ at, routeId, stepId }: ModelPlace, code: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof CompileError || error instanceof NotLoaded) throw error;
    throw new CompileError(code, exceptionMessage(error), shifted(at, error), routeId, stepId, { cause: error });
  }
}

/** Compiles a part of a flow. Returns `instead` for a part with a fault, where faults are collected. */
export type Attempt = <T>(make: () => T, instead: T) => T;

/** `fault`: receives the CompileError of each part; absent: the first one is thrown. */
export function attempting(fault: ((error: CompileError) => void) | undefined): Attempt {
  if (fault === undefined) return (make) => make();
  return (make, instead) => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      fault(error);
      return instead;
    }
  };
}

/** Returns the column of a syntax error, if the expression is on one line up to the error. */
function shifted(at: Position, error: unknown): Position {
  if (!(error instanceof ExpressionSyntaxError) || at.line !== at.endLine) return at;
  return { ...at, column: Math.min(at.column + error.index, at.endColumn) };
}
