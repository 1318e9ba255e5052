/** A failure inside a flow, with the Java class name by which Camel's users know it. */

import { howToRaise, type LimitName } from "../../shared/limits.ts";

const none: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export class FlowException extends Error {
  /** Java class name, with or without its package: `java.lang.IllegalArgumentException`, `LimitExceededException`. */
  readonly type: string;
  /** Values of the Java class's getters, by name: `${exception.statusCode}` reads `statusCode`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, options?: ErrorOptions & { readonly details?: Record<string, unknown> }) {
    super(message, options);
    this.name = "FlowException";
    this.type = type;
    this.details = options?.details ?? none;
  }
}

/** A run has failed, and its message, which nobody else has, could not be kept. */
export class NotKept extends FlowException {
  constructor(problem: string) {
    super("MessageNotKeptException", `the run has failed, and its message could not be kept: ${problem}`);
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

/**
 * Returns the class name that a failure is reported under. Errors of the JavaScript engine get the nearest Java class.
 */
export function exceptionType(error: unknown): string {
  if (error instanceof FlowException) return error.type;
  if (error instanceof RangeError) return "java.lang.IllegalArgumentException";
  if (error instanceof TypeError) return "java.lang.ClassCastException";
  if (error instanceof SyntaxError) return "com.fasterxml.jackson.core.JsonParseException";
  return "java.lang.RuntimeException";
}

/** What Node advises on a certificate is for the person who starts it, and not for the author of a flow. */
const nodesAdvice = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;

export function exceptionMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(nodesAdvice, "");
}

/** Whether ignoreInvalidEndpoint skips the error: a URI that is not an endpoint, as opposed to a failed call of one. */
export function isInvalidEndpoint(error: unknown): boolean {
  return /(ResolveEndpointFailed|NoSuchEndpoint)Exception$/.test(exceptionType(error));
}

/**
 * `bound` describes the limit: `a split has at most 100 parts`. The message continues with the limit's name and how to
 * raise it.
 */
export function limitExceeded(name: LimitName, bound: string): FlowException {
  return new FlowException("LimitExceededException", `${bound}: ${howToRaise(name)}`);
}
