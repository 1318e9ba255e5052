/** Methods of exceptions, the exchange and its message. */

import { convertTo, isKnownType } from "../../../engine/convert.ts";
import { exceptionMessage, exceptionType, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import type { ManualCommit } from "../../../engine/manual-commit.ts";
import type { Message } from "../../../engine/message.ts";
import { getVariable } from "../../../engine/variables.ts";
import { methodTable, textArgument as text } from "./method.ts";

export const exceptionMethods = methodTable<Error>({
  getMessage: [exceptionMessage],
  getLocalizedMessage: [exceptionMessage],
  getCause: [(error) => error.cause ?? null],
  getStackTrace: [stackTrace],
  // The status of an HTTP failure (HttpOperationFailedException); null for any other.
  getStatusCode: [(error) => detail(error, "statusCode") ?? null],
  getResponseBody: [(error) => detail(error, "responseBody") ?? null],
  getRedirectLocation: [(error) => detail(error, "redirectLocation") ?? null],
});

/** Lists the types and messages of an exception and its causes. It contains no file of the runtime. */
export function stackTrace(error: unknown): string {
  const lines: string[] = [];
  for (let at = error; at !== undefined && at !== null && lines.length < 32; at = (at as { cause?: unknown }).cause) {
    lines.push(`${lines.length === 0 ? "" : "Caused by: "}${exceptionType(at)}: ${exceptionMessage(at)}`);
    if (!(at instanceof Error)) break;
  }
  return lines.join("\n");
}

/** Reads a getter of the exception's Java class; undefined for an unknown getter. */
export function detail(error: unknown, name: string): unknown {
  return error instanceof FlowException && Object.hasOwn(error.details, name) ? error.details[name] : undefined;
}

export const exchangeMethods = methodTable<Exchange>({
  getMessage: [(exchange) => exchange.message],
  getIn: [(exchange) => exchange.message],
  getExchangeId: [(exchange) => exchange.id],
  getFromRouteId: [(exchange) => exchange.fromRouteId],
  getPattern: [(exchange) => exchange.pattern],
  isFailed: [(exchange) => (exchange.exception ?? null) !== null],
  getException: [(exchange) => exchange.exception ?? null],
  getCreated: [(exchange) => exchange.created],
  getProperty: [(exchange, args) => exchange.properties.get(text(args, 0)) ?? null, 1],
  getProperties: [(exchange) => snapshot(exchange.properties)],
  getVariable: [(exchange, args) => getVariable(exchange, text(args, 0)), 1],
  getVariables: [(exchange) => snapshot(exchange.variables)],
});

export const manualCommitMethods = methodTable<ManualCommit>({
  commit: [
    (manual) => {
      manual.commit();
      return null;
    },
  ],
});

export const messageMethods = methodTable<Message>({
  getBody: [(message, args) => (args.length === 0 ? message.body : as(message.body, text(args, 0))), 0, 1],
  getHeader: [(message, args) => message.headers.get(text(args, 0)) ?? null, 1],
  getHeaders: [(message) => snapshot(message.headers.entries())],
});

function as(value: unknown, type: string): unknown {
  const name = type.replace(/\.class$/, "");
  if (isKnownType(name)) return convertTo(value, name);
  throw new FlowException("java.lang.ClassNotFoundException", `unknown type ${name}`);
}

/** Copies headers, properties or variables to plain objects, so that a reader cannot change the exchange. */
export function snapshot(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) copy[name] = value ?? null;
  return copy;
}
