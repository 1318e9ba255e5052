/** `convertBodyTo`, `convertHeaderTo` and `convertVariableTo`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { runSteps } from "../../support/run-route.ts";

test("a body becomes another type; null stays null and is not written", async () => {
  for (const type of ["int", "java.lang.Integer", "Integer"]) {
    const { exchange } = await runSteps(`- convertBodyTo: ${type}`, { body: "12" });
    assert.equal(exchange.message.body, 12);
  }
  const json = await runSteps("- convertBodyTo: String", { body: new JsonText('{ "a": 1 }', { a: 1 }) });
  assert.equal(json.exchange.message.body, '{ "a": 1 }');
  const nothing = await runSteps("- convertBodyTo: int");
  assert.equal(nothing.error, undefined);
  assert.equal(nothing.exchange.message.written, false);
});

test("a body that cannot be converted is an InvalidPayloadException whose cause is what failed", async () => {
  const text = await runSteps("- convertBodyTo: java.lang.Integer", { body: "x" });
  assert.equal(exceptionType(text.error), "org.apache.camel.InvalidPayloadException");
  assert.match(
    exceptionMessage(text.error),
    /^No body available of type: java\.lang\.Integer but has type: java\.lang\.String on: Message\. Caused by: .*Exchange\[/,
  );
  assert.equal(exceptionType((text.error as Error).cause), "org.apache.camel.TypeConversionException");
  const map = await runSteps("- convertBodyTo: java.lang.Integer", { body: { a: 1 } });
  assert.equal(exceptionType((map.error as Error).cause), "org.apache.camel.NoTypeConversionAvailableException");
  assert.deepEqual(map.exchange.message.body, { a: 1 });
});

test("mandatory false: without a converter null, a failing one fails all the same", async () => {
  const map = await runSteps("- convertBodyTo: { type: int, mandatory: false }", { body: { a: 1 } });
  assert.equal(map.error, undefined);
  assert.equal(map.exchange.message.body, null);
  const text = await runSteps("- convertBodyTo: { type: int, mandatory: false }", { body: "x" });
  assert.equal(exceptionType(text.error), "org.apache.camel.TypeConversionException");
});

test("charset is how bytes become text and text bytes", async () => {
  const cases: readonly (readonly [charset: string, text: string, bytes: readonly number[]])[] = [
    ["utf-8", "\u00e4", [0xc3, 0xa4]],
    ["ISO-8859-1", "\u00e4", [0xe4]],
    ["windows-1252", "\u20ac", [0x80]],
    ["ISO-8859-15", "\u20ac", [0xa4]],
    ["UTF-16", "a", [0xfe, 0xff, 0, 0x61]],
    ["UTF-16LE", "a", [0x61, 0]],
  ];
  for (const [charset, text, bytes] of cases) {
    const out = await runSteps(`- convertBodyTo: { type: "byte[]", charset: ${charset} }`, { body: text });
    assert.deepEqual([...(out.exchange.message.body as Uint8Array)], bytes, charset);
    const back = await runSteps(`- convertBodyTo: { type: String, charset: ${charset} }`, {
      body: new Uint8Array(bytes),
    });
    assert.equal(back.exchange.message.body, text, charset);
  }
  const marked = await runSteps("- convertBodyTo: { type: String, charset: UTF-16 }", {
    body: new Uint8Array([0xff, 0xfe, 0x61, 0]),
  });
  assert.equal(marked.exchange.message.body, "a");
  const lost = await runSteps('- convertBodyTo: { type: "byte[]", charset: US-ASCII }', { body: "a\u00e4" });
  assert.deepEqual([...(lost.exchange.message.body as Uint8Array)], [0x61, 0x3f]);
});

test("a header is converted in place or to another name; a missing one stays missing", async () => {
  const steps = `- convertHeaderTo: { name: a, type: int }
- convertHeaderTo: { name: "\${body}", type: int, toName: "to-\${body}" }
- convertHeaderTo: { name: missing, type: int, toName: never }`;
  const { exchange, error } = await runSteps(steps, { body: "b", headers: { a: "1", b: "2" } });
  assert.equal(error, undefined);
  assert.deepEqual(Object.fromEntries(exchange.message.headers.entries()), { a: 1, b: "2", "to-b": 2 });
});

test("a header that cannot be converted fails with the conversion's own exception", async () => {
  const text = await runSteps("- convertHeaderTo: { name: h, type: int }", { headers: { h: "z" } });
  assert.equal(exceptionType(text.error), "org.apache.camel.TypeConversionException");
  const map = await runSteps("- convertHeaderTo: { name: h, type: int }", { headers: { h: { a: 1 } } });
  assert.equal(exceptionType(map.error), "org.apache.camel.NoTypeConversionAvailableException");
  assert.match(
    exceptionMessage(map.error),
    /from type: java\.util\.LinkedHashMap to the required type: java\.lang\.Integer$/,
  );
  const lenient = await runSteps("- convertHeaderTo: { name: h, type: int, mandatory: false }", {
    headers: { h: { a: 1 } },
  });
  assert.equal(lenient.exchange.message.headers.get("h"), null);
});

test("a variable is converted in place or to another name; without a converter it is removed", async () => {
  const steps = `- convertVariableTo: { name: v, type: int, toName: w }
- convertVariableTo: { name: m, type: int, mandatory: false }
- convertVariableTo: { name: missing, type: int }`;
  const { exchange, error } = await runSteps(steps, { variables: { v: "12", m: { a: 1 } } });
  assert.equal(error, undefined);
  assert.deepEqual(Object.fromEntries(exchange.variables), { v: "12", w: 12 });
});

test("types and character sets that are not known are refused when the flow is checked", async () => {
  await assert.rejects(
    runSteps("- convertBodyTo: com.acme.Order"),
    /option 'type' of step 'convertBodyTo': a type that this runtime knows/,
  );
  await assert.rejects(
    runSteps("- convertHeaderTo: { name: a, type: Strin }"),
    /option 'type' of step 'convertHeaderTo'/,
  );
  await assert.rejects(
    runSteps("- convertBodyTo: { type: String, charset: klingon }"),
    /the character set 'klingon' is not here/,
  );
});
