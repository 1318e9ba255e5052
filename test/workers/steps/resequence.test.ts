/** resequence: what is kept, what stops it, and what a message waits for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDocument } from "../../../src/control/runs/run-document.ts";
import type { Limits } from "../../../src/shared/limits.ts";
import { eventually } from "../../support/clock.ts";
import { compileYaml, routeOf, runSteps } from "../../support/run-route.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

const panel = `- route:
    id: panel
    from:
      uri: webhook
      steps:
        - toD: "controlbus:route?routeId=in&action=\${header.do}"
`;

const ordering = (config: string, more = "50"): string => `- route:
    id: in
    from:
      uri: webhook
      steps:
        - resequence:
            simple: "\${body}"
            ${config}
            steps:
              - delay: { constant: "${more}" }
              - log: "turn of \${body}"
`;

const turns = ({ logs }: TestApp): string[] =>
  logs.flatMap(({ message }) => (message.startsWith("turn of ") ? [message.slice(8)] : []));

async function send(app: TestApp, ...bodies: number[]): Promise<void> {
  for (const body of bodies) assert.equal((await app.post("/api/in", String(body))).status, 200);
}

test("messages have runs of their own, one after another, which are counted while they wait", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", ordering("batchConfig: { batchTimeout: 60000, batchSize: 3 }"));
  await send(app, 3, 1);
  const held = async (): Promise<unknown> => {
    const { usage } = (await (await app.api("/flows/f")).json()) as {
      usage: { routes: Record<string, { heldMessages: number }> };
    };
    return usage.routes["in"]?.heldMessages;
  };
  assert.equal(await held(), 2);
  await send(app, 2);
  await eventually(() => turns(app).length === 3, "all messages");
  assert.deepEqual(turns(app), ["1", "2", "3"]);
  await eventually(async () => (await held()) === 0, "none is kept");
  const runs = (await (await app.api("/runs?flowId=f")).json()) as RunDocument[];
  const own = runs.filter(({ trigger }) => trigger.kind === "resequence");
  assert.deepEqual(
    own.map(({ trigger, status }) => [trigger.uri, status]),
    Array.from({ length: 3 }, () => ["resequence:resequence1", "completed"]),
  );
});

for (const action of ["stop", "suspend"]) {
  test(`a route that is told to ${action} hands on what it keeps, in order`, async (t) => {
    const app = await startTestApp(t);
    await app.put("f", panel + ordering("streamConfig: { timeout: 60000 }", "1"));
    await send(app, 5, 1, 3);
    await app.post("/api/panel", "none", { do: action });
    await eventually(() => turns(app).length === 3, "all messages");
    assert.deepEqual(turns(app), ["1", "3", "5"]);
  });
}

test("a flow that is replaced hands on what it keeps, in order", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", ordering("batchConfig: { batchTimeout: 60000 }"));
  await send(app, 2, 1);
  await app.put("f", ordering("batchConfig: { batchTimeout: 60000, batchSize: 5 }"));
  await eventually(() => turns(app).length === 2, "both messages");
  assert.deepEqual(turns(app), ["1", "2"]);
});

test("a runtime that shuts down hands on what its flows keep, in order", async (t) => {
  const app = await startTestApp(t, { limits: { shutdownMs: 10_000 } });
  await app.put("f", ordering("streamConfig: { timeout: 60000 }"));
  await send(app, 7, 4);
  await app.close();
  assert.deepEqual(turns(app), ["4", "7"]);
});

test("messages wait in front of a stream that keeps as many as its capacity", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", ordering("streamConfig: { timeout: 60000, capacity: 2 }", "1") + panel);
  await send(app, 4, 2);
  const third = app.post("/api/in", "6");
  await eventually(async () => {
    const { inflight } = ((await (await app.api("/flows/f")).json()) as { usage: { inflight: number } }).usage;
    return inflight === 1;
  }, "it waits");
  assert.deepEqual(turns(app), []);
  await app.post("/api/panel", "none", { do: "stop" });
  assert.equal((await third).status, 200);
  await eventually(() => turns(app).length === 2, "the two that were kept");
  assert.deepEqual(turns(app), ["2", "4"]);
});

const bounds: readonly (readonly [keyof Limits, number, RegExp])[] = [
  ["splitItems", 2, /a resequence keeps at most 2 messages/],
  ["aggregateBytes", 1000, /the messages of a resequence have at most 1000 bytes/],
];
for (const [limit, most, refusal] of bounds) {
  test(`what is kept is bounded by ${limit}`, async () => {
    const { error } = await runSteps(
      `- loop:
    constant: "3"
    steps:
      - setHeader: { name: n, simple: "\${exchangeProperty.CamelLoopIndex}" }
      - resequence: { header: n, batchConfig: { batchTimeout: 500 }, steps: [{ log: "\${body}" }] }`,
      { body: "x".repeat(400), limits: { [limit]: most } },
    );
    assert.match(String(error), refusal);
  });
}

test("it keeps messages in one thread, and options that are not possible are refused with what to do instead", () => {
  const compile = (options: string) =>
    compileYaml(routeOf(`- resequence: { simple: "\${body}", ${options} steps: [{ log: x }] }`));
  assert.ok(compile("").manifest.stateful);
  for (const [options, refusal] of [
    ["streamConfig: { comparator: '#mine' },", /comparator.*let the expression give whole numbers/],
    ["streamConfig: { capacity: 0 },", /capacity is at least 1/],
    ["batchConfig: { batchTimeout: 0 },", /batchTimeout is at least 1 ms/],
    ["batchConfig: {}, streamConfig: {},", /leave the other out/],
  ] as const) {
    assert.throws(() => compile(options), refusal, options);
  }
  assert.throws(() => compileYaml(routeOf('- resequence: { simple: "${body}", steps: [] }')), /write them inside/);
});
