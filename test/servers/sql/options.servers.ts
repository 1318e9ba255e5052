/** Options of sql endpoints, against real databases: which database, which marks, whose statement; values of every type. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../databases.ts";
import { connectionTo, putConnection } from "./connection-document.ts";
import { appFor, lastFailure } from "./sql-flow.ts";

interface Problem {
  readonly code: string;
  readonly message: string;
}

const ofTypes = {
  postgres: `select 12345678901234567890::numeric a, 9007199254740993::int8 b, 12.50::numeric c, 0.1234567890123456789::numeric d, true e, null f,
    timestamp '2024-01-02 03:04:05.678' g, date '2024-01-02' h, array[1, null, 3] i, '{"k": [1, 12345678901234567890]}'::jsonb j, '\\x0041'::bytea k, 'a#?'::text l, 1.5::float8 m, '1 day'::interval n`,
  mysql: `select cast(12345678901234567890 as decimal(30)) a, 9007199254740993 b, cast(12.50 as decimal(10, 2)) c, cast('0.1234567890123456789' as decimal(30, 19)) d, flag e, null f,
    timestamp '2024-01-02 03:04:05.678' g, date '2024-01-02' h, doc j, x'0041' k, 'a#?' l, 1.5e0 m from typed`,
} as const;

const jsonOfTypes = {
  postgres:
    '{"a":12345678901234567890,"b":9007199254740993,"c":12.5,"d":"0.1234567890123456789","e":true,"f":null,"g":"2024-01-02 03:04:05.678","h":"2024-01-02","i":[1,null,3],"j":{"k":[1,12345678901234567890]},"k":"AEE=","l":"a#?","m":1.5,"n":"1 day"}',
  mysql:
    '{"a":12345678901234567890,"b":9007199254740993,"c":12.5,"d":"0.1234567890123456789","e":true,"f":null,"g":"2024-01-02 03:04:05.678","h":"2024-01-02","j":{"k":[1,2]},"k":"AEE=","l":"a#?","m":1.5}',
} as const;

for (const database of databases) {
  test(database.name, async (t) => {
    const server = await database.start();
    t.after(() => server.close());
    const { kind, host, port } = server;
    const { app, flow } = await appFor(t, server, {
      secrets: { "_shared/DB_PASSWORD": server.password },
      egressAllow: `${host}:${port}`,
    });
    await server.query("create table t (id int primary key, name text)");
    if (kind === "mysql") {
      await server.query("create table typed (flag boolean, doc json)");
      await server.query(`insert into typed values (true, '{"k": [1, 2]}')`);
    }

    await t.test("the database is the default connection, a named one, or a server of the endpoint's own", async () => {
      await putConnection(app, "other", connectionTo(server, { flows: ["*"] }));
      const named = await flow("named", `{ to: { uri: "sql:select 1 as one", parameters: { dataSource: "#other" } } }`);
      assert.equal((await named()).text, '[{"one":1}]');
      const parameters = `kind: ${kind}, host: ${host}, port: ${port}, databaseName: ${server.database}, username: ${server.username}, password: "{{secret:DB_PASSWORD}}"`;
      const own = await flow("own", `{ to: { uri: "sql:select 2 as two", parameters: { ${parameters} } } }`);
      assert.equal((await own()).text, '[{"two":2}]');
      const encrypted = await flow(
        "encrypted",
        `{ to: { uri: "sql:select 3", parameters: { ${parameters}, tls: true } } }`,
      );
      assert.equal((await encrypted()).status, 500);
      assert.match(await lastFailure(app, "encrypted"), /does not support (?:SSL|secure) connect/i);
      const missing = await app.put(
        "missing",
        `- from: { uri: webhook, steps: [{ to: "sql:select 1?dataSource=#nowhere" }] }`,
      );
      assert.equal(missing.status, 409);
      assert.match(await missing.text(), /nowhere/);
    });

    await t.test("values keep all their digits, and are what JSON and templates make of them", async () => {
      const types = await flow(
        "types",
        `{ to: { uri: "sql:mem:${encodeURIComponent(ofTypes[kind])}", parameters: { outputType: SelectOne, usePlaceholder: false } } }, { marshal: { json: {} } }`,
      );
      const answer = await types();
      assert.equal(answer.text || (await lastFailure(app, "types")), jsonOfTypes[kind]);
    });

    await t.test("marks are what the options make of them", async () => {
      const cast = kind === "postgres" ? "::text" : "";
      const plain = await flow(
        "plain",
        `{ unmarshal: { json: {} } }, { to: { uri: sql, parameters: { query: "select '#' as a, ?${cast} as b", usePlaceholder: false, outputType: SelectOne } } }`,
      );
      assert.equal((await plain(["v"])).text, '{"a":"#","b":"v"}');
      const other = await flow(
        "other",
        `{ setBody: { constant: "x;y" } }, { to: { uri: sql, parameters: { query: "select §${cast} as a, §${cast} as b", placeholder: "§", separator: ";", allowNamedParameters: false, outputType: SelectOne } } }`,
      );
      assert.equal((await other()).text, '{"a":"x","b":"y"}');
    });

    await t.test("a message brings the statement where it may, and one that ends transactions is refused", async () => {
      const body = await flow(
        "body",
        `{ setHeader: { name: CamelSqlParameters, simple: "\${header.values}" } }, { to: { uri: "sql:x", parameters: { useMessageBodyForSql: true } } }`,
      );
      const answer = await app.post("/api/body", "select 5 as n", { values: "" });
      assert.equal(await answer.text(), '[{"n":5}]');
      const header = await flow(
        "header",
        `{ setHeader: { name: CamelSqlQuery, constant: "select 6 as n" } }, { to: "sql:select 1" }`,
      );
      assert.equal((await header()).text, '[{"n":6}]');
      await body("commit");
      assert.match(
        await lastFailure(app, "body"),
        /would begin or end a transaction of its own: write the step transacted/,
      );
    });

    await t.test("noop, fetchSize and a header keep the body, and a query's rows may be bounded", async () => {
      await server.query("insert into t values (1, 'a'), (2, 'b'), (3, 'c')");
      const noop = await flow(
        "noop",
        `{ to: { uri: "sql:select id from t order by id", parameters: { noop: true, template.maxRows: 2 } } }, { setBody: { simple: "\${body} \${header.CamelSqlRowCount}" } }`,
      );
      assert.equal((await noop("kept")).text, "kept 2");
      const few = await app.put(
        "few",
        `- route: { id: few, from: { uri: webhook, steps: [{ to: "sql:select a.name from t a, t b, t c, t d, t e, t f, t g" }] } }`,
        { limits: { outboundResponseBytes: 20_000 } },
      );
      assert.ok(few.ok, await few.text());
      await app.post("/api/few", "");
      assert.match(await lastFailure(app, "few"), /rows of a result have at most 20000 bytes.*StreamList/);
    });

    await t.test("what the check says: data in a statement, options that cannot be", async () => {
      const check = async (step: string): Promise<readonly Problem[]> => {
        const body = `- from: { uri: webhook, steps: [${step}] }`;
        const answer = await app.api("/flows/checked/validate", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ yaml: body }),
        });
        const { diagnostics } = (await answer.json()) as { readonly diagnostics: readonly Problem[] };
        return diagnostics;
      };
      const said = await check(`{ toD: "sql:select * from t where id = \${body}" }`);
      const warning = said.find(({ code }) => code === "data_in_path");
      assert.match(`${warning?.code}: ${warning?.message}`, /^data_in_path: .*where id = :#\$\{body\}/);
      for (const [parameters, problem] of [
        ["outputClass: org.acme.Row", /rows are maps/],
        ["batchAutoCommitDisabled: false", /a batch is one transaction/],
        ["host: db", /host needs kind/],
        ["username: u", /describes a server of the endpoint's own/],
        ["host: db, kind: mysql, dataSource: '#x'", /leave one of them out/],
        ["batch: true, outputType: StreamList", /a batch yields no rows/],
        ["query: 'begin', allowNamedParameters: true", /would begin or end a transaction/],
        ["placeholder: ''", /placeholder/],
      ] as const) {
        const found = await check(
          `{ to: { uri: "sql", parameters: { ${parameters.includes("query") ? "" : "query: 'select 1', "}${parameters} } } }`,
        );
        assert.match(found.map(({ message }) => message).join("\n"), problem, parameters);
      }
    });
  });
}
