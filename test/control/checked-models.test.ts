/** What was checked before is not checked again after a restart; what was kept of it is never trusted. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { CheckPool } from "../../src/control/flows/check-pool.ts";
import type { CheckRequest, CheckResult } from "../../src/shared/check.ts";
import { bundle } from "../support/bundles.ts";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../support/start-app.ts";

/** Notes which flows were checked. */
class NotedChecks extends CheckPool {
  readonly checked: string[] = [];

  override check(request: CheckRequest): Promise<CheckResult> {
    this.checked.push(request.flowId);
    return super.check(request);
  }
}

const checks = new NotedChecks(1, bundle("check-worker"));
after(() => checks.close());

/** `checked`: what has been checked since this start. */
async function start(t: TestContext, options: TestAppOptions = {}): Promise<TestApp & { readonly checked: string[] }> {
  const before = checks.checked.length;
  const app = await startTestApp(t, { ...options, checks });
  return {
    ...app,
    get checked() {
      return checks.checked.slice(before);
    },
  };
}

const keptIn = (app: TestApp): string => join(app.directory, "data", "checked");

/** Resolves when the check of the flow is kept. */
async function kept(app: TestApp, id: string): Promise<Buffer> {
  return eventually(() => readFile(join(keptIn(app), id)).catch(() => undefined), `the check of ${id} is kept`);
}

async function answerOf(app: TestApp, route: string): Promise<string> {
  const answer = await app.post(`/api/${route}`);
  return `${answer.status} ${await answer.text()}`;
}

test("a restart checks nothing that was checked before", async (t) => {
  const first = await start(t, { files: { "file.yaml": answering("file-route", "from a file") } });
  await first.put("put", answering("put-route", "{{word}}"), { params: { word: "from a PUT" } });
  await first.put("stopped", answering("stopped-route", "x"));
  await first.api("/flows/stopped/stop", { method: "POST" });
  assert.deepEqual(first.checked, ["file", "put", "stopped"]);
  await first.close();
  const again = await start(t, { directory: first.directory });
  assert.deepEqual(again.checked, []);
  assert.equal(await answerOf(again, "file-route"), "200 from a file");
  assert.equal(await answerOf(again, "put-route"), "200 from a PUT");
  assert.equal((await again.api("/flows/stopped/start", { method: "POST" })).status, 200);
  assert.equal(await answerOf(again, "stopped-route"), "200 x");
  assert.deepEqual(again.checked, []);
});

test("a file that was edited, and one whose check was kept for something else, is checked", async (t) => {
  const first = await start(t);
  for (const id of ["edited", "same", "other"]) await first.put(id, answering(`${id}-route`, "old"));
  await first.close();
  await writeFile(join(first.routesDirectory, "edited.yaml"), answering("edited-route", "new"));
  await writeFile(join(keptIn(first), "other"), await kept(first, "same"));
  const again = await start(t, { directory: first.directory });
  assert.deepEqual(again.checked.sort(), ["edited", "other"]);
  assert.equal(await answerOf(again, "edited-route"), "200 new");
  assert.equal(await answerOf(again, "other-route"), "200 old");
});

test("other limits are a reason to check again", async (t) => {
  const first = await start(t);
  await first.put("f", answering("r", "x"));
  await first.close();
  const again = await start(t, { directory: first.directory, limits: { splitItems: 7 } });
  assert.deepEqual(again.checked, ["f"]);
});

test("what is damaged is as if it were not there, and is kept anew", async (t) => {
  const first = await start(t);
  const damages: readonly ((bytes: Buffer) => Buffer)[] = [
    () => Buffer.alloc(0),
    (bytes) => bytes.subarray(0, bytes.length - 1),
    (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
    (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 20 ? byte ^ 1 : byte))),
    (bytes) => Buffer.alloc(bytes.length),
  ];
  const ids = damages.map((_, n) => `f${n}`);
  for (const id of ids) await first.put(id, answering(`${id}-route`, id));
  await first.close();
  for (const [n, damage] of damages.entries()) {
    await writeFile(join(keptIn(first), `f${n}`), damage(await kept(first, `f${n}`)));
  }
  const again = await start(t, { directory: first.directory });
  assert.deepEqual(again.checked.sort(), ids);
  for (const id of ids) assert.equal(await answerOf(again, `${id}-route`), `200 ${id}`);
  await again.close();
  assert.deepEqual((await start(t, { directory: first.directory })).checked, []);
});

test("a deployment does not fail when its check cannot be kept, and the next start checks again", async (t) => {
  const first = await start(t);
  await first.close();
  await writeFile(keptIn(first), "a file where the directory would be");
  const again = await start(t, { directory: first.directory });
  assert.equal((await again.put("f", answering("r", "x"))).status, 201);
  assert.equal(await answerOf(again, "r"), "200 x");
  await again.close();
  assert.deepEqual((await start(t, { directory: first.directory })).checked, ["f"]);
});

test("values of secrets and of the environment are not in it, and are looked for at each start", async (t) => {
  const text = webhook("r", 'setBody: { constant: "{{env:REGION}} {{secret:KEY}}" }');
  const environment = { allow: "REGION", set: { REGION: "a-region-of-the-first-start" } };
  const first = await start(t, { environment, secrets: { "f/KEY": "the-first-key" } });
  await first.put("f", text);
  const bytes = await kept(first, "f");
  for (const value of ["a-region-of", "the-first-key"]) assert.ok(!bytes.includes(value), value);
  await first.close();
  const now = { allow: "REGION", set: { REGION: "elsewhere" } };
  const again = await start(t, { directory: first.directory, environment: now, secrets: { "f/KEY": "another-key" } });
  assert.deepEqual(again.checked, []);
  assert.equal(await answerOf(again, "r"), "200 elsewhere another-key");
  await again.close();
  const without = await start(t, { directory: first.directory, environment: { allow: "", set: {} } });
  assert.deepEqual(without.checked, ["f"]);
  const { error } = (await (await without.api("/flows/f")).json()) as { error: string };
  assert.match(error, /\{\{env:REGION\}\} is not allowed/);
});

test("what was kept goes with its flow", async (t) => {
  const app = await start(t);
  for (const id of ["deleted", "gone"]) await app.put(id, answering(`${id}-route`, "x"));
  await kept(app, "gone");
  await app.api("/flows/deleted", { method: "DELETE" });
  await app.close();
  assert.deepEqual(await readdir(keptIn(app)), ["gone"]);
  await writeFile(join(app.routesDirectory, "gone.yaml"), "");
  const again = await start(t, { directory: app.directory });
  await eventually(async () => (await readdir(keptIn(again))).length === 0, "nothing is kept");
});
