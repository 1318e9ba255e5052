/** What the endpoints of steps do outside of the message, and which step is the last one with an effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { stepEffects } from "../../../src/shared/manifest.ts";
import { Turn, Turns } from "../../../src/workers/engine/attended/turn.ts";
import { Exchange } from "../../../src/workers/engine/exchange.ts";
import { Headers } from "../../../src/workers/engine/headers.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { Message } from "../../../src/workers/engine/message.ts";
import { Run } from "../../../src/workers/engine/run.ts";
import type { RunSink } from "../../../src/workers/engine/run-sink.ts";
import { compileYaml, routeOf } from "../../support/run-route.ts";

const sql = "dataSource=%23db";
const nowhere = "http://127.0.0.1:1";

/** A step, and its effect. */
const cases: readonly (readonly [step: string, effect: "reads" | "writes" | undefined])[] = [
  [`to: "sql:select * from orders where id = :#\${body}?${sql}"`, "reads"],
  [`to: "sql:insert into orders (id) values (:#\${body})?${sql}"`, "writes"],
  [`to: "sql:select * into copies from orders?${sql}"`, "writes"],
  [`to: "sql:with gone as (delete from orders returning id) select id from gone?${sql}"`, "writes"],
  [`to: "sql:select 1?useMessageBodyForSql=true&${sql}"`, "writes"],
  ['to: "http://example.com?httpMethod=GET"', "reads"],
  ['to: "http://example.com?httpMethod=POST"', "writes"],
  ['to: "http://example.com"', "writes"],
  ['to: "controlbus:route?routeId=main&action=status"', "reads"],
  ['to: "controlbus:route?routeId=main&action=stop"', "writes"],
  ['to: "kafka:orders?brokers=%23shop"', "writes"],
  ["to: direct:elsewhere", "writes"],
  ["to: log:x", undefined],
  ["to: mock:m", undefined],
  ["to: language:simple:a", undefined],
  ["setBody: { constant: x }", undefined],
  ['toD: { uri: "log:${header.name}" }', undefined],
  ['toD: { uri: "http://example.com/${header.id}?httpMethod=GET" }', "writes"],
  ['toD: { uri: "${header.to}" }', "writes"],
  ['recipientList: { constant: "log:a,mock:b" }', undefined],
  ['pollEnrich: { constant: "http://example.com" }', "reads"],
  ['pollEnrich: { constant: "file:in" }', "writes"],
];

for (const [step, effect] of cases) {
  test(`${effect ?? "no effect"}: ${step}`, async () => {
    const { manifest } = await withModules(() => compileYaml(routeOf(`- ${step}`)));
    assert.deepEqual(Object.values(stepEffects(manifest.steps)), effect === undefined ? [] : [effect]);
  });
}

/** Whether a step is the last one with an effect, when these steps follow it. What it sends does not arrive. */
async function isLastBefore(step: string, ...behind: readonly string[]): Promise<boolean> {
  const steps = [step, ...behind].map((one) => `{ ${one} }`).join(", ");
  const inner = `- route: { id: inner, from: { uri: "direct:inner", steps: [{ to: "${nowhere}" }, { to: "${nowhere}" }] } }`;
  const flow = await withModules(() =>
    compileYaml(`- route: { from: { uri: "seda:in", steps: [${steps}] } }\n${inner}\n`),
  );
  const sink = {
    interest: 0,
    logLevel: 9,
    recordSteps: false,
    enter() {},
    log() {},
  } as unknown as RunSink<Exchange>;
  const run = new Run(sink, defaultLimits, 0, 0);
  run.turn = new Turn(new Turns(), undefined);
  await run.turn.begin();
  let isLast = false;
  Object.defineProperty(run, "isLast", {
    get: () => isLast,
    set: (value: boolean) => {
      isLast ||= value;
    },
  });
  const message = new Message(defaultLimits, new Headers(defaultLimits), "body");
  const process = async (): Promise<void> => flow.route(0).processor(new Exchange(run, flow.route(0).id, message));
  await process().catch(() => {});
  return isLast;
}

test("a step that logs or changes the message alone may stand behind the last one with an effect", async () => {
  const send = `to: "${nowhere}"`;
  assert.equal(await isLastBefore(send), true);
  assert.equal(await isLastBefore(send, "to: log:sent", "setBody: { constant: x }", "to: mock:end"), true);
  assert.equal(await isLastBefore(send, "to: direct:other"), false);
  assert.equal(await isLastBefore(send, 'toD: { uri: "log:${body}" }'), false);
});

test("another route of the flow is not the last of a run before it has ended", async () => {
  assert.equal(await isLastBefore("to: direct:inner"), false);
});
