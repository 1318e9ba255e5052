/**
 * Where does a request end? Whoever can make two readers disagree about it smuggles a second request past the first. Every case
 * has a good request behind it, which must not be executed when this one is refused.
 */
import type { ErrorCode } from "../../../../src/shared/errors.ts";
import { type Case, type Group, rawRequest } from "../case.ts";

type Row = readonly [name: string, bytes: string, status: number, code: ErrorCode];

const post = (headers: readonly string[], body = ""): string => rawRequest("POST /api/echo", headers, body);
const chunked = "Transfer-Encoding: chunked";
const none = "0\r\n\r\n";

const refused: readonly Row[] = [
  ["a length and chunks", post(["Content-Length: 4", chunked], none), 400, "bad_request"],
  ["chunks and a length", post([chunked, "Content-Length: 4"], none), 400, "bad_request"],
  ["two lengths", post(["Content-Length: 1", "Content-Length: 2"], "ab"), 400, "bad_request"],
  ["the same length twice", post(["Content-Length: 2", "Content-Length: 2"], "ab"), 400, "bad_request"],
  ["a list of lengths", post(["Content-Length: 2, 2"], "ab"), 400, "bad_request"],
  ["a negative length", post(["Content-Length: -1"]), 400, "bad_request"],
  ["a length with a sign", post(["Content-Length: +2"], "ab"), 400, "bad_request"],
  ["a length in hexadecimal digits", post(["Content-Length: 0x2"], "ab"), 400, "bad_request"],
  ["a length with a fraction", post(["Content-Length: 2.0"], "ab"), 400, "bad_request"],
  ["a length of 2^64", post(["Content-Length: 18446744073709551616"]), 400, "bad_request"],
  ["an empty length", post(["Content-Length:"]), 400, "bad_request"],
  ["an unknown transfer coding", post(["Transfer-Encoding: xchunked"], none), 400, "bad_request"],
  ["chunked, then another coding", post(["Transfer-Encoding: chunked, identity"], none), 400, "bad_request"],
  ["chunked twice", post(["Transfer-Encoding: chunked, chunked"], none), 400, "bad_request"],
  ["chunked in two headers", post([chunked, chunked], none), 400, "bad_request"],
  ["chunked in quotes", post(['Transfer-Encoding: "chunked"'], none), 400, "bad_request"],
  ["a vertical tab before chunked", post(["Transfer-Encoding: \x0bchunked"], none), 400, "bad_request"],
  ["a space before the colon", post(["Transfer-Encoding : chunked"], none), 400, "bad_request"],
  ["a folded header", post(["Transfer-Encoding:", " chunked"], none), 400, "bad_request"],
  ["a header without a colon", post(["Content-Length 4"], none), 400, "bad_request"],
  ["a header without a name", post([": 4"], none), 400, "bad_request"],
  ["a NUL in a header", post(["X: a\0b"]), 400, "bad_request"],
  ["a CR in a header", post(["X: a\rb"]), 400, "bad_request"],
  ["a blank before the first header", "POST /api/echo HTTP/1.1\r\n Host: localhost\r\n\r\n", 400, "bad_request"],
  ["a chunk size that is no number", post([chunked], "zz\r\n\r\n"), 400, "bad_request"],
  ["a negative chunk size", post([chunked], "-1\r\n\r\n"), 400, "bad_request"],
  ["a chunk size with 0x", post([chunked], "0x1\r\na\r\n0\r\n\r\n"), 400, "bad_request"],
  ["a chunk size beyond 64 bits", post([chunked], "ffffffffffffffff1\r\na\r\n0\r\n\r\n"), 400, "bad_request"],
  ["a chunk longer than its size", post([chunked], "1\r\nabc\r\n0\r\n\r\n"), 400, "bad_request"],
  ["a chunk that ends in LF", post([chunked], "1\r\na\n0\r\n\r\n"), 400, "bad_request"],
  ["a chunk size that ends in LF", post([chunked], "1\na\r\n0\r\n\r\n"), 400, "bad_request"],
  ["chunk extensions of 20 KB", post([chunked], `1;${"x".repeat(20_000)}\r\na\r\n${none}`), 413, "body_too_large"],
  ["a length in a trailer", post([chunked], "0\r\nContent-Length: 5\r\n\r\n"), 400, "bad_request"],
  ["chunks that turn bad later on", post([chunked], "1\r\na\r\nzz\r\n\r\n"), 400, "bad_request"],
  ["two Host headers", "POST /api/echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_request"],
  ["no Host header", "POST /api/echo HTTP/1.1\r\n\r\n", 400, "bad_request"],
  ["lines that end in LF", "POST /api/echo HTTP/1.1\nHost: a\n\n", 400, "bad_request"],
  ["lines that end in CR", "POST /api/echo HTTP/1.1\rHost: a\r\r", 400, "bad_request"],
  ["HTTP/0.9", "GET /api/echo\r\n\r\n", 400, "bad_request"],
  ["HTTP/0.9 with its version", "GET /api/echo HTTP/0.9\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["HTTP/2.0 in text", "GET /api/echo HTTP/2.0\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["HTTP/9.9", "GET /api/echo HTTP/9.9\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["HTTP/1.10", "GET /api/echo HTTP/1.10\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "bad_request"],
  ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "bad_request"],
  ["an SMTP greeting", "EHLO localhost\r\n", 400, "bad_request"],
  ["an unknown method", "FOO /api/echo HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["a method in lower case", "post /api/echo HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_request"],
  ["101 headers", post(["X: 1"].concat(Array(100).fill("Y: 1"))), 431, "header_fields_too_large"],
  ["headers of 20 KB", post([`X: ${"x".repeat(20_000)}`]), 431, "header_fields_too_large"],
  ["a header name of 20 KB", post([`${"x".repeat(20_000)}: 1`]), 431, "header_fields_too_large"],
];

/** What two readers cannot disagree about is answered, and the connection is good for another request. */
const served: readonly Case[] = [
  { name: "chunks", bytes: post([chunked], "1\r\na\r\n0\r\n\r\n"), status: 200, behind: "served", says: /^a$/ },
  { name: "a chunk extension", bytes: post([chunked], "1;x=y\r\na\r\n0\r\n\r\n"), status: 200, behind: "served" },
  {
    name: "trailers, which do not become headers",
    bytes: rawRequest("POST /api/headers", [chunked], "0\r\nX-Trailer: smuggled\r\n\r\n"),
    status: 200,
    behind: "served",
    not: /smuggled/,
  },
  {
    name: "an upgrade, which is not taken up",
    bytes: post(["Upgrade: h2c", "Connection: Upgrade, close", "Content-Length: 0"]),
    status: 204,
  },
  { name: "a blank line in front", bytes: `\r\n${post(["Content-Length: 0"])}`, status: 204, behind: "served" },
  {
    name: "a body with an unknown path, which is read to its end",
    bytes: rawRequest("POST /api/nobody", ["Content-Length: 5"], "hello"),
    status: 404,
    code: "not_found",
    behind: "served",
  },
  {
    name: "a request in the body of one that is not let in",
    bytes: rawRequest(
      "POST /_api/flows",
      ["Content-Length: 66"],
      "POST /api/canary HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".padEnd(66),
    ),
    status: 401,
    code: "unauthorized",
    behind: "served",
  },
];

export const framing: Group = {
  group: "framing",
  cases: [
    ...refused.map(([name, bytes, status, code]): Case => ({ name, bytes, status, code, behind: "dropped" })),
    ...served,
    {
      name: "HTTP/1.0 without Host",
      bytes: "POST /api/echo HTTP/1.0\r\nContent-Length: 1\r\n\r\na",
      status: 200,
      says: /^a$/,
    },
    {
      name: "HTTP/1.0 with chunks",
      bytes: `POST /api/echo HTTP/1.0\r\n${chunked}\r\n\r\n1\r\na\r\n0\r\n\r\n`,
      status: 400,
      code: "bad_request",
    },
  ],
};
