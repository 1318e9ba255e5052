/** `/_api/flows/:id/state`: what is listed, found and removed, and what its errors say. */
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { epochMs, eventually } from "../../support/clock.ts";
import { putConnection } from "../../support/connections.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

const flow = `
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setBody: { constant: duplicate }
        - idempotentConsumer: { id: seen, header: id, steps: [{ setBody: { constant: new } }] }
        - idempotentConsumer: { id: other, header: id, steps: [] }
`;

async function send(app: TestApp, id: string): Promise<string> {
  return (await app.post("/api/orders", "", { id })).text();
}

async function get<T>(app: TestApp, path: string): Promise<T> {
  const response = await app.api(path);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as T;
}

test("repositories are listed with their steps, keys are found by their beginnings, and each can be removed", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop.orders", flow);
  assert.deepEqual(await get(app, "/flows/shop.orders/state"), [
    { kind: "idempotent", name: "other", stepId: "other", keys: 0, bytes: 0, oldest: null },
    { kind: "idempotent", name: "seen", stepId: "seen", keys: 0, bytes: 0, oldest: null },
  ]);
  const long = "x".repeat(300);
  for (const id of ["a1", "a 2", "b/3", long]) assert.equal(await send(app, id), "new");
  const [, seen] = await get<{ keys: number; bytes: number; oldest: string }[]>(app, "/flows/shop.orders/state");
  assert.equal(seen?.keys, 4);
  assert.ok((seen?.bytes ?? 0) > 4 * 64);
  assert.ok(Math.abs(Date.parse(seen?.oldest ?? "") - epochMs()) < 60_000);

  type Key = { key: string; at: string; runId: string; digest?: true };
  const keys = await get<Key[]>(app, "/flows/shop.orders/state/seen?prefix=a");
  assert.deepEqual(
    keys.map(({ key }) => key),
    ["a 2", "a1"],
  );
  const run = await get<{ id: string }>(app, `/runs/${keys[0]?.runId}`);
  assert.equal(run.id, keys[0]?.runId);
  const all = await get<Key[]>(app, "/flows/shop.orders/state/seen");
  assert.equal(all.length, 4);
  assert.equal(all.filter(({ digest }) => digest === true).length, 1);
  assert.equal((await get<Key[]>(app, "/flows/shop.orders/state/seen?limit=2")).length, 2);

  const remove = (query: string) => app.api(`/flows/shop.orders/state/seen${query}`, { method: "DELETE" });
  assert.deepEqual(await (await remove("?key=b%2F3")).json(), { name: "seen", removed: 1 });
  assert.equal(await send(app, "b/3"), "new");
  assert.equal(await send(app, "a1"), "duplicate");
  // A long key by its text, and by its digest.
  assert.equal((await remove(`?key=${long}`)).status, 200);
  assert.equal(await send(app, long), "new");
  const digest = all.find((one) => one.digest === true)?.key ?? "";
  assert.equal((await remove(`?key=${encodeURIComponent(digest)}`)).status, 200);
  assert.equal(await send(app, long), "new");
  assert.deepEqual(await (await remove("")).json(), { name: "seen", removed: 4 });
  assert.equal(await send(app, "a1"), "new");
});

test("what is not there is 404, and says where to look", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop.orders", flow);
  for (const [path, init, message] of [
    ["/flows/none/state", {}, /no flow 'none'/],
    ["/flows/shop.orders/state/none", {}, /GET \/_api\/flows\/shop.orders\/state lists them/],
    ["/flows/shop.orders/state/none", { method: "DELETE" }, /keeps nothing as 'none'/],
    ["/flows/shop.orders/state/seen?key=none", { method: "DELETE" }, /has no key 'none'/],
  ] as const) {
    const response = await app.api(path, init);
    assert.equal(response.status, 404, path);
    assert.match(((await response.json()) as { error: string }).error, message);
  }
  assert.equal((await app.api("/flows/shop.orders/state/seen?limit=0")).status, 400);
  assert.equal((await app.api("/flows/shop.orders/state/seen?limit=1001")).status, 400);
});

test("what an earlier revision kept is listed without a step, and a stopped flow's state is found", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop.orders", flow);
  await send(app, "1");
  await app.put("shop.orders", flow.replace("id: other", "id: another"));
  const names = await get<{ name: string; stepId: string | null }[]>(app, "/flows/shop.orders/state");
  assert.deepEqual(
    names.map(({ name, stepId }) => [name, stepId]),
    [
      ["another", "another"],
      ["other", null],
      ["seen", "seen"],
    ],
  );
  assert.equal((await app.api("/flows/shop.orders/stop", { method: "POST" })).status, 200);
  assert.equal((await get<unknown[]>(app, "/flows/shop.orders/state/other")).length, 1);
});

