/** Concurrent callers that change one flow. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { contentHash } from "../../../src/control/stores/stores.ts";
import { answering } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

interface Put {
  readonly text: string;
  readonly status: number;
  readonly revision: number;
}

async function put(app: TestApp, text: string): Promise<Put> {
  const answer = await app.put("orders", answering("orders", text));
  const { revision } = (await answer.json()) as { revision: number };
  return { text, status: answer.status, revision };
}

/** List, file and route agree; undefined: there is no such flow. */
async function agreed(app: TestApp): Promise<string | undefined> {
  const flows = (await (await app.api("/flows")).json()) as { id: string; hash: string; deployedHash: string }[];
  const flow = flows.find(({ id }) => id === "orders");
  const path = join(app.routesDirectory, "orders.yaml");
  const file = await readFile(path).catch(() => undefined);
  const answer = await app.post("/api/orders");
  const text = await answer.text();
  assert.equal(flow?.hash, file && contentHash(file));
  assert.equal(flow?.deployedHash, flow?.hash);
  assert.equal(answer.status, file === undefined ? 404 : 200);
  if (file === undefined) return undefined;
  assert.equal(file.toString(), answering("orders", text));
  return text;
}

test("20 concurrent PUTs make a revision each, and the one with the highest number stays, also after a restart", async (t) => {
  const app = await startTestApp(t);
  const puts = await Promise.all(Array.from({ length: 20 }, (_, n) => put(app, `version ${n}`)));
  assert.deepEqual(puts.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
  const byRevision = puts.toSorted((a, b) => a.revision - b.revision);
  assert.deepEqual(
    byRevision.map(({ revision }) => revision),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
  assert.equal(await agreed(app), byRevision.at(-1)?.text);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory });
  assert.equal(await agreed(again), byRevision.at(-1)?.text);
});

test("concurrent PUTs and DELETEs leave the result of the last one", async (t) => {
  const app = await startTestApp(t);
  await put(app, "first");
  for (let round = 0; round < 5; round++) {
    const [made, deleted] = await Promise.all([
      put(app, `round ${round}`),
      app.api("/flows/orders", { method: "DELETE" }).then(({ status }) => status),
    ]);
    const left = await agreed(app);
    assert.ok(deleted === 200 || deleted === 404);
    // Created: the DELETE, or the one before, came first; replaced: it came last.
    assert.equal(left, made.status === 201 ? made.text : undefined, `PUT ${made.status}, DELETE ${deleted}`);
    if (left === undefined) await put(app, "next");
  }
});

test("a PUT that arrives while the flows are loaded is applied after the load and stays", async (t) => {
  const files = Object.fromEntries(["orders", "a", "z"].map((id) => [`${id}.yaml`, answering(id, "file")]));
  const app = await startTestApp(t, { files, early: true });
  const made = await put(app, "put");
  assert.equal(made.status, 200);
  await app.app.loaded;
  assert.equal(await agreed(app), "put");
  assert.equal(made.revision, 2);
  await app.close();
  assert.equal(await agreed(await startTestApp(t, { directory: app.directory })), "put");
});

test("one of two concurrent PUTs of ids that differ only by case is refused", async (t) => {
  const app = await startTestApp(t);
  const answers = await Promise.all(
    ["orders", "Orders"].map((id) => app.put(id, answering(`r-${id.charCodeAt(0)}`, id))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
});
