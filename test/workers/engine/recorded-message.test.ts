/** Messages as records keep them: plain JSON, without secrets, within bounds, whatever the body is. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parseExactly } from "../../../src/shared/exact-json.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { type Mask, secretMask } from "../../../src/shared/secret-mask.ts";
import { LazyList } from "../../../src/workers/engine/lazy-list.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { recordedMessage, recordedValues } from "../../../src/workers/engine/recorded-message.ts";
import { XmlNode } from "../../../src/workers/engine/xml-value.ts";
import { anExchange } from "../../support/exchange.ts";

const most = defaultLimits.recordedBytes;

function recorded(body: unknown, { mask, headers = {} }: { mask?: Mask; headers?: Record<string, unknown> } = {}) {
  const { message, run } = anExchange({ body, headers, ...(mask && { sink: { mask } }) });
  const told = recordedMessage(message, run);
  assert.ok(JSON.stringify(told).length < 6 * most + 1000);
  // What crosses threads as JSON is what was meant.
  assert.deepEqual(parseExactly(JSON.stringify(told)), told);
  return told;
}

suite("bodies", () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic["self"] = cyclic;
  const throwing = Object.defineProperty({}, "x", {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
  const node = new XmlNode("<a/>", String);

  const kinds: readonly (readonly [what: string, body: unknown, shown: unknown, type: string])[] = [
    ["text", "a", "a", "String"],
    ["nothing", undefined, null, "null"],
    ["a JSON text", new JsonText('{"a":1}', { a: 1 }), { a: 1 }, "String"],
    ["an object", { a: [1, "b", true, null], u: undefined }, { a: [1, "b", true, null] }, "java.util.LinkedHashMap"],
    [
      "a map with a set and a date",
      new Map([["a", new Set([new Date(0)])]]),
      { a: ["1970-01-01T00:00:00.000Z"] },
      "java.util.LinkedHashMap",
    ],
    ["a big integer", 10n ** 20n, 10n ** 20n, "java.math.BigInteger"],
    ["no number", [Number.NaN, Number.POSITIVE_INFINITY], ["NaN", "Infinity"], "java.util.ArrayList"],
    ["markup", node, "<a/>", "org.w3c.dom.Node"],
    ["a list of nodes", [node, node], "<a/><a/>", "java.util.ArrayList"],
    ["an error inside", { e: new Error("broken") }, { e: "broken" }, "java.util.LinkedHashMap"],
    ["bytes inside", { b: new Uint8Array([1, 2]) }, { b: "AQI=" }, "java.util.LinkedHashMap"],
    [
      "a name of objects' own",
      JSON.parse('{"__proto__": {"a": 1}}'),
      JSON.parse('{"__proto__": {"a": 1}}'),
      "java.util.LinkedHashMap",
    ],
  ];
  for (const [what, body, shown, type] of kinds) {
    test(what, () => assert.deepEqual(recorded(body), { headers: {}, body: shown, bodyType: type }));
  }

  test("a JSON text with spaces, and its own text", () => {
    const text = '{"a": 1}';
    assert.deepEqual(recorded(new JsonText(text, { a: 1 })), { headers: {}, body: { a: 1 }, text, bodyType: "String" });
  });

  test("bytes as base64", () => {
    const told = recorded(new Uint8Array([0, 255]));
    assert.deepEqual(told, { headers: {}, body: "AP8=", bodyType: "byte[]", encoding: "base64" });
  });

  test("a list that is made while it is walked can be walked again", () => {
    const list = new LazyList(() => [1, 2][Symbol.iterator](), 1000);
    assert.deepEqual(recorded(list).body, [1, 2]);
    assert.deepEqual([...list], [1, 2]);
  });

  for (const [what, body] of Object.entries({ "what holds itself": cyclic, "what cannot be read": throwing })) {
    test(`${what} is told as text that is not whole`, () => {
      const told = recorded(body);
      assert.deepEqual([typeof told.body, told.cut], ["string", true]);
    });
  }

  test("only as much of a huge one as is kept", () => {
    let walked = 0;
    const endless = new LazyList(() => ({ next: () => ({ done: false, value: walked++ }) }), 1000);
    const huge = {
      text: "x".repeat(10_000_000),
      bytes: new Uint8Array(10_000_000),
      inside: { a: "x".repeat(10_000_000) },
      wide: new Array(100_000_000),
      endless,
      twoBytes: "é".repeat(most),
    };
    for (const [what, body] of Object.entries(huge)) {
      const told = recorded(body);
      assert.equal(told.cut, true, what);
      const bytes = Buffer.byteLength(String(told.body));
      assert.ok(bytes <= most && bytes > most * 0.9, `${what}: ${bytes}`);
    }
    assert.ok(walked < 2 * most, String(walked));
  });

  test("headers have half of the room, and what is left out is told", () => {
    const told = recorded("body", { headers: { a: "x".repeat(40_000), b: "y" } });
    assert.deepEqual([told.body, told.cut], ["body", true]);
    assert.ok(String(told.headers["a"]).length <= most / 2);
  });
});

suite("secrets", () => {
  const mask = secretMask(["s3cret-value", "98765432"]);

  const bodies: readonly (readonly [what: string, body: unknown, shown: unknown])[] = [
    [
      "values of secret names",
      { password: "x", tokens: [1], a: { apiKey: {} } },
      { password: "***", tokens: "***", a: { apiKey: "***" } },
    ],
    ["in text inside", ["token=abcd", "Bearer abcdefgh"], ["token=***", "Bearer ***"]],
    ["values of the flow's secrets", { a: "is s3cret-value", n: 98765432, o: 1 }, { a: "is ***", n: "***", o: 1 }],
    ["names", { "s3cret-value": 1 }, { "***": 1 }],
    ["text", "password=hunter2 s3cret-value", "password=*** ***"],
    ["a secret in pieces", ["s3cret", 5], ["s3cret", 5]],
  ];
  for (const [what, body, shown] of bodies) {
    test(what, () => {
      const told = recorded(body, { mask });
      assert.deepEqual(told.body, shown);
      assert.equal(told.redacted, what === "a secret in pieces" ? undefined : true);
    });
  }

  test("bytes, text or not", () => {
    const text = recorded(Buffer.from("token=abcd s3cret-value"), { mask });
    assert.equal(Buffer.from(String(text.body), "base64").toString(), "token=*** ***");
    const binary = recorded(Buffer.from("\xff\x00s3cret-value", "latin1"), { mask });
    assert.equal(Buffer.from(String(binary.body), "base64").toString("latin1"), "\xff\x00***");
    const inside = recorded({ b: Buffer.from("password=abcd") });
    assert.deepEqual([inside.body, inside.redacted], [{ b: Buffer.from("password=***").toString("base64") }, true]);
  });

  test("one that the cut would be in", () => {
    const told = recorded(`${"x".repeat(most - 4)}s3cret-value`, { mask });
    assert.ok(!String(told.body).includes("s3c"));
  });

  test("headers by name, properties too", () => {
    const { run } = anExchange({ sink: { mask } });
    const entries = Object.entries({ authorization: "x", plain: ["s3cret-value"], other: 1 });
    const { values, redacted } = recordedValues(entries, 1000, run);
    assert.deepEqual([values, redacted], [{ authorization: "***", plain: ["***"], other: 1 }, true]);
  });
});

test("attachments are listed within a quarter of the bytes, and the others are noted as cut", () => {
  const { message, run } = anExchange({});
  const part = { contentType: `text/${"x".repeat(300)}`, headers: [], content: new Uint8Array(3) };
  for (let i = 0; i < 150; i += 1) message.attachments.set(`a${i}`, part);
  const { attachments = [], cut } = recordedMessage(message, run);
  assert.ok(attachments.length > 10 && attachments.length < 150, String(attachments.length));
  assert.ok(JSON.stringify(attachments).length <= most / 4);
  assert.deepEqual(attachments[0], { name: "a0", contentType: part.contentType.slice(0, 200), bytes: 3 });
  assert.equal(cut, true);
});
