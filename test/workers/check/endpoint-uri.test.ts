/** Endpoint URIs are read as Camel reads them and come back in one form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EndpointUriError, formatEndpointUri, parseEndpointUri } from "../../../src/workers/engine/endpoint-uri.ts";

function options(uri: string): Record<string, string> {
  return Object.fromEntries(parseEndpointUri(uri).query.map(({ name, value }) => [name, value]));
}

test("scheme, path and query", () => {
  assert.equal(parseEndpointUri("timer").scheme, "timer");
  assert.equal(parseEndpointUri("timer://tick").path, "tick");
  assert.equal(parseEndpointUri("timer:tick?period=5").path, "tick");
  assert.equal(parseEndpointUri("timer?timerName=a").path, "");
  assert.equal(parseEndpointUri("platform-http:/a/b").path, "/a/b");
  assert.deepEqual(options("x:y?a=1&b=2&amp;c=3&&d="), { a: "1", b: "2", c: "3", d: "" });
});

test("values are decoded, RAW ones are not", () => {
  assert.deepEqual(options("x:y?a=b%20c+d&e=50%&f=RAW(a+b%20&c)&g=RAW{x)}&h=a=b"), {
    a: "b c d",
    e: "50%",
    f: "a+b%20&c",
    g: "x)",
    h: "a=b",
  });
});

test("what cannot be read says where", () => {
  for (const [uri, index] of [
    [":x", 0],
    ["1x:y", 0],
    ["a b:c", 1],
    ["x:y?a", 4],
    ["x:y?a=1&b", 8],
    ["x:y?a=RAW(b", 6],
  ] as const) {
    assert.throws(
      () => parseEndpointUri(uri),
      (error: unknown) => error instanceof EndpointUriError && error.index === index,
      uri,
    );
  }
});

test("the normal form is read back as it was", () => {
  const value = fc.string({ unit: "grapheme", maxLength: 20 });
  const query = fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), value }, { noNullPrototype: true }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(query, (written) => {
      const read = parseEndpointUri(formatEndpointUri("log", "a", written)).query;
      assert.deepEqual(
        read.map(({ name, value: text }) => ({ name, value: text })),
        written,
      );
    }),
  );
});
