/** The idempotentConsumer step (Camel: IdempotentConsumerTest, IdempotentConsumerAsyncTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Repeated, repeatRoute } from "../../support/repeat-route.ts";
import { compileYaml, routeOf } from "../../support/run-route.ts";

const type = "org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository";
const duplicate = '- log: "${body} ${exchangeProperty.CamelDuplicateMessage}"';

function consumer(options: string, ...steps: readonly string[]): string {
  const given = `header: id, idempotentRepository: "#class:${type}"${options === "" ? "" : `, ${options}`}`;
  const inner = (steps.length === 0 ? [duplicate] : steps).map((step) => step.replace(/^- /, "{ ").concat(" }"));
  return `- idempotentConsumer: { ${given}, steps: [${inner.join(", ")}] }`;
}

async function sendAll(flow: Repeated, ids: readonly (string | number | null)[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const [at, id] of ids.entries()) errors.push((await flow.run(`m${at}`, { id })).error);
  return errors;
}

test("a key that comes again passes by; what follows the block runs for all", async () => {
  const flow = repeatRoute(`${consumer("")}\n- log: after`);
  await sendAll(flow, ["1", "2", "1", 2, "1", "3"]);
  assert.deepEqual(
    flow.logs.filter((line) => line !== "after"),
    ["m0 ", "m1 ", "m5 "],
  );
  assert.equal(flow.logs.filter((line) => line === "after").length, 6);
});

test("with skipDuplicate=false a duplicate is marked and runs", async () => {
  const flow = repeatRoute(consumer("skipDuplicate: false"));
  await sendAll(flow, ["1", "2", "1", "2"]);
  assert.deepEqual(flow.logs, ["m0 ", "m1 ", "m2 true", "m3 true"]);
});

test("no key is an error", async () => {
  const [error] = await sendAll(repeatRoute(consumer("")), [null]);
  assert.equal((error as { type?: string }).type, "org.apache.camel.processor.idempotent.NoMessageIdException");
});

const failing = [
  '- log: "${body}"',
  '- filter: { simple: "${header.id} == 2", steps: [{ throwException: { exceptionType: java.io.IOException } }] }',
];

for (const [options, runs] of [
  ["", ["m0", "m1", "m2"]],
  ["eager: false", ["m0", "m1", "m2"]],
  ["completionEager: true", ["m0", "m1", "m2"]],
  ["removeOnFailure: false", ["m0", "m1"]],
  ["eager: false, removeOnFailure: false", ["m0", "m1", "m2"]],
] as const) {
  test(`a failed message ${runs.length === 3 ? "may come again" : "is seen as done"} with ${options || "the defaults"}`, async () => {
    const flow = repeatRoute(consumer(options, ...failing));
    await sendAll(flow, ["1", "2", "2", "1"]);
    assert.deepEqual(flow.logs, runs);
  });
}

test("a failure after the block counts unless completionEager is set", async () => {
  const later = "\n- throwException: { exceptionType: java.io.IOException }";
  const late = repeatRoute(consumer("") + later);
  await sendAll(late, ["1", "1"]);
  assert.deepEqual(late.logs, ["m0 ", "m1 "]);
  const eager = repeatRoute(consumer("completionEager: true") + later);
  await sendAll(eager, ["1", "1"]);
  assert.deepEqual(eager.logs, ["m0 "]);
});

test("with eager a message finds the one before it that is under way, without it does not", async () => {
  for (const [options, runs] of [
    ["", 1],
    ["eager: false", 2],
  ] as const) {
    const flow = repeatRoute(consumer(options, '- delay: { constant: "5" }', "- log: run"));
    const sent = [flow.send("", { id: "1" }), flow.send("", { id: "1" })];
    for (const { error } of sent) assert.equal(await error, undefined);
    assert.equal(flow.logs.length, runs);
  }
});

const bean = (name: string, beanType: string, properties = ""): string =>
  `- beans:\n    - name: ${name}\n      type: ${beanType}\n      properties: { ${properties} }\n`;

test("steps with the same bean share its keys, of which it keeps so many as it says", async () => {
  const step = `- idempotentConsumer: { header: id, idempotentRepository: "#seen", steps: [{ log: "\${header.id}" }] }`;
  const flow = repeatRoute(bean("seen", type, "cacheSize: 2") + routeOf(`${step}\n${step}`));
  await sendAll(flow, ["1", "2", "3", "1"]);
  assert.deepEqual(flow.logs, ["1", "2", "3", "1"]);
});

test("a repository is a bean that exists here", () => {
  const step = routeOf('- idempotentConsumer: { header: id, idempotentRepository: "#seen", steps: [] }');
  const strategy = "org.apache.camel.processor.aggregate.UseLatestAggregationStrategy";
  assert.throws(() => compileYaml(step), /no bean '#seen': leave idempotentRepository out/);
  assert.throws(() => compileYaml(bean("seen", strategy) + step), /is a bean of a class such as .*, not '/);
  assert.throws(() => compileYaml(bean("seen", type, "cacheSize: many") + step), /whole number/);
});
