/** The wireTap step: a copy goes its way in a run of its own (Camel: WireTapTest, WireTapNewExchangeTest, WireTapShutdownBeanTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { beginRoute, modelOf, routeOf, runRoute, runSteps } from "../../support/run-route.ts";

/** A route `main` with these steps, and one behind `direct:audit`. */
function tapping(steps: string, audit: string): string {
  const audited = audit.split("\n").map((line) => `        ${line}`);
  return `${routeOf(steps)}- route:\n    id: audit\n    from:\n      uri: direct:audit\n      steps:\n${audited.join("\n")}\n`;
}

test("the message goes on at once and unchanged, and the tap has a copy with an id of its own", async () => {
  const yaml = tapping(
    '- setHeader: { name: shared, constant: "1" }\n- wireTap: direct:audit\n- setBody: { constant: after }\n- setHeader: { name: later, constant: "x" }',
    '- delay: { constant: "5" }\n- setHeader: { name: tapped, constant: "y" }\n- setBody: { simple: "tapped ${body}" }',
  );
  const begun = beginRoute(yaml, { body: "before", properties: { CamelCorrelationId: "parent", mine: "p" } });
  assert.equal(begun.synchronous, true);
  const { exchange } = await begun.outcome;
  const [tap] = await begun.announced.settled();
  const copy = tap?.exchange;
  assert.equal(exchange.message.body, "after");
  assert.equal(exchange.message.headers.get("tapped"), undefined);
  assert.equal(copy?.message.body, "tapped before");
  assert.equal(copy?.message.headers.get("shared"), "1");
  assert.equal(copy?.message.headers.get("later"), undefined);
  assert.equal(copy?.properties.get("mine"), "p");
  assert.equal(copy?.properties.get("CamelCorrelationId"), undefined);
  assert.notEqual(copy?.id, exchange.id);
  assert.equal(copy?.pattern, "InOnly");
  assert.notEqual(copy?.run, begun.run);
  assert.deepEqual([tap?.cause, tap?.uri, tap?.parent], ["wireTap", "direct:audit", begun.run]);
});

test("the body is shared, not copied", async () => {
  const body = new Map([["a", 1]]);
  const { announced } = await runSteps("- wireTap: mock:audit", { body });
  const [tap] = await announced.settled();
  assert.equal(tap?.exchange?.message.body, body);
});

test("a tap that fails does not touch the message", async () => {
  const yaml = tapping(
    "- wireTap: direct:audit\n- setBody: { constant: fine }",
    "- throwException: { exceptionType: java.io.IOException, message: broken }",
  );
  const { error, exchange, announced } = await runRoute(yaml);
  const [tap] = await announced.settled();
  assert.equal(error, undefined);
  assert.equal(exchange.message.body, "fine");
  assert.match(String(tap?.error), /broken/);
});

test("the URI is a template, made out of the copy in the tap's own run", async () => {
  const steps =
    '- wireTap: "log:${header.to}"\n- setHeader: { name: to, constant: changed }\n- wireTap: "nothing:${header.to}"';
  const { error, logs, announced } = await runSteps(steps, { headers: { to: "first" } });
  const taps = await announced.settled();
  assert.equal(error, undefined);
  assert.equal(logs[0]?.logger, "first");
  const failed = taps.find(({ uri }) => uri === "nothing:${header.to}");
  assert.match(String(failed?.error), /no component 'nothing'/);
});

test("ignoreInvalidEndpoint and allowedSchemes are the tap's, too", async () => {
  const wrong = '- wireTap: { uri: "nothing:${header.to}", ignoreInvalidEndpoint: true }';
  const [ignored] = await (await runSteps(wrong)).announced.settled();
  assert.equal(ignored?.error, undefined);
  const narrow = '- wireTap: { uri: "log:${body}", allowedSchemes: "direct,seda" }';
  const [refused] = await (await runSteps(narrow, { body: "x" })).announced.settled();
  assert.match(String(refused?.error), /allowedSchemes/);
});

test("a URI without a template, or with dynamicUri=false, is refused when the flow is checked", () => {
  assert.throws(() => modelOf(routeOf("- wireTap: nothing:here")), /no component 'nothing'/);
  assert.throws(() => modelOf(routeOf("- wireTap: { uri: webhook }")), /can only stand in 'from'/);
  assert.throws(() => modelOf(routeOf('- wireTap: { uri: "log:x?level=${body}", dynamicUri: false }')), /level/);
});

test("copy=false sends a new, empty exchange", async () => {
  const steps = "- wireTap: { uri: mock:audit, copy: false }";
  const { announced } = await runSteps(steps, { body: "secret", headers: { a: "1" }, properties: { p: "1" } });
  const [tap] = await announced.settled();
  assert.equal(tap?.exchange?.message.body, null);
  assert.deepEqual([...(tap?.exchange?.message.headers.entries() ?? [])], []);
  assert.equal(tap?.exchange?.properties.has("p"), false);
});

test("parameters and variableSend reach the endpoint", async () => {
  const steps = "- wireTap: { uri: log:tapped, parameters: { showHeaders: true }, variableSend: v }";
  const { logs, announced } = await runSteps(steps, { body: "b", headers: { h: "1" }, variables: { v: "from v" } });
  await announced.settled();
  assert.match(logs[0]?.message ?? "", /Headers: \{h=1\}.*Body: from v/);
});

test("a tap that finds no place among the announced runs fails its step", async () => {
  const { error, failedStep } = await runSteps("- wireTap: mock:a\n- wireTap: mock:b", {
    limits: { announcedRuns: 1 },
  });
  assert.match(String(error), /1 messages wait/);
  assert.equal(failedStep, "wireTap2");
});

test("options that cannot have an effect are refused", () => {
  for (const option of ["executorService: x", "variableReceive: x"]) {
    assert.throws(() => modelOf(routeOf(`- wireTap: { uri: mock:a, ${option} }`)), /leave it out|first steps prepare/);
  }
});
