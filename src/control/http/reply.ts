/** Answers errors, wherever they occur: the body is `{"error": "..."}` and nothing else. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { randomHex } from "../../shared/ids.ts";

/** The longest error body, in bytes of UTF-8. */
const bodyLimit = 1024;
const requestIdGrammar = /^[A-Za-z0-9._-]{1,128}$/;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whether a caller's `X-Request-Id` may be returned to it: one word of 1 to 128 plain characters. */
export function isRequestId(text: string): boolean {
  return requestIdGrammar.test(text);
}

/** Returns the caller's `X-Request-Id` if it may be returned, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers["x-request-id"];
  return typeof sent === "string" && isRequestId(sent) ? sent : randomHex(16);
}

/** Sets the headers of every answer under `/_api`. */
export function setManagementHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("X-Request-Id", requestIdOf(request));
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Content-Type-Options", "nosniff");
}

/** Returns the answer for an error. Only the message of an AppError is sent; any other error is `internal`. */
export function errorAnswer(error: unknown): ErrorAnswer {
  const known =
    error instanceof AppError
      ? error
      : new AppError("internal", "internal error; the runtime's log tells more under this answer's X-Request-Id");
  const body = errorBody(known.message);
  return {
    status: known.status,
    headers: {
      ...known.headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      "X-Error-Code": known.code,
    },
    body,
  };
}

/** Answers the request with the error; an answer that has already begun is cut off instead. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = errorAnswer(error);
  if (!response.hasHeader("X-Request-Id")) response.setHeader("X-Request-Id", requestIdOf(request));
  response.writeHead(status, headers).end(body);
}

/** Returns the JSON text of an error body, its message cut so that the whole is not longer than 1 KiB. */
export function errorBody(message: string): string {
  const whole = JSON.stringify({ error: message.toWellFormed() });
  if (Buffer.byteLength(whole) <= bodyLimit) return whole;
  const room = bodyLimit - Buffer.byteLength('{"error":"…"}');
  let used = 0;
  let kept = "";
  for (const character of message.toWellFormed()) {
    used += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (used > room) break;
    kept += character;
  }
  return JSON.stringify({ error: `${kept}…` });
}
