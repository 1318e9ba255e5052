/** idempotentConsumer in a runtime: its keys outlast threads, deployments and restarts, and belong to one flow. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { heldStep } from "../../support/held-step.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

interface Options {
  /** Of the step, beside its id and expression. */
  readonly step?: string;
  /** Steps inside. */
  readonly steps?: string;
  /** Something that makes another revision. */
  readonly note?: string;
  readonly beans?: string;
}

function orders({ step = "", steps = "", note = "", beans = "" }: Options = {}): string {
  return `${beans}
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setBody: { constant: "duplicate${note}" }
        - idempotentConsumer:
            id: seen
            header: id
            ${step}
            steps:
              - setBody: { constant: "new${note}" }
              ${steps}
`;
}

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "bulkhead-idempotent-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function send(app: TestApp, id: string): Promise<string> {
  const response = await app.post("/api/orders", "", { id });
  return response.ok ? await response.text() : String(response.status);
}

async function put(app: TestApp, yaml: string, id = "shop.orders"): Promise<readonly { code: string; line: number }[]> {
  const response = await app.put(id, yaml);
  const body = (await response.json()) as { error?: string; warnings: { code: string; line: number }[] };
  assert.ok(response.ok, body.error ?? "");
  return body.warnings;
}

test("a message that was processed is known after a redeploy, a rollback and a restart", async (t) => {
  const path = await directory(t);
  const app = await startTestApp(t, { directory: path });
  assert.deepEqual(await put(app, orders()), []);
  assert.equal(await send(app, "1"), "new");
  assert.equal(await send(app, "1"), "duplicate");
  await put(app, orders({ note: " 2" }));
  assert.equal(await send(app, "1"), "duplicate 2");
  assert.equal(await send(app, "2"), "new 2");
  const rollback = await app.api("/flows/shop.orders/rollback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"revision":1}',
  });
  assert.equal(rollback.status, 200);
  assert.equal(await send(app, "2"), "duplicate");
  await app.close();
  const again = await startTestApp(t, { directory: path });
  assert.equal(await send(again, "1"), "duplicate");
  assert.equal(await send(again, "3"), "new");
});

test("a message whose run has failed may come again", async (t) => {
  const app = await startTestApp(t);
  const failing =
    '- filter: { simple: "${header.fail} == true", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] }';
  await put(app, orders({ steps: failing }));
  assert.equal((await app.post("/api/orders", "", { id: "1", fail: "true" })).status, 500);
  assert.equal(await send(app, "1"), "new");
  assert.equal((await app.post("/api/orders", "", { id: "1", fail: "true" })).status, 200);
});

test("a failure with removeOnFailure=false counts as processed, also after a restart", async (t) => {
  const path = await directory(t);
  const app = await startTestApp(t, { directory: path });
  const fails = "- throwException: { exceptionType: java.io.IOException, message: no }";
  await put(app, orders({ step: "removeOnFailure: false", steps: fails }));
  assert.equal(await send(app, "1"), "500");
  assert.equal(await send(app, "1"), "duplicate");
  await app.close();
  const again = await startTestApp(t, { directory: path });
  assert.equal(await send(again, "1"), "duplicate");
});

test("a twin that comes while the first is under way is a duplicate; with eager=false both run", async (t) => {
  for (const [step, expected] of [
    ["", ["duplicate", "new"]],
    ["eager: false", ["new", "new"]],
  ] as const) {
    const held = await heldStep(t);
    const app = await startTestApp(t, { egressAllow: held.host });
    await put(app, orders({ step, steps: `- ${held.step}\n              - setBody: { constant: new }` }));
    const both = [send(app, "1"), send(app, "1")];
    if (step === "") assert.equal(await Promise.race(both), "duplicate");
    await held.holds(step === "" ? 1 : 2);
    held.letGo();
    assert.deepEqual((await Promise.all(both)).sort(), expected, step);
    assert.equal(await send(app, "1"), "duplicate");
  }
});

test("a DELETE takes the state along, unless it is to be kept", async (t) => {
  const app = await startTestApp(t);
  await put(app, orders());
  assert.equal(await send(app, "1"), "new");
  assert.equal((await app.api("/flows/shop.orders?keep=state", { method: "DELETE" })).status, 200);
  await put(app, orders());
  assert.equal(await send(app, "1"), "duplicate");
  assert.equal((await app.api("/flows/shop.orders", { method: "DELETE" })).status, 200);
  await put(app, orders());
  assert.equal(await send(app, "1"), "new");
  assert.equal((await app.api("/flows/shop.orders?keep=all", { method: "DELETE" })).status, 400);
});

