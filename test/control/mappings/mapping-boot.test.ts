/** Mappings after a restart: acknowledged versions are in force before any flow runs; a broken one is listed and delays no other. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";
import { eventually } from "../../support/clock.ts";
import { answering, webhook } from "../../support/flows.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { accepted, lastRun, lookingUp, putMapping, refused, textOf } from "./calls.ts";

test("a killed process comes back with the mappings that it acknowledged", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-mappings-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const env = { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: join(directory, "r"), DATA_DIR: join(directory, "d") };
  const api =
    (url: string) =>
    (path: string, init: RequestInit = {}) =>
      fetch(`${url}/_api${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  const first = await startProcess(t, env);
  const before = api(first.url);
  await accepted(await putMapping({ api: before }, "value", "codes", { a: "1" }));
  await accepted(await putMapping({ api: before }, "value", "gone", { a: "1" }));
  await accepted(await putMapping({ api: before }, "message", "order", { expression: "status" }));
  const flow = JSON.stringify({ yaml: lookingUp("r", "codes") });
  await accepted(
    await before("/flows/f", { method: "PUT", headers: { "Content-Type": "application/json" }, body: flow }),
  );
  assert.equal((await before("/value-mappings/gone", { method: "DELETE" })).status, 200);
  const lists = async (call: typeof before) =>
    Promise.all(["value", "message"].map(async (kind) => (await call(`/${kind}-mappings`)).text()));
  const listed = await lists(before);
  first.child.kill("SIGKILL");
  await first.exited;

  const second = await startProcess(t, env);
  const after = api(second.url);
  const answer = await eventually(async () => {
    const one = await fetch(`${second.url}/api/r`, { method: "POST" });
    return one.status === 503 ? undefined : one;
  }, "the flow is loaded");
  assert.equal(await answer.text(), "1");
  assert.deepEqual(await lists(after), listed);
  const { revision } = await accepted(await putMapping({ api: after }, "value", "gone", { a: "1" }));
  assert.equal(revision, 2, "numbers go on");
});

test("a broken file is listed with its problem and not changed; flows run, and fail where they need it", async (t) => {
  const first = await startTestApp(t);
  await accepted(await putMapping(first, "value", "codes", { a: "1" }));
  await accepted(await putMapping(first, "value", "good", { a: "1" }));
  await first.put("f", lookingUp("r", "codes"));
  await first.put("g", lookingUp("s", "good"));
  await first.close();
  const path = join(first.directory, "data", "value-mappings", "codes.document");
  const torn = (await readFile(path)).subarray(0, -2);
  await writeFile(path, torn);

  const app = await startTestApp(t, { directory: first.directory });
  const list = (await (await app.api("/value-mappings")).json()) as { id: string; error?: string }[];
  assert.deepEqual(
    list.map(({ id, error }) => [id, error === undefined]),
    [
      ["codes", false],
      ["good", true],
    ],
  );
  assert.match(list[0]?.error ?? "", /is damaged.*send it again/);
  assert.ok(app.logs.some(({ level, message }) => level === "ERROR" && /'codes' cannot be used/.test(message)));
  assert.equal(await textOf(app, "s"), "1");
  assert.equal((await app.post("/api/r")).status, 500);
  assert.match((await lastRun(app, "r")).error?.message ?? "", /there is no value mapping 'codes'/);
  await refused(await app.api("/value-mappings/codes"), 500, "store_failed");
  assert.deepEqual(await readFile(path), torn);

  const { revision } = await accepted(await putMapping(app, "value", "codes", { a: "2" }));
  assert.equal(revision, 2);
  assert.equal(await textOf(app, "r"), "2");
});

test("only flows that use mappings wait for their boot load", async (t) => {
  const first = await startTestApp(t);
  await accepted(await putMapping(first, "value", "codes", { a: "1" }));
  await accepted(await first.put("a", lookingUp("r", "codes")));
  await accepted(await first.put("b", answering("s", "here")));
  await first.close();
  const known = Promise.withResolvers<void>();
  t.after(() => known.resolve());
  const fs: FsPort = {
    ...nodeFs,
    async read(path, mostBytes) {
      if (path.endsWith("codes.document")) await known.promise;
      return nodeFs.read(path, mostBytes);
    },
  };
  const app = await startTestApp(t, { directory: first.directory, fs, early: true });
  await eventually(async () => (await app.post("/api/s")).ok, "the other flow serves");
  assert.equal((await app.post("/api/r")).headers.get("x-error-code"), "route_starting");
  known.resolve();
  await app.app.loaded;
  assert.equal(await textOf(app, "r"), "1");
});

test("a message mapping whose tests fail after a change of a value mapping is still there after a restart", async (t) => {
  const first = await startTestApp(t);
  const document = {
    rules: [{ target: "/status", expr: "$vmap('codes','from','to',status)" }],
    tests: [{ input: { status: "a" }, expect: { status: "1" } }],
  };
  await accepted(await putMapping(first, "value", "codes", { a: "1" }));
  await accepted(await putMapping(first, "message", "order", document));
  await accepted(await putMapping(first, "value", "codes", { a: "2" }));
  await accepted(await first.put("f", webhook("r", "messageMapping: order")));
  await first.close();
  const app = await startTestApp(t, { directory: first.directory });
  const json = { "Content-Type": "application/json" };
  assert.deepEqual(await (await app.post("/api/r", '{"status":"a"}', json)).json(), { status: "2" });
});

test("a mapping that cannot be stored is refused, and the previous version stays in force", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-mappings-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const app = await startTestApp(t, { directory });
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  await app.put("f", lookingUp("r", "codes"));
  const place = join(directory, "data", "value-mappings");
  const aside = join(directory, "aside");
  await rename(place, aside);
  // A file in place of the directory makes writes fail.
  await writeFile(place, "");
  await refused(await putMapping(app, "value", "codes", { a: "2" }), 500, "store_failed");
  assert.equal(await textOf(app, "r"), "1");
  await rm(place);
  await rename(aside, place);
  assert.equal((await accepted(await putMapping(app, "value", "codes", { a: "2" }))).revision, 2);
  assert.equal(await textOf(app, "r"), "2");
});

test("at boot the log names the missing mappings of a flow, and only those", async (t) => {
  const yaml = `
- route:
    id: codes
    from:
      uri: webhook
      steps:
        - valueMapping: { stepId: first, id: here, from: a, to: b }
        - valueMapping: { stepId: second, id: gone, from: a, to: b }
        - to: mapping:gone-too
`;
  const before = await startTestApp(t);
  await accepted(await putMapping(before, "value", "here", { entries: { a: "b" } }));
  await before.close();
  const { logs } = await startTestApp(t, { directory: before.directory, files: { "codes.yaml": yaml } });
  const told = logs.filter(({ level, flowId }) => level === "WARN" && flowId === "codes").map(({ message }) => message);
  assert.equal(told.length, 1);
  assert.match(
    told[0] ?? "",
    /^step 'second' of route 'codes': there is no value mapping 'gone': .*; 1 more: POST .*codes\/validate$/,
  );
});
