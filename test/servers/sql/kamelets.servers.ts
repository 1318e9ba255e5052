/** The kamelets for databases: what one has written the other polls. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { cert } from "../../support/localhost-cert.ts";
import { token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
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

for (const database of databases.filter(({ name }) => name === "PostgreSQL")) {
  test("the kamelets for Redshift encrypt, and check the server's certificate", async (t) => {
    const server = await database.start({ tls: true });
    t.after(() => server.close());
    // Tables without a primary key, as Redshift's are: the rows are known by deliveryKey.
    await server.query("create table inbox (name text, city text)");
    await server.query("create table sink (name text, city text)");
    await server.query("insert into inbox values ('oscar', 'Rome')");
    const own = `serverName: localhost, serverPort: ${server.port}, databaseName: ${server.database}, username: ${server.username}, password: "{{secret:DB_PASSWORD}}"`;
    const source = `uri: kamelet:aws-redshift-source, parameters: { ${own}, query: "select * from inbox", consumedQuery: "delete from inbox where name = :#name", deliveryKey: name, delay: 50 }`;
    const sink = `{ to: { uri: kamelet:aws-redshift-sink, parameters: { ${own}, query: "insert into sink values (:#name, :#city)" } } }`;
    const yaml = `- route: { id: shift, from: { ${source}, steps: [${sink}] } }`;
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-kamelets-"));
    t.after(() => rm(directory, { recursive: true, force: true }));
    await mkdir(join(directory, "secrets", "_shared"), { recursive: true });
    await writeFile(join(directory, "secrets", "_shared", "DB_PASSWORD"), server.password);
    await writeFile(join(directory, "ca.pem"), cert);
    const env = {
      SECRETS_DIR: join(directory, "secrets"),
      SERVICE_DEPLOY_TOKEN: token,
      EGRESS_ALLOW: `localhost:${server.port}`,
    };
    const deployed = async (more: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const { url, lines } = await startProcess(t, { ...env, ...more });
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
      const put = await fetch(`${url}/_api/flows/shift`, { method: "PUT", headers, body: yaml });
      assert.ok(put.ok, await put.text());
      return lines;
    };
    const lines = await deployed({});
    await eventually(
      () => lines.some((line) => /cannot poll.*certificate/.test(line)),
      "the certificate is unknown",
      60_000,
    );
    assert.deepEqual(await server.query("select * from sink"), []);
    await deployed({ NODE_EXTRA_CA_CERTS: join(directory, "ca.pem") });
    const arrived = async (): Promise<true | undefined> =>
      (await server.query("select * from sink")).length > 0 ? true : undefined;
    await eventually(arrived, "the row is written", 60_000);
    assert.deepEqual(await server.query("select * from sink"), [["oscar", "Rome"]]);
  });
}
