/** What may be read in the files of a runtime: no value of a secret, and nothing of what was removed. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { failedMessage, postFailed, retried, waitingMessages } from "../../support/failed-messages.ts";
import { direct, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

const value = "a-value-that-no-file-shows";
const secrets = { "f/KEY": value };
const fails = "throwException: { exceptionType: java.io.IOException, message: broken }";

/** Every file of the data directory, and a backup with its key. */
async function filesOf(app: TestApp): Promise<ReadonlyMap<string, Buffer>> {
  const data = join(app.directory, "data");
  const found = new Map<string, Buffer>();
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path.slice(data.length), await readFile(path));
  }
  found.set("backup", Buffer.from(await (await app.api("/backup")).arrayBuffer()));
  return found;
}

async function assertNowhere(app: TestApp, text: string): Promise<void> {
  for (const [name, content] of await filesOf(app)) assert.ok(!content.includes(text), `${text} is in ${name}`);
}

async function assertStored(app: TestApp, text: string): Promise<void> {
  const all = [...(await filesOf(app)).values()];
  assert.ok(
    all.some((content) => content.includes(text)),
    `${text} is stored`,
  );
}

/** Each place where a value can come to rest: a flow, and what is sent to it. */
const places: readonly (readonly [
  place: string,
  flow: string,
  send: (app: TestApp) => Promise<unknown>,
  kept: "failed" | "state",
])[] = [
  [
    "the body of a call that was answered 202",
    webhook("in", "setProperty: { name: p, constant: '{{secret:KEY}}' }", fails),
    (app) => app.post("/api/in", `it has ${value}`, { prefer: "respond-async" }),
    "failed",
  ],
  [
    "a variable of a message that a thread had",
    `${webhook("in", "setVariable: { name: v, constant: '{{secret:KEY}}' }", "wireTap: direct:tap")}${direct("tap", "tap", fails)}`,
    (app) => app.post("/api/in", "x"),
    "failed",
  ],
  [
    "the message of an error",
    webhook("in", "throwException: { exceptionType: java.io.IOException, message: '{{secret:KEY}}' }"),
    (app) => app.post("/api/in", "x", { prefer: "respond-async" }),
    "failed",
  ],
  [
    "a message of an open group",
    webhook(
      "in",
      "setHeader: { name: at, constant: '{{secret:KEY}}' }",
      `aggregate: { id: gather, correlationExpression: { constant: all }, completionSize: 9, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", steps: [{ to: "log:x" }] }`,
    ),
    (app) => app.post("/api/in", "x"),
    "state",
  ],
  [
    "the key of a group",
    webhook(
      "in",
      "setVariable: { name: v, constant: '{{secret:KEY}}' }",
      `aggregate: { id: gather, correlationExpression: { simple: "\${variable.v}-1" }, completionSize: 9, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy", steps: [{ to: "log:x" }] }`,
    ),
    (app) => app.post("/api/in", "x"),
    "state",
  ],
  [
    "the key of an idempotent consumer",
    webhook(
      "in",
      "setVariable: { name: v, constant: '{{secret:KEY}}' }",
      `idempotentConsumer: { id: once, expression: { simple: "\${variable.v}-1" }, steps: [{ to: "log:x" }] }`,
    ),
    (app) => app.post("/api/in", "x"),
    "state",
  ],
];

for (const [place, flow, send, kept] of places) {
  test(`no file shows a secret: ${place}`, async (t) => {
    const app = await startTestApp(t, { secrets });
    assert.equal((await app.put("f", flow)).status, 201);
    await send(app);
    if (kept === "failed") await waitingMessages(app, 1);
    else await eventually(async () => (await keysOf(app)).length > 0, "what is kept");
    await assertNowhere(app, value);
    await app.close();
    await assertNowhere(await startTestApp(t, { directory: app.directory, secrets }), value);
  });
}

interface Key {
  readonly key: string;
  readonly digest?: true;
}

/** Of all repositories of the flow. */
async function keysOf(app: TestApp): Promise<readonly Key[]> {
  const names = (await (await app.api("/flows/f/state")).json()) as { name: string }[];
  const all = names.map(async ({ name }) => (await (await app.api(`/flows/f/state/${name}`)).json()) as Key[]);
  return (await Promise.all(all)).flat();
}