test("a file that was taken once is taken again when its key is removed, without a restart", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "inbox",
    "- route: { id: inbox, from: { uri: 'file:in?noop=true&initialDelay=10&delay=50', steps: [{ log: 'took ${header.CamelFileName}' }] } }",
  );
  const directory = join(app.directory, "files", "inbox", "in");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "a.txt"), "a");
  const took = (times: number) => () => app.logs.filter(({ message }) => message === "took a.txt").length >= times;
  await eventually(took(1), "the file is taken");
  const keys = await eventually(async () => {
    const found = await get<{ key: string; runId: null }[]>(app, "/flows/inbox/state/file:inbox");
    return found.length > 0 ? found : undefined;
  }, "its key is stored");
  assert.match(keys[0]?.key ?? "", /a\.txt$/);
  assert.equal(keys[0]?.runId, null);
  assert.equal((await app.api("/flows/inbox/state/file:inbox", { method: "DELETE" })).status, 200);
  await eventually(took(2), "the file is taken again");
});

test("what a consumer keeps as a value is listed with it, and forgotten as keys are", async (t) => {
  const app = await startTestApp(t);
  await putConnection(app, "db", { kind: "embedded", default: true, flows: ["*"] });
  const table = "sql:create table if not exists rows (id integer primary key)";
  await app.put(
    "fill",
    `- route: { id: fill, from: { uri: webhook, steps: [{ to: '${table}' }, { to: 'sql:insert into rows default values' }] } }`,
  );
  assert.equal((await app.post("/api/fill")).status, 200);
  await app.put(
    "rows",
    "- route: { id: rows, from: { uri: 'sql:select * from rows?onConsume=delete from rows where id = :%23id&initialDelay=10&delay=50', steps: [{ log: 'a row' }] } }",
  );
  await eventually(() => app.logs.some(({ message }) => message === "a row"), "the row is taken");
  const [listed] = await get<{ bytes: number; oldest: string }[]>(app, "/flows/rows/state");
  const { bytes, oldest, ...rest } = listed ?? {};
  assert.deepEqual(rest, { kind: "values", name: "sql:rows", stepId: null, keys: 1 });
  assert.ok((bytes ?? 0) > 64 && oldest !== undefined);
  const [mark] = await get<{ key: string; value: string; runId: null }[]>(app, "/flows/rows/state/sql:rows");
  assert.deepEqual([mark?.key, mark?.value, mark?.runId], ["the source runs", "running", null]);
  const remove = async (query: string): Promise<unknown> =>
    (await app.api(`/flows/rows/state/sql:rows${query}`, { method: "DELETE" })).json();
  assert.deepEqual(await remove("?key=the%20source%20runs"), { name: "sql:rows", removed: 1 });
  assert.deepEqual(await remove(""), { name: "sql:rows", removed: 0 });
  assert.deepEqual(await get(app, "/flows/rows/state"), [
    { kind: "values", name: "sql:rows", stepId: null, keys: 0, bytes: 0, oldest: null },
  ]);
});

test("no database is made for flows that keep nothing, by no request", async (t) => {
  const app = await startTestApp(t);
  await app.put("shop.plain", "- route: { id: plain, from: { uri: webhook, steps: [{ log: x }] } }");
  assert.deepEqual(await get(app, "/flows/shop.plain/state"), []);
  assert.equal((await app.post("/api/plain")).status, 200);
  assert.equal((await app.api("/flows/shop.plain", { method: "DELETE" })).status, 200);
  assert.deepEqual(await readdir(join(app.directory, "data", "state")).catch(() => []), []);
});

test("the scrape has what a flow holds, what it asks, what is refused, and the commits", async (t) => {
  const app = await startTestApp(t, { limits: { stateKeys: 3 } });
  await app.put("shop.orders", flow);
  for (const id of ["1", "1", "2"]) await send(app, id);
  const sample = async (name: string): Promise<number> => {
    const text = await (await app.api("/metrics")).text();
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1) ?? Number.NaN,
    );
  };
  // Each repository has one key. The second message has room in the first repository, not in the other, and fails.
  await eventually(async () => (await sample('bulkhead_state_keys{flow="shop.orders"}')) === 2, "keys are reported");
  assert.ok((await sample('bulkhead_state_bytes{flow="shop.orders"}')) > 2 * 64);
  assert.equal(await sample('bulkhead_state_operations_total{flow="shop.orders",operation="claim"}'), 6);
  assert.equal(await sample('bulkhead_state_failures_total{flow="shop.orders",code="limit"}'), 1);
  assert.ok((await sample("bulkhead_state_commit_seconds_count")) >= 1);
});
