/** Flows that store and read in an embedded database, by sql, jdbc and a poll, and what they notice of losses. */
import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { putConnection, stateOf } from "../../support/connections.ts";
import { databaseProcess } from "../../support/embedded.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";

interface EmbeddedApp extends TestApp {
  /** Deploys steps behind a webhook; returns the text of the answer to each body. */
  flow(id: string, steps: string): Promise<(body?: unknown) => Promise<string>>;
  failure(routeId: string): Promise<string>;
}

const json = { "Content-Type": "application/json" };

async function startEmbedded(
  t: TestContext,
  document: Readonly<Record<string, unknown>> = {},
  options: TestAppOptions = {},
): Promise<EmbeddedApp> {
  const app = await startTestApp(t, options);
  const put = await putConnection(app, "db", { kind: "embedded", default: true, flows: ["*"], ...document });
  assert.ok(put.ok, await put.text());
  return {
    ...app,
    async flow(id, steps) {
      const answer = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }`);
      assert.ok(answer.ok, await answer.text());
      return async (body = {}) => (await app.post(`/api/${id}`, JSON.stringify(body), json)).text();
    },
    async failure(routeId) {
      const runs = (await (await app.api(`/runs?routeId=${routeId}&limit=1`)).json()) as readonly {
        readonly error?: { readonly type: string; readonly message: string };
      }[];
      const { type, message } = runs[0]?.error ?? {};
      return `${type}: ${message}`;
    },
  };
}

test("a flow stores and reads without a server; the database is a file of the data directory", async (t) => {
  const app = await startEmbedded(t);
  const make = await app.flow(
    "make",
    `{ to: "sql:create table if not exists orders (id integer primary key, customer text)" }`,
  );
  const store = await app.flow("store", `{ to: "sql:insert into orders (customer) values (:#customer)" }`);
  const list = await app.flow("list", `{ to: "sql:select * from orders order by id" }, { marshal: { json: {} } }`);
  await make();
  await store({ customer: "Ada" });
  assert.equal(await list(), '[{"id":1,"customer":"Ada"}]');
  assert.ok((await stat(join(app.directory, "data", "databases", "db", "db.sqlite"))).isFile());
  assert.equal((await stateOf(app, "db"))["status"], "ok");
  assert.match(await (await app.api("/metrics")).text(), /^bulkhead_embedded_processes 1$/m);
  const trial = await (await app.api("/connections/db/test", { method: "POST" })).json();
  assert.match((trial as { serverVersion: string }).serverVersion, /^SQLite 3\./);
});

test("a document that is tried makes no file", async (t) => {
  const app = await startEmbedded(t);
  const body = JSON.stringify({ document: { kind: "embedded" } });
  const trial = await (await app.api("/connections/fresh/test", { method: "POST", headers: json, body })).json();
  assert.match((trial as { serverVersion: string }).serverVersion, /^SQLite 3\./);
  assert.deepEqual(await readdir(join(app.directory, "data", "databases", "fresh")), []);
});

test("null, lists in lists and whole numbers come back as they were sent", async (t) => {
  const app = await startEmbedded(t);
  const ask = await app.flow(
    "ask",
    `{ to: "sql:select :#\${body[n]} as n, :#\${body[list]} as list, :#\${body[none]} as none?outputType=SelectOne" }, { marshal: { json: {} } }`,
  );
  assert.equal(
    await ask({ n: 9_007_199_254_740_991, list: [[1], [2, null]], none: null }),
    '{"n":9007199254740991,"list":"[[1],[2,null]]","none":null}',
  );
});

test("generated keys come also when a comment ends the statement", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table notes (id integer primary key, text text)" }`))();
  const keys = await app.flow(
    "keys",
    `{ setHeader: { name: CamelSqlRetrieveGeneratedKeys, constant: { expression: "true", resultType: boolean } } }, { to: "sql:insert into notes (text) values ('a') -- one" }, { setBody: { simple: "\${header.CamelSqlGeneratedKeyRows}" } }, { marshal: { json: {} } }`,
  );
  assert.match(await keys(), /"id":1/);
});

