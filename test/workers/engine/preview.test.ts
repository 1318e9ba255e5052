/** Previews of messages: cut, redacted, and cheap for huge or odd bodies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { Headers } from "../../../src/workers/engine/headers.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { preview } from "../../../src/workers/engine/preview.ts";

function headersOf(entries: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers(defaultLimits);
  for (const [name, value] of Object.entries(entries)) headers.receive(name, value);
  return headers;
}

const none = headersOf({});
const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test("a small message is shown whole", () => {
  const shown = preview(headersOf({ a: "1", n: 2, list: [1, "x"] }), "hello", 4096);
  assert.deepEqual(shown, { headers: { a: "1", n: "2", list: '[1,"x"]' }, body: "hello", bodyType: "String" });
});

test("bodies of every type have a text and a Java type", () => {
  const table: readonly (readonly [unknown, string, string])[] = [
    [null, "", "null"],
    [12, "12", "Integer"],
    [1.5, "1.5", "Double"],
    [true, "true", "Boolean"],
    [new JsonText('{ "a": 1 }', { a: 1 }), '{ "a": 1 }', "String"],
    [{ a: [1, null, "x"], b: {} }, '{"a":[1,null,"x"],"b":{}}', "java.util.LinkedHashMap"],
    [[], "[]", "java.util.ArrayList"],
    [new TextEncoder().encode("grün"), "grün", "byte[]"],
    [new Uint8Array([255, 254, 0]), "[3 bytes]", "byte[]"],
  ];
  for (const [body, text, type] of table) {
    const shown = preview(none, body, 4096);
    assert.equal(shown.body, text);
    assert.equal(shown.bodyType, type);
  }
});

test("secrets in headers and bodies are hidden", () => {
  const shown = preview(headersOf({ Authorization: "Bearer abc", Cookie: "a=b" }), { password: ["x"], ok: 1 }, 4096);
  assert.deepEqual(shown.headers, { Authorization: "***", Cookie: "***" });
  assert.equal(shown.body, '{"password":"***","ok":1}');
  assert.equal(preview(none, '{"password": "abc"}', 4096).body, '{"password": "***"}');
});

test("a cut ends with ... and never splits a character", () => {
  const shown = preview(none, "ä€😀".repeat(1000), 100);
  assert.ok(Buffer.byteLength(shown.body) <= 103);
  assert.match(shown.body, /\.\.\.$/);
  assert.ok(shown.body.isWellFormed());
});

test("headers take at most half of the preview", () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`header${i}`, "v".repeat(60)]));
  const shown = preview(headersOf(many), "b".repeat(10_000), 4096);
  assert.ok(size(shown.headers) < 3000);
  assert.ok(shown.body.length >= 2000);
});

test("a huge or deep body is not rendered whole", () => {
  const wide: unknown[] = [];
  const shared = Array.from({ length: 1000 }, () => "x".repeat(1000));
  for (let i = 0; i < 1000; i++) wide.push(shared);
  assert.ok(preview(none, wide, 1000).body.length <= 1003);
  let deep: unknown = "end";
  for (let i = 0; i < 100_000; i++) deep = [deep];
  assert.ok(preview(none, deep, 1000).body.length <= 1003);
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  assert.ok(preview(none, cyclic, 1000).body.length <= 1003);
});
