/**
 * Refuses what is no proper HTTP/1.1 request: bytes that the parser does not accept, requests that are too slow, and what Node's parser
 * accepts although no server should (versions, Host, and framing that HTTP/1.0 does not have).
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { AppError } from "../../shared/errors.ts";
import { randomHex } from "../../shared/ids.ts";
import { errorAnswer } from "./reply.ts";

/** A registered name or an IPv4 address (RFC 3986 3.2.2), which may be empty, and a port. */
const name = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?::[0-9]*)?$/;
/** An IPv6 address, or one of a future version, and a port. */
const literal = /^\[([^\]]*)\](?::[0-9]*)?$/;
const future = /^v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/i;

/** The last valid Host: callers repeat the same one in nearly every request. */
let known = "";

/** Returns why a request is refused; undefined: it is not. RFC 9112 3.2: one Host in 1.1 and at most one before, of valid syntax (RFC 9110 7.2); 6.1: no chunks in 1.0. */
export function envelopeProblem(request: IncomingMessage): AppError | undefined {
  if (request.httpVersionMajor !== 1) return new AppError("bad_request", "speak HTTP/1.1");
  const { rawHeaders } = request;
  let hosts = 0;
  let host = "";
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] ?? "";
    if (header.length !== 4 || header.toLowerCase() !== "host") continue;
    hosts += 1;
    host = rawHeaders[i + 1] ?? "";
  }
  if (hosts > 1) return new AppError("bad_request", "the request has more than one Host header");
  if (host !== known) {
    if (!isHost(host)) return new AppError("bad_request", "the Host header is no host with an optional port");
    known = host;
  }
  if (request.httpVersionMinor > 0) {
    return hosts > 0 ? undefined : new AppError("bad_request", "the request has no Host header");
  }
  if (request.headers["transfer-encoding"] !== undefined) {
    return new AppError("bad_request", "HTTP/1.0 has no Transfer-Encoding: send a Content-Length, or HTTP/1.1");
  }
  return undefined;
}

function isHost(text: string): boolean {
  if (!text.startsWith("[")) return name.test(text);
  const address = literal.exec(text)?.[1] ?? "";
  // A zone (RFC 6874) has a meaning on the caller's own machine only.
  return future.test(address) || (isIPv6(address) && !address.includes("%"));
}

/**
 * How long a refused caller may take to read its answer, in ms. If the socket were destroyed at once, the answer could
 * be lost unread.
 */
const lingerMs = 500;

/** Finds the response under way on a socket, if any. */
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
