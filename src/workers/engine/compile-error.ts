/** Why a flow does not compile, and where. */
import type { Position } from "../../shared/diagnostic.ts";
import { ExpressionSyntaxError, exceptionMessage } from "./exception.ts";
import { NotLoaded } from "./late-module.ts";

/** `code` is a diagnostic's code: `unknown_step`, `bad_expression`, `bad_option`, ... */
export class CompileError extends Error {
  readonly code: string;
  readonly at: Position;
  readonly routeId: string;
  /** null: the fault is the route's own or its `from`. */
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

/** Where a thing of the model stands. */
export interface Place {
  readonly at: Position;
  readonly routeId: string;
  readonly stepId: string | null;
}

/** The result of `make`; what it throws gets the place, unless a place further in is known. */
export function compiledAt<T>({ at, routeId, stepId }: Place, code: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof CompileError || error instanceof NotLoaded) throw error;
    throw new CompileError(code, exceptionMessage(error), shifted(at, error), routeId, stepId, { cause: error });
  }
}

/** A syntax error's own column, where the expression is on one line as far as the error. */
function shifted(at: Position, error: unknown): Position {
  if (!(error instanceof ExpressionSyntaxError) || at.line !== at.endLine) return at;
  return { ...at, column: Math.min(at.column + error.index, at.endColumn) };
}