test("values keep all their digits; a batch is stored as a whole or not at all, and gives its keys", async (t) => {
  const app = await startEmbedded(t);
  const make = await app.flow(
    "make",
    `{ to: "sql:create table t (id integer primary key, name text, amount integer) strict" }`,
  );
  await make();
  const batch = await app.flow(
    "batch",
    `{ unmarshal: { json: {} } }, { setHeader: { name: CamelSqlRetrieveGeneratedKeys, constant: "true" } }, { setHeader: { name: CamelSqlGeneratedColumns, constant: id } },
     { to: { uri: "sql:insert into t (name, amount) values (:#name, :#amount)", parameters: { batch: true } } },
     { setBody: { simple: "\${header.CamelSqlUpdateCount} \${header.CamelSqlGeneratedKeysRowCount} \${header.CamelSqlGeneratedKeyRows}" } }`,
  );
  const rows = [
    { name: "a", amount: 1 },
    { name: "b", amount: "9007199254740993" },
  ];
  assert.equal(await batch(rows), "2 2 [{id=1}, {id=2}]");
  await batch([
    { name: "c", amount: 3 },
    { name: "d", amount: "no number" },
  ]);
  assert.match(
    await app.failure("batch"),
    /DataIntegrityViolationException: cannot store TEXT value in INTEGER column/,
  );
  const types = await app.flow(
    "types",
    `{ to: "sql:select name, amount, x'0041' as bytes, null as gone, 1.5 as part from t order by id" }, { marshal: { json: {} } }`,
  );
  const typed = await types();
  assert.equal(
    typed.includes("error") ? await app.failure("types") : typed,
    '[{"name":"a","amount":1,"bytes":"AEE=","gone":null,"part":1.5},{"name":"b","amount":9007199254740993,"bytes":"AEE=","gone":null,"part":1.5}]',
  );
  const one = await app.flow(
    "one",
    `{ to: { uri: "sql:select amount from t where name = :#name", parameters: { outputType: SelectOne } } }`,
  );
  assert.equal(await one({ name: "a" }), "1");
});

test("rows are read while split takes them, in a transaction, too", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (a integer)" }`))();
  const series = "with recursive s(n) as (select 1 union all select n + 1 from s where n < 20000) select n from s";
  const stream = (before: string): string =>
    `${before}
    { to: { uri: "sql:${series} where n > :#from", parameters: { outputType: StreamList, fetchSize: 100, template.maxRows: 15000 } } },
    { split: { simple: "\${body}", streaming: true, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy", steps: [
      { filter: { simple: "\${body[n]} == 15010", steps: [{ to: "sql:insert into t (a) values (:#\${body[n]})" }] } } ] } },
    { setBody: { simple: "\${body[n]}" } }`.replaceAll(/\s*\n\s*/g, " ");
  const limits = { splitItems: 100_000 };
  for (const [id, before] of [
    ["plain", ""],
    ["within", "{ transacted: {} },"],
  ] as const) {
    const put = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${stream(before)}] } }`, {
      limits,
    });
    assert.ok(put.ok, await put.text());
    assert.equal(await (await app.post(`/api/${id}`, '{"from":10}', json)).text(), "15010", await app.failure(id));
  }
  const count = await app.flow("count", `{ to: "sql:select a from t?outputType=SelectOne" }`);
  await count();
  assert.match(await app.failure("count"), /yields 2 rows/);
});

test("transacted steps are stored together or not at all, and transactions at once take turns", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (a text)" }`))();
  const fail = `{ filter: { simple: "\${body[fail]} == true", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] } }`;
  const two = await app.flow(
    "two",
    `{ transacted: {} }, { to: "sql:insert into t values ('one')" }, { delay: { constant: 20 } }, { to: "sql:insert into t values ('two')" }, ${fail}`,
  );
  const count = await app.flow("count", `{ to: "sql:select count(*) from t?outputType=SelectOne" }`);
  await two({ fail: true });
  assert.match(await app.failure("two"), /no/);
  assert.equal(await count(), "0");
  await Promise.all(Array.from({ length: 20 }, () => two({ fail: false })));
  assert.equal(await count(), "40");
});

test("failures have the classes that Camel's users know, and the neighbours of a statement without end are told", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (id integer primary key)" }`))();
  const double = await app.flow("double", `{ to: "sql:insert into t values (1)" }`);
  await double();
  await double();
  assert.match(
    await app.failure("double"),
    /^org\.springframework\.dao\.DuplicateKeyException: UNIQUE constraint failed/,
  );
  await (await app.flow("grammar", `{ to: "sql:selec 1" }`))();
  assert.match(await app.failure("grammar"), /^org\.springframework\.jdbc\.BadSqlGrammarException/);
  await (await app.flow("attach", `{ to: "sql:attach 'x' as y" }`))();
  assert.match(await app.failure("attach"), /^org\.springframework\.dao\.PermissionDenied.*ATTACH, DETACH and VACUUM/);
  await (await app.flow("stored", `{ to: "sql-stored:ADD_UP(INTEGER 1, OUT INTEGER sum)" }`))();
  assert.match(await app.failure("stored"), /this database has no procedures: write the statements with sql/);
  const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";
  const slow = await app.flow("slow", `{ to: { uri: "sql:${endless}", parameters: { template.queryTimeout: 1 } } }`);
  await slow();
  assert.match(
    await app.failure("slow"),
    /a statement takes at most 1000 ms \(template\.queryTimeout of the endpoint\): raise it/,
  );
  const count = await app.flow("count", `{ to: "sql:select count(*) from t?outputType=SelectOne" }`);
  const back = await eventually(async () => ((await count()) === "1" ? "1" : undefined), "the database is open again");
  assert.equal(back, "1");
  assert.ok(app.logs.some(({ message }) => /embedded databases of 'db' are opened anew: .*SIGKILL/.test(message)));
});

