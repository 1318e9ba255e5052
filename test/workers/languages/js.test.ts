/** js and the script step: what a script sees and changes, and what it cannot do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asText } from "../../../src/workers/engine/convert.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { turn } from "../../support/clock.ts";
import { routeOf, runRoute } from "../../support/run-route.ts";
import { exchangeAfter, failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

const order = new JsonText('{"orderNo": 7, "lines": [1]}', { orderNo: 7, lines: [1] });
const route = { body: order, headers: { Foo: "bar" }, properties: { p: "q" }, variables: { v: 1 } };

test("the result is the last value, as JSON has it", async () => {
  const cases: readonly (readonly [script: string, value: unknown])[] = [
    ["body.orderNo * 2", 14],
    ["JSON.parse(body).orderNo", 7],
    ["let sum = 0; for (const line of body.lines) sum += line; ({ sum })", { sum: 1 }],
    ["headers.foo + headers['FOO'] + headers.get('foo') + message.getHeader('Foo')", "barbarbarbar"],
    ["properties.p + exchangeProperties.p + exchange.getProperty('p')", "qqq"],
    ["variables.v + exchange.getVariable('v')", 2],
    ["exchange.getMessage().getBody() === message.body && exchange.getIn() === message", true],
    ["10n", 10],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["(async () => { await null; return 5 })()", 5],
    ["undefined", null],
    ["(() => 1)", null],
  ];
  for (const [script, value] of cases) assert.deepEqual(await resultOf("js", script, route), value, script);
  assert.equal(await resultOf("js", "body + '!'", { body: new Uint8Array([104, 105]) }), "hi!");
  assert.equal(await resultOf("js", "'7'", { options: { resultType: "Integer" } }), 7);
  assert.equal(await holds("js", "body.orderNo > 5 && headers.Foo === 'bar'", route), true);
});

test("the script step writes back what the script sets", async () => {
  const script = `
    message.setHeader("A", { x: 1 });
    delete headers.Foo;
    exchange.setProperty("p", null);
    variables.v += 1;
    exchange.getMessage().setBody({ was: body.orderNo });
    "dropped"`;
  const yaml = routeOf(`- script: ${JSON.stringify({ js: script })}`);
  const { exchange, error } = await runRoute(yaml, route);
  assert.equal(error, undefined);
  assert.deepEqual(
    [...exchange.message.headers.entries()].map(([name, value]) => [name, asText(value)]),
    [["A", '{"x":1}']],
  );
  assert.deepEqual(exchange.message.value, { was: 7 });
  assert.equal(exchange.properties.has("p"), false);
  assert.equal(exchange.variables.get("v"), 2);
});

test("a body that is changed in place is written back, an untouched one stays as it came", async () => {
  assert.deepEqual((await exchangeAfter("js", "body.lines.push(2)", route)).message.value, {
    orderNo: 7,
    lines: [1, 2],
  });
  assert.equal((await exchangeAfter("js", "body.lines.length", route)).message.body, order);
  assert.equal((await exchangeAfter("js", "message.body = 'new'", route)).message.body, "new");
});

test("console writes to the flow's log", async () => {
  const { logs } = await runRoute(
    routeOf(`- script: ${JSON.stringify({ js: "console.log('n', body.orderNo, {a: 1}); console.warn('w')" })}`),
    route,
  );
  assert.deepEqual(
    logs.map(({ level, message }) => `${level} ${message}`),
    ['INFO n 7 {"a":1}', "WARN w"],
  );
});

test("a script's exception fails the step, with its line", async () => {
  assert.equal(
    await failureOf("js", "1;\nthrow new TypeError('bad')", route),
    "ScriptException: TypeError: bad (line 2 of the script)",
  );
  assert.match((await failureOf("js", "throw { a: 1 }", route)) ?? "", /an object was thrown/);
  assert.match((await failureOf("js", "const o = {}; o.o = o; o", route)) ?? "", /circular reference/);
  assert.match((await failureOf("js", "new Promise(() => {})", route)) ?? "", /never settled/);
  assert.match(await refusalOf("js", "let a = ;"), /SyntaxError: unexpected token/);
});

test("each evaluation has a scope of its own", async () => {
  await resultOf("js", "globalThis.seen = 1; Array.prototype.map = null; JSON.stringify = () => 'x'; 1", route);
  assert.deepEqual(await resultOf("js", "[typeof seen, [1].map((x) => x + 1)]", route), ["undefined", [2]]);
});

test("a script has no process, no modules, no network, no timers", async () => {
  const names = ["process", "require", "fetch", "setTimeout", "WebAssembly", "Buffer", "std", "os"];
  assert.deepEqual(
    await resultOf("js", `[${names.map((name) => `typeof ${name}`)}]`, route),
    names.map(() => "undefined"),
  );
  assert.match((await failureOf("js", "import('node:fs')", route)) ?? "", /ScriptException/);
});

test("every script ends: in time, in memory, in depth; the next one finds a working interpreter", async () => {
  const limits = { scriptMs: 200 };
  const endless = [
    "for (;;);",
    "for (;;) { try { throw 1 } catch {} }",
    "const a = []; for (;;) a.push(new Uint8Array(1048576))",
    "(function f() { return f() + 1 })()",
    "/^(a+)+$/.test('a'.repeat(40) + '!')",
    "JSON.parse('['.repeat(100000))",
    "'x'.repeat(12000000)",
  ];
  for (const script of endless) {
    assert.match(
      (await failureOf("js", script, { ...route, limits })) ?? "",
      /^(LimitExceeded|Script)Exception/,
      script,
    );
    // An instance that failed inside of the host is replaced in a later turn of the loop.
    await turn();
    assert.equal(await resultOf("js", "1 + 1", { ...route, limits: { scriptMs: 30_000 } }), 2, script);
  }
});
