/** The loop step (Camel: LoopTest, AsyncLoopCopyTest, LoopDoWhileTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repeatRoute } from "../../support/repeat-route.ts";
import { beginRoute, compileYaml, routeOf, runSteps } from "../../support/run-route.ts";

const append = '- setBody: { simple: "${body}A" }';

function loop(options: string, ...steps: readonly string[]): string {
  return `- loop:\n    ${options.replaceAll("\n", "\n    ")}\n    steps:\n${steps.map((step) => `      ${step}\n`).join("")}`;
}

for (const [count, turns] of [
  ['constant: "8"', 8],
  ["header: times", 6],
  ['simple: "${exchangeProperty.none.size()}"', undefined],
  ['constant: "invalid"', undefined],
  ["header: missing", undefined],
  ['constant: "0"', 0],
  ['constant: "-1"', 0],
] as const) {
  test(`a loop of ${count} has ${turns ?? "no number of"} turns`, async () => {
    const { exchange, error } = await runSteps(loop(count, append), { body: "", headers: { times: "6" } });
    assert.equal(error === undefined, turns !== undefined, String(error));
    if (turns !== undefined) assert.equal(exchange.message.body, "A".repeat(turns));
  });
}

test("a turn finds its index and the size, and sees what the turn before left", async () => {
  const place = "${exchangeProperty.CamelLoopIndex}/${exchangeProperty.CamelLoopSize}";
  const { logs } = await runSteps(loop('constant: "3"', append, `- log: "${place} \${body}"`), { body: "" });
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["0/3 A", "1/3 AA", "2/3 AAA"],
  );
});

test("with copy each turn begins with the message as it came, and the last one's result goes on", async () => {
  const steps = loop(
    'constant: "3"\ncopy: true',
    append,
    '- setHeader: { name: turn, simple: "${exchangeProperty.CamelLoopIndex}" }',
  );
  const { exchange } = await runSteps(steps, { body: "x" });
  assert.equal(exchange.message.body, "xA");
  assert.equal(exchange.message.headers.get("turn"), 2);
});

test("with copy a failed turn leaves its message to the error handler, a stop ends the route", async () => {
  const failing = loop(
    'constant: "3"\ncopy: true',
    append,
    "- throwException: { exceptionType: java.io.IOException, message: no }",
  );
  const failed = await runSteps(failing, { body: "x" });
  assert.match(String(failed.error), /no/);
  assert.equal(failed.exchange.message.body, "xA");
  const stopped = await runSteps(`${loop('constant: "3"\ncopy: true', append, "- stop: {}")}- log: never`, {
    body: "x",
  });
  assert.equal(stopped.exchange.message.body, "xA");
  assert.deepEqual(stopped.logs, []);
});

test("doWhile asks its predicate before each turn", async () => {
  const steps = loop('simple: "${body.length} < 5"\ndoWhile: true', append);
  assert.equal((await runSteps(steps, { body: "A" })).exchange.message.body, "AAAAA");
  assert.equal((await runSteps(steps, { body: "AAAAAAA" })).exchange.message.body, "AAAAAAA");
  const copying = loop('simple: "${body.length} < 3"\ndoWhile: true\ncopy: true', append, append);
  assert.equal((await runSteps(copying, { body: "A" })).exchange.message.body, "AAA");
});

test("a stop ends the loop and the route", async () => {
  const { logs } = await runSteps(`${loop('constant: "3"', "- log: turn", "- stop: {}")}- log: never`);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["turn"],
  );
});

test("a loop has at most so many turns as its limit says", async () => {
  const limits = { loopIterations: 20 };
  const tooMany = await runSteps(loop('constant: "21"', append), { body: "", limits });
  assert.match(String(tooMany.error), /at most 20 turns/);
  assert.equal(tooMany.exchange.message.body, "");
  const endless = await runSteps(loop('constant: "true"\ndoWhile: true', append), { body: "", limits });
  assert.match(String(endless.error), /at most 20 turns/);
  assert.equal(endless.exchange.message.body, "A".repeat(20));
});

test("the greatest loop of steps that do not wait is synchronous", () => {
  const steps = loop('constant: "100000"', '- setProperty: { name: at, simple: "${exchangeProperty.CamelLoopIndex}" }');
  const begun = beginRoute(routeOf(steps));
  assert.equal(begun.synchronous, true);
  assert.equal(begun.exchange.properties.get("at"), 99_999);
});

test("a loop of turns that wait does not grow the stack, and a cancel ends it", async () => {
  const sometimes =
    "{ simple: '${exchangeProperty.CamelLoopIndex} regex \".*7..\"', steps: [{ delay: { constant: 1 } }] }";
  const waiting = await runSteps(loop('constant: "20000"', `- filter: ${sometimes}`));
  assert.equal(waiting.error, undefined);
  assert.equal(waiting.exchange.properties.get("CamelLoopIndex"), 19_999);
  const begun = beginRoute(routeOf(loop('constant: "3"', '- delay: { constant: "3600000" }')));
  begun.run.cancel("redeploy");
  const { error } = await begun.outcome;
  assert.match(String(error), /cancelled: redeploy/);
});

test("breakOnShutdown ends the loop when the flow is stopped", async () => {
  const flow = repeatRoute(loop('constant: "1000"\nbreakOnShutdown: true', append, '- delay: { constant: "1" }'));
  const { exchange, error } = flow.send("");
  flow.halt();
  assert.equal(await error, undefined);
  assert.equal(exchange.message.body, "A");
});

test("onPrepare is an address, or a bean that is a processor", () => {
  for (const [reference, refusal] of [
    ["mine", /there is no bean 'mine': write the address of a route/],
    ["'#class:org.acme.Mine'", /'org.acme.Mine' is a class of the JVM/],
    ["'timer:t'", /timer/],
  ] as const) {
    assert.throws(() => compileYaml(routeOf(`- loop: { constant: "1", onPrepare: ${reference} }`)), refusal);
  }
});