test("a set that prunes a flow takes its state along, unless it is to be kept", async (t) => {
  const app = await startTestApp(t, { directory: await directory(t) });
  const flows = [{ id: "shop.orders", yaml: orders() }];
  const deploy = async (query: string, set: object): Promise<readonly string[]> => {
    const headers = { "Content-Type": "application/json" };
    const answer = await app.api(`/deployments${query}`, { method: "POST", headers, body: JSON.stringify(set) });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
  };
  await deploy("", { set: "s", flows });
  assert.equal(await send(app, "1"), "new");
  assert.deepEqual(await deploy("?keep=state", { set: "s", flows }), ["no_effect"]);
  for (const [query, expected] of [
    ["?prune=true&keep=state", "duplicate"],
    ["?prune=true", "new"],
  ] as const) {
    assert.deepEqual(await deploy(query, { set: "s" }), []);
    assert.equal(await send(app, "1"), "404");
    await deploy("", { set: "s", flows });
    assert.equal(await send(app, "1"), expected, query);
  }
});

test("keys in memory are warned about, and so is a generated id; a bean's name is another repository", async (t) => {
  const app = await startTestApp(t);
  const memory =
    "- beans: [{ name: mem, type: org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository }]";
  const inMemory = await put(app, orders({ beans: memory, step: 'idempotentRepository: "#mem"' }));
  assert.deepEqual(
    inMemory.map(({ code }) => code),
    ["state_in_memory"],
  );
  assert.ok(inMemory[0] !== undefined && inMemory[0].line > 1);
  assert.equal(await send(app, "1"), "new");
  await put(app, orders({ beans: memory, step: 'idempotentRepository: "#mem"', note: "!" }));
  assert.equal(await send(app, "1"), "new!");
  const generated = await put(app, orders().replace("id: seen", "skipDuplicate: true"));
  assert.deepEqual(
    generated.map(({ code }) => code),
    ["generated_state_name"],
  );
  const file =
    "- beans: [{ name: file, type: org.apache.camel.support.processor.idempotent.FileIdempotentRepository, properties: { fileStore: seen.dat, eviction: oldest } }]";
  const durable = await put(app, orders({ beans: file, step: "idempotentRepository: file" }));
  assert.deepEqual(
    durable.map(({ code }) => code),
    ["no_effect"],
  );
  assert.equal(await send(app, "1"), "new");
  await put(app, orders({ beans: file, step: "idempotentRepository: file", note: "!" }));
  assert.equal(await send(app, "1"), "duplicate!");
});

test("at its bound a flow refuses new keys by the name of the limit, and goes on with those that it knows", async (t) => {
  const app = await startTestApp(t, { limits: { stateKeys: 2 } });
  await put(app, orders());
  assert.equal(await send(app, "1"), "new");
  assert.equal(await send(app, "2"), "new");
  assert.equal(await send(app, "3"), "500");
  assert.equal(await send(app, "2"), "duplicate");
  const runs = (await (await app.api("/runs?routeId=orders&status=failed")).json()) as {
    error: { type: string; message: string };
  }[];
  assert.equal(runs[0]?.error.type, "LimitExceededException");
  assert.match(runs[0]?.error.message ?? "", /at most 2 keys \(limit stateKeys\)/);
});

test("a name that the management API could not reach is refused at its step", async (t) => {
  const app = await startTestApp(t);
  const response = await app.put("shop.orders", orders().replace("id: seen", 'id: "a/b"'));
  assert.equal(response.status, 422);
  assert.match(((await response.json()) as { error: string }).error, /'a\/b' names a repository.*no slashes/);
});

test("in each part of a split a key is known that an earlier part had", async (t) => {
  const app = await startTestApp(t);
  const yaml = `
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - split:
            tokenize: ","
            aggregationStrategy: "#class:org.apache.camel.processor.aggregate.StringAggregationStrategy"
            steps:
              - idempotentConsumer: { id: seen, simple: "\${body}", steps: [{ setBody: { simple: "<\${body}>" } }] }
`;
  await put(app, yaml);
  assert.equal(await (await app.post("/api/orders", "a,b,a,c,b")).text(), "<a><b>a<c>b");
});

test("a flow in a host process keeps its keys, too", async (t) => {
  const app = await startTestApp(t);
  assert.ok((await app.put("shop.orders", orders(), { limits: { isolation: "process" } })).ok);
  assert.equal(await send(app, "1"), "new");
  assert.ok((await app.put("shop.orders", orders({ note: "!" }), { limits: { isolation: "process" } })).ok);
  assert.equal(await send(app, "1"), "duplicate!");
});