test("a key that holds a secret is known again, is listed by its digest, and is forgotten by its text", async (t) => {
  const once = webhook(
    "in",
    "setVariable: { name: v, constant: '{{secret:KEY}}' }",
    `idempotentConsumer: { id: once, expression: { simple: "\${variable.v}-\${body}" }, steps: [{ setBody: { constant: new } }] }`,
  );
  const app = await startTestApp(t, { secrets });
  await app.put("f", once);
  const send = async (to: TestApp, body: string): Promise<string> => (await to.post("/api/in", body)).text();
  assert.deepEqual([await send(app, "1"), await send(app, "2"), await send(app, "1")], ["new", "new", "ok"]);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory, secrets });
  assert.equal(await send(again, "1"), "ok");
  const keys = await keysOf(again);
  assert.deepEqual([keys.length, keys.every(({ digest }) => digest === true)], [2, true]);
  const forgotten = await again.api(`/flows/f/state/once?key=${value}-1`, { method: "DELETE" });
  assert.equal(forgotten.status, 200);
  assert.deepEqual([await send(again, "1"), await send(again, "2")], ["new", "ok"]);
});

test("a group whose key holds a secret goes on behind a restart", async (t) => {
  const [, flow = ""] = places.find(([place]) => place === "the key of a group") ?? [];
  const gathering = flow.replace("completionSize: 9", "completionSize: 2").replace("log:x", "log:x?showAll=true");
  const app = await startTestApp(t, { secrets });
  await app.put("f", gathering);
  await app.post("/api/in", "one");
  await app.close();
  const again = await startTestApp(t, { directory: app.directory, secrets });
  await again.post("/api/in", "two");
  await eventually(() => again.logs.some(({ message }) => /one.*two/s.test(message)), "the group");
});

/** A word in a key, in a body and in an error. */
const word = "a-word-to-be-removed";
const keeping = webhook(
  "in",
  `idempotentConsumer: { id: once, expression: { simple: "${word} \${body}" }, removeOnFailure: false, steps: [{ throwException: { exceptionType: java.io.IOException, message: "${word} \${body}" } }] }`,
);

async function keepWords(t: TestContext): Promise<TestApp> {
  const app = await startTestApp(t);
  await app.put("f", keeping);
  for (let i = 0; i < 20; i += 1)
    await app.post("/api/in", `${i} ${"long ".repeat(5000)}`.slice(0, 20_000 * (i % 2) + 10), {
      prefer: "respond-async",
    });
  await waitingMessages(app, 20);
  await assertStored(app, word);
  return app;
}

test("nothing of a flow's state is in a file when its DELETE was answered", async (t) => {
  const app = await keepWords(t);
  assert.equal((await app.api("/flows/f", { method: "DELETE" })).status, 200);
  // The answer does not wait for the removal of what was kept.
  await eventually(async () => {
    const files = [...(await filesOf(app))].filter(([name]) => name.startsWith("/state/"));
    return files.every(([, content]) => !content.includes(word));
  }, "the removal");
});

test("nothing of a key is in a file when it was forgotten", async (t) => {
  const app = await keepWords(t);
  assert.equal((await app.api("/flows/f/state/once", { method: "DELETE" })).status, 200);
  assert.equal((await postFailed(app, "discard", { flowId: "f" })).status, 200);
  const state = [...(await filesOf(app))].filter(([name]) => name.startsWith("/state/"));
  // The errors of discarded messages stay in the list; their keys and contents do not.
  const entries = (await (await app.api("/failed?state=discarded")).json()) as unknown[];
  assert.equal(entries.length, 20);
  for (const [name, content] of state) assert.ok(!content.includes(`=${word}`), name);
});

test("without DATA_KEY a message that was kept is shown and retried behind a restart", async (t) => {
  const app = await startTestApp(t, { secrets });
  await app.put(
    "f",
    webhook(
      "in",
      'filter: { simple: "${header.fine} == null", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }',
    ),
  );
  await app.post("/api/in", "the body", { prefer: "respond-async" });
  await waitingMessages(app, 1);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory, secrets });
  const [kept] = await waitingMessages(again, 1);
  assert.equal((await failedMessage(again, kept?.id ?? "")).message?.body, "the body");
  assert.equal((await retried(again, kept?.id ?? "", { headers: { fine: "1" } })).status, "completed");
});
