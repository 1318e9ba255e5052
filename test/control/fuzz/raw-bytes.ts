/** Bytes that are nothing like a request, nearly one, or one too many. */
import fc from "fast-check";
import { rawRequest } from "../corpus/case.ts";

const good = [
  rawRequest("GET /_api/health"),
  rawRequest("GET /_api/flows", ["Authorization: Bearer wrong"]),
  rawRequest("PUT /_api/flows/x", ["Content-Type: application/json", "Content-Length: 13"], '{"yaml": "x"}'),
  rawRequest("POST /api/echo", ["Content-Type: application/json", "Content-Length: 8"], '{"a": 1}'),
  rawRequest("POST /api/echo", ["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n"),
  rawRequest("POST /api/echo?a=b&c=%20d", ["Content-Length: 2", "X-Request-Id: abc", "Accept: */*"], "hi"),
  rawRequest("POST /api/headers", ["Content-Length: 2", "Expect: 100-continue", "Cookie: a=b"], "hi"),
  rawRequest("OPTIONS /api/nobody", ["Origin: http://localhost", "Connection: keep-alive"]),
];

/** What requests are made of, whole and broken. */
const piece = fc.constantFrom(
  ..."\r\n|\n|\r|\0| |\t|:|;|,|%|%2e%2e/|//|/..|?|#|\\|\xff|\xc0\xaf|*".split("|"),
  ..."GET |POST |TRACE |CONNECT a:1 |PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n| HTTP/1.1\r\n| HTTP/1.0\r\n| HTTP/0.9\r\n".split(
    "|",
  ),
  "Content-Length: 5\r\n",
  "Content-Length: 0\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Transfer-Encoding:\r\n chunked\r\n",
  "0\r\n\r\n",
  "ffffffff\r\n",
  "Host: b\r\n",
  "Expect: 100-continue\r\n",
  "Expect: x\r\n",
  "Connection: Upgrade\r\nUpgrade: h2c\r\n",
  "Connection: close\r\n",
  "Authorization: Bearer x\r\n",
  "Content-Encoding: gzip\r\n",
  "Content-Type: ;\r\n",
  "\x16\x03\x01\x02\x00",
  "/_api/",
  "/api/echo",
  "X: 1\r\n".repeat(101),
  "y".repeat(17_000),
);
const noise = fc.uint8Array({ maxLength: 40 }).map(latin1);

const change = fc.record({
  at: fc.nat(),
  remove: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
  insert: fc.oneof({ arbitrary: piece, weight: 3 }, { arbitrary: noise, weight: 1 }, fc.constant("")),
});

const changed = fc
  .tuple(
    fc.array(fc.constantFrom(...good), { minLength: 1, maxLength: 3 }),
    fc.array(change, { minLength: 1, maxLength: 4 }),
  )
  .map(([requests, changes]) =>
    changes.reduce((text, { at, remove, insert }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + insert + text.slice(place + remove);
    }, requests.join("")),
  );

/** Latin-1: one character a byte. */
export const rawBytes = fc.oneof(
  { arbitrary: changed, weight: 6 },
  { arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")), weight: 2 },
  { arbitrary: fc.uint8Array({ maxLength: 400 }).map(latin1), weight: 1 },
);

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
