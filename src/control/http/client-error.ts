/** Answers to what is not a request: bytes that the parser refuses, and callers that are too slow. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "../../shared/errors.ts";
import { randomHex } from "../../shared/ids.ts";
import { errorAnswer } from "./reply.ts";

/**
 * How long a refused caller may take to read its answer, in ms. If the socket were destroyed at once, the answer could
 * be lost unread.
 */
const lingerMs = 500;

/** The response under way on a socket, if any. */
export type CurrentResponse = (socket: Duplex) => ServerResponse | undefined;

export function createClientErrorHandler(current: CurrentResponse) {
  /** Connections that end after the answer under way; a caller may send more bad bytes until then. */
  const ending = new WeakSet<Duplex>();
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const response = current(socket);
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    if (response !== undefined && !response.writableFinished) {
      // A whole request is still being answered: the bad bytes came after it. Its answer is the last on this
      // connection.
      if (response.req.complete) {
        response.shouldKeepAlive = false;
        if (!ending.has(socket)) response.once("finish", () => socket.end());
        ending.add(socket);
        return;
      }
      if (response.headersSent) {
        socket.destroy();
        return;
      }
    } else if (response !== undefined && !response.req.complete) {
      // Answered before its body had come in; the rest of the body is of no interest.
      socket.destroy();
      return;
    }
    refuse(socket, clientError(error.code));
  };
}

/** Writes an error answer to a bare socket and closes it. */
export function refuse(socket: Duplex, error: AppError): void {
  const { status, headers, body } = errorAnswer(error);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${randomHex(16)}`,
    "Connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function clientError(code: string | undefined): AppError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new AppError("header_fields_too_large", "the request's target or headers are too large or too many");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new AppError("body_too_large", "the body's chunk extensions are too large");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("request_timeout", "the request did not arrive in time");
    case "HPE_INVALID_URL":
      return new AppError("bad_target", "the request target must be ASCII; escape other characters");
    default:
      return new AppError("bad_request", "this is not a well-formed HTTP/1.1 request");
  }
}
