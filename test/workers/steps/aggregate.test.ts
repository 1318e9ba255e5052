/** aggregate: when groups are complete, and what becomes of those that are not (Camel: AggregateProcessor). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { runSteps } from "../../support/run-route.ts";
import { startTestApp } from "../../support/start-app.ts";

/** Each part of the body is a message `key:value`. */
function flow(options: string): string {
  return `
- split:
    simple: "\${body}"
    steps:
      - setHeader: { name: key, simple: "\${body.split(':')[0]}" }
      - aggregate:
          correlationExpression: { header: key }
          aggregationStrategy: "#groupedBodyAggregationStrategy"
          ${options}
          steps:
            - log: "\${body} \${exchangeProperty.CamelAggregatedCompletedBy} \${exchangeProperty.CamelAggregatedSize} \${exchangeProperty.CamelAggregatedCorrelationKey}"`;
}

async function groups(options: string, body: string): Promise<string[]> {
  const outcome = await runSteps(flow(options), { body });
  await outcome.announced.settled();
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.logs.map(({ message }) => message);
}

const cases: readonly (readonly [name: string, options: string, body: string, expected: readonly string[]])[] = [
  ["completionSize", "completionSize: 2", "a:1,b:2,a:3,b:4,a:5", ["[a:1, a:3] size 2 a", "[b:2, b:4] size 2 b"]],
  [
    "completionSizeExpression comes before the fixed size",
    'completionSizeExpression: { constant: "1" }\n          completionSize: 9',
    "a:1,a:2",
    ["[a:1] size 1 a", "[a:2] size 1 a"],
  ],
  [
    "completionPredicate of the group",
    'completionPredicate: { simple: "${exchangeProperty.CamelAggregatedSize} == 2" }',
    "a:1,a:2,a:3",
    ["[a:1, a:2] predicate 2 a"],
  ],
  [
    "completionPredicate of the message that comes",
    `eagerCheckCompletion: true\n          completionPredicate: { simple: "\${body} contains 'end'" }`,
    "a:1,a:end,a:3",
    ["[a:1, a:end] predicate 2 a"],
  ],
  [
    "completionOnNewCorrelationGroup",
    "completionOnNewCorrelationGroup: true\n          completionSize: 9",
    "a:1,a:2,b:3,c:4",
    ["[a:1, a:2] force 2 a", "[b:3] force 1 b"],
  ],
];

for (const [name, options, body, expected] of cases) {
  test(`${name}`, async () => assert.deepEqual(await groups(options, body), expected));
}

test("completionTimeout and completionInterval complete groups in runs of their own", async (t) => {
  const yaml = (options: string): string =>
    `- route:\n    id: in\n    from:\n      uri: webhook\n      steps:\n${flow(options).trim().replaceAll(/^/gm, "        ")}\n`;
  const app = await startTestApp(t, { files: { "time.yaml": yaml("completionTimeout: 1000") } });
  await app.post("/api/in", "a:1,a:2");
  const timedOut = (): string[] =>
    app.logs.flatMap(({ message }) => /^\[(.*)\] timeout \d a$/.exec(message)?.[1]?.split(", ") ?? []);
  // On a slow machine the group of the first message may be complete when the second one comes.
  await eventually(() => timedOut().length === 2, "their lines");
  assert.deepEqual(timedOut(), ["a:1", "a:2"]);
  await app.put("time", yaml("completionInterval: 30"));
  await app.post("/api/in", "a:1,b:2");
  await eventually(() => app.logs.some(({ message }) => message === "[b:2] interval 1 b"), "its line");
});

