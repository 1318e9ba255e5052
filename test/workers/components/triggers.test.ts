/** What `from` endpoints ask of control. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trigger } from "../../../src/shared/manifest.ts";
import { compileYaml, runRoute } from "../../support/run-route.ts";

function trigger(uri: string): Trigger | undefined {
  return compileYaml(`- route: { id: r, from: { uri: "${uri}", steps: [{ log: m }] } }`).manifest.routes[0]?.trigger;
}

const camelDefaults = {
  periodMs: 1000,
  delayMs: 1000,
  repeatCount: 0,
  fixedRate: false,
  includeMetadata: false,
  overlap: "skip",
};

test("a timer has Camel's defaults and reads durations", () => {
  assert.deepEqual(trigger("timer:tick"), { kind: "timer", name: "tick", ...camelDefaults });
  assert.deepEqual(
    trigger("timer:tick?period=1m30s&delay=0&repeatCount=3&fixedRate=true&includeMetadata=true&overlap=queue"),
    {
      kind: "timer",
      name: "tick",
      periodMs: 90_000,
      delayMs: 0,
      repeatCount: 3,
      fixedRate: true,
      includeMetadata: true,
      overlap: "queue",
    },
  );
});

test("a timer's name may be given as timerName or name", () => {
  for (const key of ["timerName", "name"]) {
    const yaml = `- from: { uri: timer, parameters: { ${key}: tick }, steps: [{ log: m }] }`;
    assert.equal((compileYaml(yaml).manifest.routes[0]?.trigger as { name: string }).name, "tick");
  }
  assert.throws(() => trigger("timer:a?name=b"), /two names/);
  assert.throws(() => trigger("timer"), /needs a name|timerName/);
});

test("periods that no clock can keep are refused", () => {
  for (const period of ["0", "-1", "9", "soon"])
    assert.throws(() => trigger(`timer:t?period=${period}`), /period/, period);
  assert.throws(() => trigger("timer:t?delay=-1"), /delay/);
  assert.throws(() => trigger("timer:t?time=2026-01-01"), /not possible yet/);
  assert.deepEqual(trigger("timer:t?repeatCount=-1"), { kind: "timer", name: "t", ...camelDefaults });
});

test("webhook and platform-http answer at the route's own place only", () => {
  assert.deepEqual(trigger("webhook"), { kind: "webhook" });
  assert.deepEqual(trigger("platform-http"), { kind: "webhook" });
  assert.throws(() => trigger("webhook:orders"), /\/api\/<route id>/);
  assert.throws(() => trigger("platform-http:/orders"), /not possible yet/);
});

test("direct has a name, and may be shared", () => {
  assert.deepEqual(trigger("direct:a"), { kind: "direct", name: "a", shared: false });
  assert.deepEqual(trigger("direct:a?shared=true"), { kind: "direct", name: "a", shared: true });
  assert.throws(() => trigger("direct:a?failIfNoConsumers=false"), /belong to the caller/);
});

test("a component on the wrong side is refused", () => {
  assert.throws(() => trigger("log:x"));
  assert.throws(() => compileYaml('- from: { uri: "direct:a", steps: [{ to: "timer:t" }] }'));
  assert.throws(
    () => compileYaml('- from: { uri: "direct:a", steps: [{ to: "direct:b?shared=true" }] }'),
    /in its 'from'/,
  );
});

test("mock lets the message pass unchanged", async () => {
  const { exchange } = await runRoute('- from: { uri: "direct:a", steps: [{ to: "mock:m" }] }', { body: "x" });
  assert.equal(exchange.message.body, "x");
  assert.equal(exchange.message.written, false);
  assert.throws(
    () => compileYaml('- from: { uri: "direct:a", steps: [{ to: "mock:m?retainFirst=1" }] }'),
    /test session/,
  );
});
