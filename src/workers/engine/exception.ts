/** A failure inside a flow, with the Java class name that Camel users know it by. */

import { howToRaise, type LimitName } from "../../shared/limits.ts";

const none: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export class FlowException extends Error {
  /** Java class name, with or without its package: `java.lang.IllegalArgumentException`, `LimitExceededException`. */
  readonly type: string;
  /** What the Java class has getters for, by their names: `statusCode` is what `${exception.statusCode}` reads. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, options?: ErrorOptions & { readonly details?: Record<string, unknown> }) {
    super(message, options);
    this.name = "FlowException";
    this.type = type;
    this.details = options?.details ?? none;
  }
}

/** An expression that cannot be read; `index` counts characters from the start of its text. */
export class ExpressionSyntaxError extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = "ExpressionSyntaxError";
    this.index = index;
  }
}

/** The class name that a failure is reported under: errors of the JavaScript engine get the nearest Java one. */
export function exceptionType(error: unknown): string {
  if (error instanceof FlowException) return error.type;
  if (error instanceof RangeError) return "java.lang.IllegalArgumentException";
  if (error instanceof TypeError) return "java.lang.ClassCastException";
  if (error instanceof SyntaxError) return "com.fasterxml.jackson.core.JsonParseException";
  return "java.lang.RuntimeException";
}

export function exceptionMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What ignoreInvalidEndpoint skips: a URI that is no endpoint, not a failure of one. */
export function isInvalidEndpoint(error: unknown): boolean {
  return /(ResolveEndpointFailed|NoSuchEndpoint)Exception$/.test(exceptionType(error));
}

/** `bound` says how much there may be: `a split has at most 100 parts`. The message goes on with the limit's name and how it is raised. */
export function limitExceeded(name: LimitName, bound: string): FlowException {
  return new FlowException("LimitExceededException", `${bound}: ${howToRaise(name)}`);
}