test("groups that are not complete are completed at a redeployment with forceCompletionOnStop or completeAllOnStop, and go on without", async (t) => {
  const yaml = (options: string): string =>
    `- route:\n    id: in\n    from:\n      uri: webhook\n      steps:\n${flow(options).trim().replaceAll(/^/gm, "        ")}\n`;
  const app = await startTestApp(t, {
    files: { "stop.yaml": yaml("completionSize: 9\n          forceCompletionOnStop: true") },
  });
  await app.post("/api/in", "a:1,a:2");
  // The next message comes when the one that ends has completed its groups: it completes what is in them until then.
  await app.put("stop", yaml("completionSize: 9"), {}, "?drainMs=60000");
  await eventually(() => app.logs.some(({ message }) => message === "[a:1, a:2] force 2 a"), "its line");
  await app.post("/api/in", "c:1");
  await app.put("stop", yaml("completionSize: 9\n          completeAllOnStop: true"));
  await app.post("/api/in", "d:1");
  await app.put("stop", yaml("completionSize: 9"), {}, "?drainMs=60000");
  await eventually(() => app.logs.some(({ message }) => message === "[d:1] force 1 d"), "its line");
  await app.post("/api/in", "b:1");
  await app.put("stop", yaml("completionSize: 2"));
  assert.equal((await app.post("/api/in", "b:2")).status, 200);
  await eventually(() => app.logs.some(({ message }) => message === "[b:1, b:2] size 2 b"), "its line");
  const inMemory =
    "completionSize: 9\n          aggregationRepository: '#class:org.apache.camel.processor.aggregate.MemoryAggregationRepository'";
  await app.put("stop", yaml(inMemory));
  await app.post("/api/in", "e:1");
  await app.put("stop", yaml("completionSize: 8"));
  await eventually(
    () => app.logs.some(({ message }) => /1 groups of 'aggregate1' were not complete and are lost/.test(message)),
    "its line",
  );
});

test("an invalid key fails, or is passed by; a closed one is refused", async () => {
  await assert.rejects(groups("completionSize: 2", ":1"), /Invalid correlation key/);
  assert.deepEqual(await groups("completionSize: 2\n          ignoreInvalidCorrelationKeys: true", ":1,:2"), []);
  const closed = "completionSize: 1\n          closeCorrelationKeyOnCompletion: 0";
  await assert.rejects(groups(closed, "a:1,a:2"), /The correlation key \[a\] has been closed/);
});

test("what a group fails with is logged, and does not touch the message that completed it", async () => {
  const { error, logs } = await runSteps(`
- aggregate:
    correlationExpression: { constant: x }
    aggregationStrategy: "#useLatestAggregationStrategy"
    completionSize: 1
    steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }]
- log: after`);
  assert.equal(error, undefined);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["Error processing aggregated exchange. Caused by: [java.io.IOException - broken]", "after"],
  );
});

test("an aggregate without a completion, a key or a known strategy is refused", async () => {
  const steps = (options: string): string => `- aggregate: { ${options} }`;
  const strategy = 'aggregationStrategy: "#useLatestAggregationStrategy"';
  const key = "correlationExpression: { constant: x }";
  await assert.rejects(runSteps(steps(`${strategy}, ${key}`)), /needs at least one of completionSize/);
  await assert.rejects(runSteps(steps(`${strategy}, completionSize: 2`)), /needs a correlationExpression/);
  await assert.rejects(
    runSteps(steps(`aggregationStrategy: mine, ${key}, completionSize: 2`)),
    /there is no bean 'mine'; there are UseLatest/,
  );
});

test("groups and their messages are bounded", async () => {
  const { error } = await runSteps(flow("completionSize: 9"), { body: "a:1,b:2,c:3", limits: { aggregateGroups: 2 } });
  assert.match(String(error), /an aggregate has at most 2 groups at the same time/);
});

test("a message that cannot be added fails, or takes its group along with discardOnAggregationFailure", async () => {
  const run = (option: string) =>
    runSteps(
      `
- split:
    tokenize: ","
    steps:
      - setBody: { simple: "\${body}\${body}\${body}" }
      - aggregate:
          correlationExpression: { constant: x }
          aggregationStrategy: "#groupedBodyAggregationStrategy"
          completionSize: 2
          ${option}
          steps: [{ log: "\${body}" }]`,
      { body: `${"a".repeat(20)},${"b".repeat(20)},c,d`, limits: { messageBodyBytes: 100 } },
    );
  const failed = await run("discardOnAggregationFailure: false");
  assert.match(String(failed.error), /Error occurred during aggregation: messages are aggregated to at most 100 bytes/);
  const discarded = await run("discardOnAggregationFailure: true");
  await discarded.announced.settled();
  assert.equal(discarded.error, undefined);
  assert.deepEqual(
    discarded.logs.map(({ message }) => message),
    ["[ccc, ddd]"],
  );
});
