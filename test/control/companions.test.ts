/** The companion file of a flow, `f.flow.yaml` beside `f.yaml`: read together with a flow that was edited by hand, and at no other time. */
import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Flow {
  readonly revision: number;
  readonly params: object;
  readonly record?: string;
  readonly description?: string;
  readonly state: string;
  readonly error?: string;
  readonly policy: { readonly writtenBy: { readonly via: string } } | null;
}

const yaml = webhook("r", 'setBody: { constant: "{{who:nobody}}" }');
const companion = 'params: { who: "007" }\nrecord: all\ndescription: |\n  Greets.\n';
const policy = `policy:\n  principals: { shop: { type: apiKey, sha256: "${"a".repeat(64)}", roles: [sender] } }\n  rules: [{ allow: [invoke], roles: [sender] }]\n`;

const flow = async (app: TestApp): Promise<Flow> => (await (await app.api("/flows/f")).json()) as Flow;
const said = async (app: TestApp): Promise<string> => (await app.post("/api/r")).text();
const write = (app: TestApp, name: string, text: string): Promise<void> =>
  writeFile(join(app.routesDirectory, name), text);
const reload = (app: TestApp, what = "reload"): Promise<Response> => app.api(`/flows/f/${what}`, { method: "POST" });

test("a boot makes one revision of a flow and its companion, with the policy", async (t) => {
  const files = { "f.yaml": yaml, "f.flow.yaml": companion + policy };
  const app = await startTestApp(t, { files });
  const { revision, params, record, description, policy: inForce } = await flow(app);
  assert.deepEqual([revision, params, record, description], [1, { who: "007" }, "all", "Greets.\n"]);
  assert.equal(inForce?.writtenBy.via, "f.flow.yaml");
  assert.equal((await app.post("/api/r")).status, 401);
  assert.equal(((await (await app.api("/flows")).json()) as unknown[]).length, 1, "a companion is no flow");
  await app.close();
  // What the file says is read once: what was changed since stays.
  const second = await startTestApp(t, { directory: app.directory });
  await second.put("f", yaml, { record: "off", policy: null });
  await second.close();
  const third = await startTestApp(t, { directory: app.directory });
  assert.deepEqual([(await flow(third)).record, (await flow(third)).policy, await said(third)], ["off", null, "007"]);
});

test("a reload reads the companion of an edited flow, and not that of one that is as it was deployed", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml, { params: { who: "you" }, category: "mine" });
  await write(app, "f.flow.yaml", companion);
  assert.ok((await reload(app)).ok);
  assert.equal(await said(app), "you");
  await write(app, "f.yaml", `${yaml}# edited\n`);
  const answer = (await (await reload(app)).json()) as Flow & { readonly category?: string };
  assert.deepEqual([answer.revision, answer.params, answer.category], [2, { who: "007" }, undefined]);
  assert.equal(await said(app), "007");
  assert.deepEqual((await readdir(app.routesDirectory)).sort(), ["f.flow.yaml", "f.yaml"]);
});

test("a PUT neither reads nor writes the companion", async (t) => {
  const app = await startTestApp(t);
  await write(app, "f.flow.yaml", companion);
  await app.put("f", yaml);
  assert.deepEqual((await flow(app)).params, {});
  assert.ok((await reload(app)).ok);
  assert.equal(await said(app), "nobody");
});

test("a file that was never loaded is started, and stopped, with its companion", async (t) => {
  for (const what of ["start", "stop"]) {
    const app = await startTestApp(t);
    await write(app, "f.yaml", yaml);
    await write(app, "f.flow.yaml", companion + policy);
    assert.ok((await reload(app, what)).ok, what);
    const { params, policy: inForce } = await flow(app);
    assert.deepEqual([params, inForce?.writtenBy.via], [{ who: "007" }, "f.flow.yaml"], what);
  }
});

test("a companion that is not in order is refused by its place, and the flow stays as it was", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml, { record: "off" });
  await write(app, "f.yaml", `${yaml}# edited\n`);
  for (const [text, code, message] of [
    ["record: loud\n", "flow_invalid", /f\.flow\.yaml:1:9: 'record' must be off, errors or all/],
    [
      "limits:\n  queue: 5\nrecrd: all\n",
      "flow_invalid",
      /f\.flow\.yaml:3:8: there is no option 'recrd'; there are params/,
    ],
    ["params: {\n", "flow_invalid", /f\.flow\.yaml:2:1: /],
    ["- route:\n", "flow_invalid", /f\.flow\.yaml:1:1: the file must be an object/],
    ["limits: { nonsense: 1 }\n", "limit_not_allowed", /limits\.nonsense is unknown/],
    [
      "policy: { apiKeys: [{ name: shop, key: a-key-that-is-long-enough }] }",
      "policy_invalid",
      /in clear at \/apiKeys\/0\/key/,
    ],
  ] as const) {
    await write(app, "f.flow.yaml", text);
    const answer = await reload(app);
    const { error } = (await answer.json()) as { error: string };
    assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [422, code], error);
    assert.match(error, message);
  }
  const { revision, record, policy: none } = await flow(app);
  assert.deepEqual([revision, record, none], [1, "off", null]);
  await app.close();

  await write(app, "f.flow.yaml", "record: loud\n");
  const second = await startTestApp(t, { directory: app.directory });
  const failed = ((await (await second.api("/flows")).json()) as Flow[])[0];
  assert.equal(failed?.state, "Failed");
  assert.match(failed?.error ?? "", /f\.flow\.yaml:1:9/);
  await write(second, "f.flow.yaml", "record: all\n");
  assert.ok((await reload(second)).ok);
  assert.deepEqual([(await flow(second)).revision, (await flow(second)).record], [2, "all"]);
});

test("ids do not end with .flow: 400, and a file that does is reported at boot", async (t) => {
  const app = await startTestApp(t, { files: { "lone.flow.yaml": yaml } });
  for (const id of ["orders.flow", "orders.FLOW"]) {
    const answer = await app.put(id, yaml);
    assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [400, "bad_id"]);
    assert.match(await answer.text(), /'orders.flow.yaml' is the companion file/);
  }
  const set = await app.api("/deployments", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ set: "s", flows: [{ id: "orders.flow", yaml }] }),
  });
  assert.equal(set.status, 400);
  assert.equal((await app.put("workflow", answering("w", "x"))).status, 201);
  const line = app.logs.find(({ message }) => message.startsWith("lone.flow.yaml is not loaded"));
  assert.match(line?.message ?? "", /does not end with '\.flow'.*rename it to 'lone-flow\.yaml'/);
});

test("a companion that was a flow of its own is reported at boot", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml);
  await app.close();
  const { cp } = await import("node:fs/promises");
  const flows = join(app.directory, "data", "flows");
  await cp(join(flows, "f"), join(flows, "f.flow"), { recursive: true });
  await write(app, "f.flow.yaml", yaml);
  const second = await startTestApp(t, { directory: app.directory });
  const line = second.logs.find(({ flowId, level }) => flowId === "f" && level === "WARN");
  assert.match(line?.message ?? "", /'f\.flow\.yaml' was the flow 'f\.flow' and is not loaded/);
  assert.equal(await said(second), "nobody");
  await rm(join(flows, "f.flow"), { recursive: true });
});
