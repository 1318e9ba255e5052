/** The kamelets for databases: what one has written the other polls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/start-app.ts";
import { databases } from "../databases.ts";
import { appFor } from "./sql-flow.ts";

for (const database of databases) {
  test(database.name, async (t) => {
    const server = await database.start();
    t.after(() => server.close());
    const { app, flow } = await appFor(t, server, {
      egressAllow: `${server.host}:${server.port}`,
      secrets: { "_shared/DB_PASSWORD": server.password },
    });
    await server.query("create table accounts (name varchar(40) primary key, city text)");
    const own = `serverName: ${server.host}, serverPort: ${server.port}, databaseName: ${server.database}, username: ${server.username}, password: "{{secret:DB_PASSWORD}}"`;
    for (const name of server.kind === "postgres" ? ["postgresql"] : ["mysql", "mariadb"]) {
      const sink = await flow(
        `${name}-in`,
        `{ to: { uri: kamelet:${name}-sink, parameters: { ${own}, query: "insert into accounts values (:#name, :#city)" } } }`,
      );
      const answer = await sink('{"name": "oscar", "city": "Rome"}');
      assert.equal(answer.status, 200, answer.text);
      const source = `{ uri: kamelet:${name}-source, parameters: { ${own}, query: "select * from accounts", consumedQuery: "delete from accounts where name = :#name", delay: 50 } }`;
      const put = await app.put(
        `${name}-out`,
        `- route: { id: ${name}-out, from: { ${source.slice(1, -1)}, steps: [{ log: "${name} \${body}" }] } }`,
      );
      assert.ok(put.ok, await put.text());
      const line = `${name} {"name":"oscar","city":"Rome"}`;
      await eventually(() => app.logs.some(({ message }) => message === line), line, 60_000);
      await eventually(
        async () => ((await server.query("select name from accounts")).length === 0 ? true : undefined),
        "it is consumed",
        60_000,
      );
      await app.api(`/flows/${name}-out`, { method: "DELETE" });
    }
  });
}
