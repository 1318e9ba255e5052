/** aggregate: groups that a consumer's poll completes, and those that are open when their route or the runtime stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { flowFiles } from "../../support/flow-files.ts";
import { beginRoute, routeOf } from "../../support/run-route.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

/** The first word of the body is the key; a complete group is logged. */
const aggregate = (options: string): string => `
        - aggregate:
            correlationExpression: { simple: "\${body.split(' ')[0]}" }
            aggregationStrategy: "#groupedBodyAggregationStrategy"
            ${options}
            steps:
              - log: "\${body} by \${exchangeProperty.CamelAggregatedCompletedBy}"`;

const panel = `- route:
    id: panel
    from:
      uri: webhook
      steps:
        - toD: "controlbus:route?routeId=in&action=\${header.do}"
`;

const gathering = (options: string): string => `- route:
    id: in
    from:
      uri: webhook
      steps:${aggregate(options)}
`;

const complete = ({ logs }: TestApp): string[] =>
  logs.map(({ message }) => message).filter((message) => / by \w+$/.test(message));

test("the last file of a poll completes all groups, in the order of their keys", async (t) => {
  const files = await flowFiles(t);
  for (const [name, body] of Object.entries({ "1": "b 1", "2": "a 2", "3": "b 3", "4": "c 4" })) {
    await files.write(`in/${name}.txt`, body);
  }
  await files.deploy(`- route:
    id: r
    from:
      uri: file:in?initialDelay=0&delay=10&sortBy=file:name
      steps:${aggregate("completionFromBatchConsumer: true")}
`);
  await eventually(() => complete(files.app).length === 3, "three groups");
  assert.deepEqual(complete(files.app), ["[a 2] by consumer", "[b 1, b 3] by consumer", "[c 4] by consumer"]);
  await files.write("in/5.txt", "d 5");
  await eventually(() => complete(files.app)[3] === "[d 5] by consumer", "the group of the next poll");
});

for (const action of ["stop", "suspend"]) {
  test(`a route that is told to ${action} completes its groups with forceCompletionOnStop`, async (t) => {
    const app = await startTestApp(t);
    await app.put("f", panel + gathering("completionSize: 9\n            forceCompletionOnStop: true"));
    await app.post("/api/in", "a 1");
    await app.post("/api/in", "b 2");
    await app.post("/api/panel", "none", { do: action });
    await eventually(() => complete(app).length === 2, "both groups");
    assert.deepEqual(complete(app).sort(), ["[a 1] by force", "[b 2] by force"]);
    await app.post("/api/panel", "none", { do: "start" });
    await app.post("/api/in", "a 3");
    await app.post("/api/panel", "none", { do: action });
    await eventually(() => complete(app)[2] === "[a 3] by force", "the group after the start");
  });
}

test("without an option a stopped route keeps its groups, and goes on with them", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", panel + gathering("completionSize: 2"));
  await app.post("/api/in", "a 1");
  await app.post("/api/panel", "none", { do: "stop" });
  await app.post("/api/panel", "none", { do: "start" });
  await app.post("/api/in", "a 2");
  await eventually(() => complete(app).length > 0, "the group");
  assert.deepEqual(complete(app), ["[a 1, a 2] by size"]);
});

for (const [end, expected] of [
  ["ends", ["[a 1] by force"]],
  ["replaced", ["[a 1] by force"]],
  ["leaves", []],
] as const) {
  test(`a thread that finishes with '${end}' completes ${expected.length} groups of the state store`, async () => {
    const yaml = routeOf(aggregate("completionSize: 9\n            forceCompletionOnStop: true").trimStart());
    const begun = beginRoute(yaml, { body: "a 1", logLevel: "INFO" });
    begun.flow.life.serve("1");
    const { logs } = await begun.outcome;
    begun.flow.life.halt();
    await begun.flow.life.finish(end);
    await begun.announced.settled();
    assert.deepEqual(
      logs.map(({ message }) => message),
      expected,
    );
  });
}

for (const option of ["forceCompletionOnStop", "completeAllOnStop"]) {
  test(`a runtime that shuts down completes groups with ${option}`, async (t) => {
    const app = await startTestApp(t, { limits: { shutdownMs: 10_000 } });
    await app.put("f", gathering(`completionSize: 9\n            ${option}: true`));
    await app.post("/api/in", "a 1");
    await app.close();
    assert.deepEqual(complete(app), ["[a 1] by force"]);
  });
}
