import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { FormBody, readForm } from "../../../src/workers/engine/form.ts";
import { JsonNode, jsonNode } from "../../../src/workers/engine/json-node.ts";
import { keepMessage, restoreMessage } from "../../../src/workers/engine/kept-message.ts";
import { LazyList } from "../../../src/workers/engine/lazy-list.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { parseJson } from "../../../src/workers/engine/parse-json.ts";
import { XmlNode } from "../../../src/workers/engine/xml-value.ts";
import { epochMs } from "../../support/clock.ts";
import { anExchange } from "../../support/exchange.ts";

const maxBytes = 1_000_000;

function again(exchange: Exchange): Exchange {
  return restoreMessage(keepMessage(exchange, { maxBytes }), exchange.run, "route1");
}

function bodyAgain(body: unknown): unknown {
  return again(anExchange({ body })).message.body;
}

const jsonText = (json: string): JsonText => new JsonText(json, parseJson(json));

/** Values of every type that a message may have, inside each other; keys and texts have marks, surrogates and `__proto__`. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u0000", "v", "__proto__", "\ud800"));
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, 2 ** 60, 1e300, Number.NaN, Number.NEGATIVE_INFINITY),
  fc.bigInt(),
  text,
  fc.date(),
  fc.uint8Array(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => new Set(items)),
    fc.jsonValue().map((json) => jsonText(` ${JSON.stringify(json)}`)),
    fc.array(fc.jsonValue()).map((json) => jsonNode(json, maxBytes)),
  ),
}));

test("a value comes back as it was, with its types, wherever in a message it is", () => {
  fc.assert(
    fc.property(value, (one) => {
      const restored = again(
        anExchange({ body: one, headers: { h: one }, properties: { p: one }, variables: { v: one } }),
      );
      assert.deepStrictEqual(restored.message.body, one);
      assert.deepStrictEqual(restored.message.headers.get("H"), one);
      assert.deepStrictEqual(restored.properties.get("p"), one);
      assert.deepStrictEqual(restored.variables.get("v"), one);
    }),
  );
});

test("a JSON text comes back with its text and its value, a node as a node, a form as a form", () => {
  const json = bodyAgain(jsonText('{"a": 12345678901234567890 }')) as JsonText;
  assert.equal(json.text, '{"a": 12345678901234567890 }');
  assert.deepEqual(json.value, { a: 12345678901234567890n });
  const node = bodyAgain(jsonNode({ a: [1] }, maxBytes)) as JsonNode;
  assert.ok(node instanceof JsonNode);
  assert.equal(node.text, '{"a":[1]}');
  const form = bodyAgain(readForm("a=1&b=x+y")) as FormBody;
  assert.ok(form instanceof FormBody);
  assert.deepEqual({ ...(form.value as object) }, { a: "1", b: "x y" });
});

test("what only a library holds comes back plainer", () => {
  assert.equal(bodyAgain(new XmlNode({}, () => "<a/>")), "<a/>");
  assert.deepEqual(bodyAgain(new LazyList(() => ["a", 1][Symbol.iterator](), maxBytes)), ["a", 1]);
  const error = bodyAgain(new FlowException("java.io.IOException", "broken", { details: { statusCode: 503 } }));
  assert.ok(error instanceof FlowException);
  assert.deepEqual(
    [error.type, error.message, { ...error.details }],
    ["java.io.IOException", "broken", { statusCode: 503 }],
  );
});

test("the pattern, the case of a header's name and who has set it come back", () => {
  const exchange = anExchange({ headers: { "X-Id": "1" } });
  exchange.pattern = "InOut";
  exchange.message.headers.set("Set-Here", 2);
  assert.equal(again(exchange).message.written, false);
  exchange.message.body = "written";
  const { pattern, message } = again(exchange);
  assert.equal(pattern, "InOut");
  assert.deepEqual(
    [...message.headers.entries()],
    [
      ["X-Id", "1"],
      ["Set-Here", 2],
    ],
  );
  assert.deepEqual([...message.headers.written()], [["Set-Here", 2]]);
  assert.equal(message.written, true);
});

test("exchanges in a list come back as exchanges", () => {
  const body = [anExchange({ body: new Uint8Array([1]), properties: { p: 1n } }), anExchange({ body: "b" }).message];
  const [exchange, message] = bodyAgain(body) as [Exchange, Exchange["message"]];
  assert.deepEqual([exchange.message.body, exchange.properties.get("p")], [new Uint8Array([1]), 1n]);
  assert.equal(message.body, "b");
});

test("a header that is left out is nowhere in the bytes, also in a message inside", () => {
  const secret = { headers: { Authorization: "Basic c2VjcmV0", kept: "1" } };
  const kept = keepMessage(anExchange({ ...secret, body: [anExchange(secret)] }), {
    maxBytes,
    without: (name) => name.toLowerCase() === "authorization",
  });
  assert.ok(!Buffer.from(kept).includes("c2VjcmV0"));
  assert.ok(!Buffer.from(kept).includes("Authorization"));
});

test("a message beyond the bound is refused, however small it is in memory", () => {
  const many = (values: unknown): unknown => Array.from({ length: 100 }, () => values);
  const refused = { type: "LimitExceededException" };
  for (const body of [
    "x".repeat(maxBytes),
    new Uint8Array(maxBytes),
    many(many(many(many(1)))),
    many(many(many(many(1n)))),
  ])
    assert.throws(() => bodyAgain(body), refused);
  let deep: unknown = [new Date(epochMs())];
  for (let i = 0; i < 5000; i++) deep = [deep];
  assert.throws(() => bodyAgain(deep), refused);
});

test("bytes of another form are refused with the number of the form", () => {
  const { run } = anExchange();
  const kept = keepMessage(anExchange({ body: "x" }), { maxBytes });
  assert.throws(() => restoreMessage(Uint8Array.of(9, ...kept.subarray(1)), run, ""), /of form 9.*reads form 1/);
  assert.throws(() => restoreMessage(kept.subarray(0, 20), run, ""), /is cut/);
  assert.throws(() => restoreMessage(new Uint8Array(), run, ""), /is empty/);
});

test("attachments are kept with their contents and heads", () => {
  const exchange = anExchange();
  const plain = { contentType: "text/plain", headers: [["X-Y", "z"]] as const, content: Uint8Array.of(1, 255) };
  exchange.message.attachments.set("a", { ...plain, fileName: "a.txt" });
  exchange.message.attachments.set("__proto__", plain);
  const { attachments } = again(exchange).message;
  assert.deepEqual(
    [...attachments.entries()].map(([name]) => name),
    ["a", "__proto__"],
  );
  assert.deepEqual(attachments.get("a"), { ...plain, fileName: "a.txt" });
  assert.deepEqual(attachments.get("__proto__"), plain);
  assert.equal(again(anExchange()).message.hasAttachments, false);
});
