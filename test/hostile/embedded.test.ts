/** Hostile SQL in embedded databases: each statement ends with a reason, what was stored stays, and the neighbour's group notices nothing. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabases, RequestFailed, type TestClient } from "../support/embedded.ts";

interface HostileSql {
  readonly name: string;
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** What its caller is told. */
  readonly told: RegExp;
  /** It is ended by the end of its process; `withinMs`: after this time. "perhaps": where nothing else limits its memory. */
  readonly costsProcess?: true | "perhaps";
  readonly withinMs?: number;
}

const endless = "with recursive c(x) as (select 1 union all select x + 1 from c)";
const elsewhere = join(tmpdir(), "embedded-elsewhere.sqlite");

const statements: readonly HostileSql[] = [
  {
    name: "a query without end",
    sql: `${endless} select count(*) from c`,
    told: /did not end within 1000 ms, and its process was killed/,
    costsProcess: true,
    withinMs: 1000,
  },
  { name: "an insert without end", sql: `insert into t ${endless} select x from c`, told: /the database is full/ },
  { name: "a blob of 900 MB", sql: "select zeroblob(900000000) || x'00'", told: /longer than 16 MiB|more memory/ },
  {
    name: "a text that doubles without end",
    sql: "with recursive c(x) as (select 'xxxxxxxx' union all select x || x from c) select count(*), max(length(x)) from c",
    told: /longer than 16 MiB|more memory/,
  },
  {
    name: "a sort of what does not fit into memory",
    sql: `${endless} select max(y) from (select randomblob(100000) as y from c limit 20000) group by y order by 1`,
    told: /more memory|used \d+ bytes of memory|did not end/,
    costsProcess: "perhaps",
  },
  { name: "more rows than an answer may have", sql: `${endless} select x from c`, told: /^full$/ },
  { name: "another file", sql: `attach '${elsewhere}' as other`, told: /ATTACH, DETACH and VACUUM are not allowed/ },
  {
    name: "a copy to another file",
    sql: `vacuum into '${elsewhere}'`,
    told: /ATTACH, DETACH and VACUUM are not allowed/,
  },
  { name: "a detached database", sql: "detach main", told: /ATTACH, DETACH and VACUUM are not allowed/ },
  { name: "an extension", sql: "select load_extension('libc.so.6')", told: /load_extension is not allowed/ },
  {
    name: "a function that writes files",
    sql: `select writefile('${elsewhere}', 'x')`,
    told: /no such function: writefile/,
  },
  { name: "a function that reads files", sql: "select readfile('/etc/passwd')", told: /no such function: readfile/ },
  { name: "tables of the system", sql: "pragma writable_schema = on", told: /PRAGMA writable_schema is not allowed/ },
  { name: "a larger quota", sql: "pragma max_page_count = 1000000", told: /PRAGMA max_page_count is not allowed/ },
  { name: "commits that are not durable", sql: "pragma synchronous = off", told: /PRAGMA synchronous is not allowed/ },
  { name: "another journal", sql: "pragma journal_mode = off", told: /PRAGMA journal_mode is not allowed/ },
  { name: "a pragma as a table", sql: "select * from pragma_journal_mode", told: /PRAGMA journal_mode is not allowed/ },
  {
    name: "temporary files elsewhere",
    sql: "pragma temp_store_directory = '/tmp'",
    told: /PRAGMA temp_store_directory is not allowed/,
  },
  { name: "a temporary table", sql: "create temp table x (a)", told: /temporary tables, views and triggers/ },
  { name: "a virtual table", sql: "create virtual table x using fts5(a)", told: /virtual tables are not allowed/ },
  { name: "a transaction of its own", sql: "begin exclusive", told: /transactions are the runtime's/ },
  { name: "a lock that stays", sql: "savepoint s", told: /transactions are the runtime's/ },
  { name: "a second statement", sql: "select 1; delete from t", told: /a query is one statement/ },
  { name: "the schema itself", sql: "delete from sqlite_master", told: /may not be modified/ },
  {
    name: "a value that is no value",
    sql: "select ?",
    values: [{ a: 1 }],
    told: /a value is a text, a number, bytes or null/,
  },
];

async function told(client: TestClient, { sql, values = [], withinMs = 20_000 }: HostileSql): Promise<string> {
  try {
    const [kind] = await client.askWithin(withinMs, "run", 1_000_000, sql, ...values);
    return kind === "full" ? "full" : "ended well";
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    return error.message;
  }
}

test("hostile statements end with a reason, and neither what was stored nor another group notices", async (t) => {
  const { client, databases, directory } = await openDatabases(t, { embeddedMemoryBytes: 2 ** 27 });
  const near = client({ name: "near.db" });
  await near.run("create table n (a)");
  const setUp = client({ quotaBytes: 2 ** 24 });
  await setUp.run("create table t (a)");
  await setUp.run("insert into t values ('stored')");
  setUp.end();
  const [nearPid] = databases.status().map(({ pid }) => pid);
  for (const hostile of statements) {
    await t.test(hostile.name, async () => {
      const attacker = client({ quotaBytes: 2 ** 24 });
      const before = databases.status().find(({ group }) => group === "shop")?.restarts;
      const [reason, neighbour] = await Promise.all([told(attacker, hostile), near.run("insert into n values (1)")]);
      assert.match(reason, hostile.told);
      assert.deepEqual(neighbour, [1]);
      const after = databases.status().find(({ group }) => group === "shop")?.restarts;
      if (hostile.costsProcess !== "perhaps")
        assert.equal(after !== before, hostile.costsProcess === true, "its process was killed");
      attacker.end();
      const again = client({ quotaBytes: 2 ** 24 });
      assert.deepEqual(await again.run("select a from t"), ["stored"]);
      again.end();
    });
  }
  assert.equal(databases.status().find(({ group }) => group === "near")?.pid, nearPid);
  assert.equal(databases.status().find(({ group }) => group === "near")?.restarts, 0);
  assert.deepEqual(
    (await readdir(join(directory, "shop"))).filter((name) => !/^shop\.orders\.sqlite(-wal|-shm)?$/.test(name)),
    [],
  );
  await assert.rejects(readFile(elsewhere));
});
