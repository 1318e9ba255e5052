/** The log component prints as Camel 4.22 does and never changes the message. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileYaml, type RouteOptions, routeOf, runSteps } from "../../support/run-route.ts";

async function printed(uri: string, options: RouteOptions = {}): Promise<string | undefined> {
  const { logs, exchange } = await runSteps(`- to: "${uri}"`, options);
  assert.equal(exchange.message.written, false);
  return logs[0]?.message;
}

const hello: RouteOptions = {
  body: "hello",
  headers: { b: "2", A: "1", Authorization: "Bearer x" },
  properties: { p: 1 },
  variables: { v: { n: 1 } },
};

const table: readonly (readonly [query: string, text: string])[] = [
  ["", "Exchange[ExchangePattern: InOnly, BodyType: String, Body: hello]"],
  ["?showExchangePattern=true", "Exchange[ExchangePattern: InOnly, BodyType: String, Body: hello]"],
  ["?showBodyType=false", "Exchange[Body: hello]"],
  ["?showBody=false&showHeaders=true", "Exchange[Headers: {A=1, Authorization=***, b=2}, BodyType: String]"],
  [
    "?showProperties=true&showVariables=true&showBody=false",
    'Exchange[Properties: {p=1}, Variables: {v={"n":1}}, BodyType: String]',
  ],
  ["?showRouteId=true&showBody=false", "Exchange[RouteId: main, BodyType: String]"],
  ["?plain=true", "hello"],
  ["?showException=true", "Exchange[BodyType: String, Body: hello]"],
  ["?style=Tab", "Exchange[\tBodyType: String\tBody: hello]"],
  ["?style=Fixed", `Exchange[\tBodyType            String\tBody                hello]`],
  ["?multiline=true", "Exchange[\n  BodyType: String\n  Body: hello\n]"],
];

for (const [query, text] of table) {
  test(`log:x${query}`, async () => assert.equal(await printed(`log:x${query}`, hello), text));
}

test("showAll shows all parts in Camel's order", async () => {
  const text = (await printed("log:x?showAll=true", hello)) ?? "";
  const labels = [...text.matchAll(/(?:\[|, )([A-Z]\w+): /g)].map(([, label]) => label);
  assert.deepEqual(labels, [
    "Id",
    "RouteId",
    "ExchangePattern",
    "Properties",
    "Variables",
    "Headers",
    "BodyType",
    "Body",
  ]);
});

test("showExchangeId shows the id of the exchange", async () => {
  const { logs, exchange } = await runSteps("- to: log:x?showExchangeId=true&showBody=false&showBodyType=false", hello);
  assert.equal(logs[0]?.message, `Exchange[Id: ${exchange.id}]`);
});

test("bodies: null, types, line breaks, and the limit of characters", async () => {
  assert.equal(await printed("log:x"), "Exchange[ExchangePattern: InOnly, BodyType: null, Body: [Body is null]]");
  assert.equal(
    await printed("log:x", { body: [1, "a"] }),
    "Exchange[ExchangePattern: InOnly, BodyType: java.util.ArrayList, Body: [1, a]]",
  );
  assert.equal(
    await printed("log:x", { body: "a\nb" }),
    "Exchange[ExchangePattern: InOnly, BodyType: String, Body: ab]",
  );
  assert.equal(
    await printed("log:x?skipBodyLineSeparator=false", { body: "a\nb" }),
    "Exchange[BodyType: String, Body: a\nb]",
  );
  const long = { body: "0123456789".repeat(10) };
  assert.equal(
    await printed("log:x?plain=true&maxChars=20", long),
    `${"0123456789".repeat(2)}... [Body clipped after 20 chars, total length is 100]`,
  );
  assert.equal(await printed("log:x?maxChars=20", { body: "0123456789" }), "Exchange[BodyType: String, ...]");
});

test("a caught exception is shown from its property", async () => {
  const properties = { CamelExceptionCaught: new RangeError("out") };
  assert.equal(
    await printed("log:x?showCaughtException=true&showBody=false&showBodyType=false", { properties }),
    "Exchange[CaughtExceptionType: java.lang.IllegalArgumentException, CaughtExceptionMessage: out]",
  );
});

test("logger and level are as given; a level that is off prints nothing", async () => {
  const { logs } = await runSteps("- to: { uri: log, parameters: { loggerName: orders, level: WARN } }");
  assert.deepEqual(
    logs.map(({ logger, level }) => [logger, level]),
    [["orders", "WARN"]],
  );
  assert.equal(await printed("log:x?level=OFF"), undefined);
  assert.equal(await printed("log:x?level=DEBUG", { logLevel: "INFO" }), undefined);
});

test("options that would do nothing here are refused", () => {
  for (const option of ["logMask=false", "groupSize=5", "showStreams=true", "showStackTrace=true"]) {
    assert.throws(() => compileYaml(routeOf(`- to: "log:x?${option}"`)), /leave|logger|showException/, option);
  }
  compileYaml(routeOf('- to: "log:x?logMask=true"'));
});