test("greedy polls again at once while there are rows, and not after a poll without any", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (id integer primary key)" }`))();
  await (await app.flow("fill", `{ to: "sql:insert into t values (1), (2), (3)" }`))();
  // Without `greedy` the second row would come after an hour.
  const often = `delay: 3600000, initialDelay: 0, maxMessagesPerPoll: 1, greedy: true`;
  const query = `query: "select id from t order by id", onConsume: "delete from t where id = :#id"`;
  const put = await app.put(
    "poll",
    `- route: { id: poll, from: { uri: sql, parameters: { ${query}, ${often} }, steps: [{ log: "row \${body[id]}" }] } }`,
  );
  assert.ok(put.ok, await put.text());
  const rows = (): string[] => app.logs.map(({ message }) => message).filter((message) => message.startsWith("row "));
  await eventually(() => rows().length === 3, "all three");
  assert.deepEqual(rows(), ["row 1", "row 2", "row 3"]);
});

test("jdbc takes the statement from the body, with keys, parameters and a transaction", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (id integer primary key, name text)" }`))();
  const insert = await app.flow(
    "insert",
    `{ setHeader: { name: CamelRetrieveGeneratedKeys, constant: "true" } }, { setBody: { constant: "insert into t (name) values ('a?'), ('b')" } }, { to: "jdbc:db" },
     { setBody: { simple: "\${header.CamelJdbcUpdateCount} \${header.CamelGeneratedKeysRows}" } }`,
  );
  assert.equal(await insert(), "2 [{id=1, name=a?}, {id=2, name=b}]");
  const named = await app.flow(
    "named",
    `{ setHeader: { name: who, constant: b } }, { setBody: { constant: "select id from t where name = :?who" } }, { to: "spring-jdbc:default?useHeadersAsParameters=true&outputType=SelectOne" }`,
  );
  assert.equal(await named(), "2");
  const undone = await app.flow(
    "undone",
    `{ setBody: { constant: "delete from t" } }, { to: "jdbc:db?transacted=true" }, { throwException: { exceptionType: java.io.IOException, message: no } }`,
  );
  await undone();
  assert.equal(await named(), "2");
});

test("rows that are polled are marked in the same transaction, and come again when the process was killed", async (t) => {
  const app = await startEmbedded(t);
  await (
    await app.flow("make", `{ to: "sql:create table jobs (id integer primary key, state text default 'new')" }`)
  )();
  await (await app.flow("seen", `{ to: "sql:create table seen (id integer)" }`))();
  const add = await app.flow("add", `{ to: "sql:insert into jobs (id) values (:#id)" }`);
  for (let id = 1; id <= 40; id += 1) await add({ id });
  const query = "select * from jobs where state = 'new' order by id";
  const poll = `query: "${query}", initialDelay: 10, delay: 50, transacted: true, onConsume: "update jobs set state = 'done' where id = :#id"`;
  const put = await app.put(
    "poll",
    `- route: { id: poll, from: { uri: sql, parameters: { ${poll} }, steps: [{ delay: { constant: 20 } }, { to: "sql:insert into seen values (:#id)" }] } }`,
  );
  assert.ok(put.ok, await put.text());
  const count = await app.flow("count", `{ to: "sql:select count(*) from seen?outputType=SelectOne" }`);
  await eventually(async () => Number(await count()) > 5, "some are done");
  process.kill(databaseProcess(join(app.directory, "data", "databases", "db")) as number, "SIGKILL");
  await eventually(async () => (await count()) === "40", "all are done, each once");
  const distinct = await app.flow("distinct", `{ to: "sql:select count(distinct id) from seen?outputType=SelectOne" }`);
  assert.equal(await distinct(), "40");
});

test("DELETE of the connection keeps the file, and another of the same name has it again", async (t) => {
  const app = await startEmbedded(t);
  await (await app.flow("make", `{ to: "sql:create table t (a text)" }`))();
  for (const id of ["make"]) assert.ok((await app.api(`/flows/${id}`, { method: "DELETE" })).ok);
  assert.ok((await app.api("/connections/db", { method: "DELETE" })).ok);
  await putConnection(app, "db", { kind: "embedded", default: true, flows: ["*"], options: { quotaMiB: 1 } });
  const count = await app.flow("count", `{ to: "sql:select count(*) from t?outputType=SelectOne" }`);
  assert.equal(await count(), "0");
  const big = await app.flow("big", `{ to: "sql:insert into t values (zeroblob(2000000))" }`);
  await big();
  assert.match(await app.failure("big"), /DataAccessResourceFailureException: the database is full/);
});
