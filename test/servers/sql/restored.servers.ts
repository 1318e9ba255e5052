/** A backup holds the documents of connections and no secret; a runtime that is restored from it works with them. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { backup, call, environmentOf, json, newDirectory, put, restore } from "../../control/backup/support.ts";
import { eventually } from "../../support/clock.ts";
import { patientVariables } from "../../support/patience.ts";
import { startProcess } from "../../support/start-process.ts";
import { databases } from "../databases.ts";
import { connectionTo } from "./connection-document.ts";

const flows = `
- route: { id: write, from: { uri: webhook, steps: [{ to: "sql:insert into jobs (id, state) values (:#\${body}, 'new')?dataSource=#db" }] } }
- route:
    id: take
    from:
      uri: sql
      parameters: { query: "select id from jobs where state = 'new'", onConsume: "update jobs set state = 'done' where id = :#id", dataSource: "#db", initialDelay: 10, delay: 50 }
      steps: [{ log: "\${body[id]}" }]
`;

for (const database of databases) {
  test(database.name, async (t) => {
    const server = await database.start();
    t.after(() => server.close());
    await server.query("create table jobs (id varchar(20) primary key, state varchar(10))");
    const path = newDirectory(t);
    const secrets = join(path, "secrets");
    mkdirSync(join(secrets, "_connections"), { recursive: true });
    writeFileSync(join(secrets, "_connections/DB"), server.password);
    const env = (directory: string) => ({ ...environmentOf(directory), ...patientVariables, SECRETS_DIR: secrets });
    const isDone = (id: string) => (): Promise<true | undefined> =>
      server.query(`select state from jobs where id = '${id}'`).then((rows) => rows[0]?.[0] === "done" || undefined);
    const write = async (url: string, id: string): Promise<void> => {
      const headers = { "Content-Type": "text/plain" };
      assert.equal((await fetch(`${url}/api/write`, { method: "POST", body: id, headers })).status, 200);
    };

    const first = await startProcess(t, env(path));
    const document = connectionTo(server, { flows: ["*"], maxConnections: 3 });
    assert.equal((await put(first.url, "/connections/db", document)).status, 201);
    const deployed = await put(first.url, "/flows/jobs", { yaml: flows });
    assert.equal(deployed.status, 201, await deployed.text());
    await write(first.url, "before");
    await eventually(isDone("before"), "the first runtime has taken it", 60_000);
    const kept = await json<{ revision: number; servers: readonly string[] }>(first.url, "/connections/db");
    const archive = join(path, "a.tar");
    await backup(first.url, archive);
    assert.ok(!readFileSync(archive).includes(server.password));
    first.child.kill("SIGKILL");
    await first.exited;

    const restored = join(path, "restored");
    const { status, stderr } = restore(archive, "--to", restored, "--start");
    assert.equal(status, 0, stderr);
    const second = await startProcess(t, env(restored));
    const same = await json<typeof kept & { usedBy: readonly unknown[] }>(second.url, "/connections/db");
    assert.deepEqual([same.revision, same.servers], [kept.revision, kept.servers]);
    await eventually(async () => (await call(second.url, "/health?probe=ready")).ok, "its flows are loaded", 60_000);
    const trial = await call(second.url, "/connections/db/test", { method: "POST" });
    assert.equal(((await trial.json()) as { ok: boolean }).ok, true);
    await write(second.url, "after");
    await eventually(isDone("after"), "the restored runtime has taken it", 60_000);
  });
}
