/** What a call can end with in place of its answer. */
import type { operations } from "./openapi.ts";

/** Codes of an operation's errors, as its type in openapi.ts has them by status. */
export type CodeOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { headers: { "X-Error-Code": infer Code extends string } }
        ? Code
        : never;
    }[keyof Responses]
  : never;

/** The code of any error that the management API answers (`X-Error-Code`). */
export type ErrorCode = CodeOf<operations[keyof operations]>;

/**
 * Codes that the client gives itself: `not_modified` for a 304, which only calls with `If-None-Match` get, and
 * `unknown` for a refusal without a code, which comes from something in front of the runtime.
 */
export type ClientCode = "not_modified" | "unknown";

/** A refusal: an answer with a status other than 2xx. */
export class ApiError<Code extends string = ErrorCode | ClientCode> extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly code: Code;

  /** `message`: what is wrong and what to do, as the runtime answers it. */
  constructor(status: number, code: Code, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }
}

/** The runtime does not answer, or something else answers in its place; `cause` has the error of `fetch`. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreachableError";
  }
}

/** What an error of `fetch` is about: its own message only says that it failed. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message : String(error);
}

/** The error of an answer that is not `ok`. `body`: its document, or its text when it is no JSON. */
export function refusalOf({ status, headers }: Response, body: unknown): ApiError<string> {
  if (status === 304) return new ApiError(304, "not_modified", "the caller has the present version");
  const code = headers.get("x-error-code") ?? "unknown";
  if (typeof body === "object" && body !== null && "error" in body && typeof body.error === "string")
    return new ApiError(status, code, body.error);
  // A proxy has answered in place of the runtime.
  const shown = typeof body === "string" ? body.slice(0, 200) : "";
  return new ApiError(status, code, `${status} ${shown}`.trim());
}
