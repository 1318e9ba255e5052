/** Embedded databases without flows: values, transactions, quotas, and what becomes of requests when their process ends. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { cpuMsOf } from "../../../src/control/threads/hosts/proc.ts";
import { eventually } from "../../support/clock.ts";
import { openDatabases, RequestFailed, type TestClient } from "../../support/embedded.ts";

const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";

async function failure(work: Promise<unknown>): Promise<RequestFailed["failure"]> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof RequestFailed, "it has failed");
  return error.failure;
}

test("values keep all digits and bytes, and a database is a file of the connection's name", async (t) => {
  const { client, directory } = await openDatabases(t);
  const one = client();
  await one.run("create table t (id integer primary key, a, b text)");
  assert.deepEqual(await one.run("insert into t (a, b) values (?, ?)", 9007199254740993n, 5), [1]);
  await one.run("insert into t (a, b) values (?, ?)", new Uint8Array([0, 255]), null);
  await one.run("insert into t (a, b) values (?, ?)", 1.5, "ä");
  assert.deepEqual(await one.run("select a, b from t order by id"), [
    9007199254740993n,
    "5",
    new Uint8Array([0, 255]),
    null,
    1.5,
    "ä",
  ]);
  assert.match(
    (await failure(one.run("insert into t (a) values (?)", Number.NaN))).message,
    /NaN is no value of SQLite/,
  );
  assert.deepEqual(await one.run("select count(*) from t"), [3]);
  const { mode } = await stat(join(directory, "shop", "shop.orders.sqlite"));
  assert.equal(mode & 0o777, 0o600);
});

test("columns have the table that they come from", async (t) => {
  const { client } = await openDatabases(t);
  const one = client();
  await one.run("create table t (id integer primary key, a text)");
  assert.deepEqual(await one.ask("run", 1000, "select id as number, 1 + 1 as two from t"), [
    ...["rows", 2, "number", "t", "id", "two", null, null],
  ]);
});

test("a query is read in parts, and its rows have a bound", async (t) => {
  const { client } = await openDatabases(t);
  const one = client();
  await one.run("create table t (a)");
  await one.ask("batch", 1000, "insert into t values (?)", 1, 1, 2, 3, 4, 5);
  assert.deepEqual((await one.ask("open", 1000, "select a from t", 1, 2)).slice(5), [1, 2]);
  assert.deepEqual((await one.ask("fetch", 1000, 1, 2)).slice(5), [3, 4]);
  assert.deepEqual((await one.ask("fetch", 1000, 1, 2)).slice(5), [5]);
  await one.ask("shut", 1);
  assert.match((await failure(one.ask("fetch", 1000, 1, 2))).message, /ended/);
  assert.deepEqual(await one.ask("run", 20, "select a from t"), ["full"]);
});

test("a statement with another behind it, and one with a parameter too few, is refused", async (t) => {
  const { client } = await openDatabases(t);
  const one = client();
  await one.run("create table t (a)");
  assert.match((await failure(one.run("insert into t values (1); drop table t"))).message, /one statement/);
  assert.deepEqual(await one.run("select count(*) from t; -- all of them"), [0]);
  assert.match((await failure(one.run("insert into t values (?), (:more)", 1))).message, /has 2 parameters/);
  assert.match((await failure(one.run(" -- nothing"))).message, /no statements/);
});

test("one client writes at a time: others wait for its end, and not for longer than they may", async (t) => {
  const { client } = await openDatabases(t);
  const one = client();
  const two = client();
  const three = client({ lockWaitMs: 50 });
  await one.run("create table t (a)");
  await one.ask("begin");
  await one.run("insert into t values (1)");
  const waiting = two.run("insert into t values (2)");
  const late = await failure(three.ask("begin"));
  assert.equal(late.state, "40001");
  assert.match(late.message, /more than 50 ms \(option lockWaitMs/);
  assert.deepEqual(await two.run("select count(*) from t").catch(() => "not yet"), [0]);
  await one.run("insert into t values (3)");
  await one.ask("commit");
  assert.deepEqual(await waiting, [1]);
  assert.deepEqual(await three.run("select a from t order by rowid"), [1, 3, 2]);
});

test("a client that is closed rolls its transaction back", async (t) => {
  const { client } = await openDatabases(t);
  const one = client();
  const two = client();
  await one.run("create table t (a)");
  await one.ask("begin");
  await one.run("insert into t values (1)");
  const waiting = two.run("insert into t values (2)");
  one.end();
  await waiting;
  assert.deepEqual(await two.run("select a from t"), [2]);
});

test("a statement that does not end gets its process killed: others are told, what was acknowledged stays, what was not is rolled back", async (t) => {
  const { client, log, databases } = await openDatabases(t);
  const one = client();
  const other = client();
  const neighbour = client({ name: "other.db" });
  await one.run("create table t (a)");
  await one.run("insert into t values ('acknowledged')");
  await other.ask("begin");
  await other.run("insert into t values ('open')");
  const [pid] = databases.status().map((group) => group.pid);
  const culprit = failure(one.askWithin(300, "run", 1000, endless));
  const queued = failure(other.ask("commit"));
  assert.deepEqual(await neighbour.run("select 1"), [1]);
  assert.deepEqual(await culprit, {
    ...{ code: 0, state: "57014" },
    message: "the statement did not end within 300 ms, and its process was killed",
  });
  const told = await queued;
  assert.equal(told.state, "57P01");
  assert.match(told.message, /'shop' were opened anew: .*did not end within 300 ms.*; this statement was not done$/);
  assert.match(await other.lost, /opened anew/);
  const again = client();
  assert.deepEqual(await again.run("select a from t"), ["acknowledged"]);
  assert.notEqual(databases.status()[0]?.pid, pid);
  assert.match(log.join("\n"), /'shop' are opened anew: process \d+ ended with SIGKILL/);
  assert.deepEqual(await neighbour.run("select 2"), [2]);
});

test("a request that is cancelled before it begins changes nothing, and its process lives", async (t) => {
  const { client, databases } = await openDatabases(t);
  const one = client();
  const two = client();
  await one.run("create table t (a)");
  await one.ask("begin");
  const cancelled = await failure(two.askWithin(50, "run", 1000, "insert into t values (1)"));
  assert.equal(cancelled.message, "the statement did not end within 50 ms");
  await one.ask("commit");
  assert.deepEqual(await two.run("select count(*) from t"), [0]);
  assert.equal(databases.status()[0]?.restarts, 0);
});

test("a process that is killed from outside is replaced: what was acknowledged is there, and a running statement's fate is not made up", async (t) => {
  const { client, databases } = await openDatabases(t);
  const one = client();
  await one.run("create table t (a)");
  for (let n = 0; n < 20; n += 1) await one.run("insert into t values (?)", n);
  const running = failure(one.run(endless));
  const pid = databases.status()[0]?.pid as number;
  const before = cpuMsOf(pid, pid) ?? 0;
  await eventually(() => (cpuMsOf(pid, pid) ?? 0) > before + 100, "the statement runs");
  process.kill(pid, "SIGKILL");
  assert.match((await running).message, /it is not known whether this statement was done$/);
  const again = client();
  assert.deepEqual(await again.run("select count(*) from t"), [20]);
});

test("the quota is the file's: what exceeds it fails, and what was stored stays", async (t) => {
  const { client } = await openDatabases(t);
  const one: TestClient = client({ quotaBytes: 2 ** 20 });
  await one.run("create table t (a)");
  await one.run("insert into t values ('first')");
  const full = await failure(one.run("insert into t values (zeroblob(2000000))"));
  assert.equal(full.code, 13);
  assert.match(full.message, /option quotaMiB/);
  assert.deepEqual(await one.run("select a from t"), ["first"]);
});

test("a copy is made while a transaction is open, and has what was acknowledged", async (t) => {
  const { client, databases, directory } = await openDatabases(t);
  const one = client();
  await one.run("create table t (a)");
  await one.run("insert into t values ('stored')");
  await one.ask("begin");
  await one.run("insert into t values ('open')");
  const names: string[] = [];
  for await (const { name, bytes, content } of databases.copies()) {
    names.push(name);
    const parts: Uint8Array[] = [];
    for await (const part of content()) parts.push(part);
    const whole = Buffer.concat(parts);
    assert.equal(whole.length, bytes);
    assert.ok(whole.includes("stored") && !whole.includes("open"));
  }
  assert.deepEqual(names, ["shop/shop.orders.sqlite"]);
  await assert.rejects(stat(join(directory, "shop", ".copy")));
});
