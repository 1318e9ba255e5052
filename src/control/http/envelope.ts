/**
 * Checks what Node's parser lets through and no server should: versions, Host, and framing that HTTP/1.0 does not have.
 */

import { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { AppError } from "../../shared/errors.ts";

/** A registered name or an IPv4 address (RFC 3986 3.2.2), which may be empty, and a port. */
const name = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?::[0-9]*)?$/;
/** An IPv6 address, or one of a future version, and a port. */
const literal = /^\[([^\]]*)\](?::[0-9]*)?$/;
const future = /^v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+$/i;

/** The last valid Host: callers repeat the same one in nearly every request. */
let known = "";

/** RFC 9112 3.2: one Host in 1.1 and at most one before, of valid syntax (RFC 9110 7.2); 6.1: no chunks in 1.0. */
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

/** A part of fewer bytes costs more to handle than its bytes do. */
const tinyBytes = 16;
/** A body with so many tiny parts was split on purpose. */
const mostTiny = 1000;

/**
 * Makes a class of requests for Node's server; `onTiny` is called once for a request whose body comes in too many tiny
 * parts.
 */
export function countedRequest(onTiny: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #tiny = 0;

    override push(part: unknown, encoding?: BufferEncoding): boolean {
      if (part instanceof Uint8Array && part.length < tinyBytes && ++this.#tiny === mostTiny) onTiny();
      return super.push(part, encoding);
    }
  };
}
