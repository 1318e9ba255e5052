/** A runtime that is killed, restarted or backed up, with embedded databases in it. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { restoreBackup } from "../../../src/control/backup/restore.ts";
import { eventually } from "../../support/clock.ts";
import { databaseProcess } from "../../support/embedded.ts";
import { token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";

const json = { "Content-Type": "application/json" };

async function folder(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "embedded-losses-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function environment(directory: string): Readonly<Record<string, string>> {
  return {
    ROUTES_DIR: join(directory, "routes"),
    DATA_DIR: join(directory, "data"),
    SERVICE_DEPLOY_TOKEN: token,
  };
}

function callsOf(url: string) {
  const api = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/_api${path}`, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  const send = async (path: string, body: unknown): Promise<void> => {
    const answer = await api(path, { method: "PUT", headers: json, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  };
  return {
    api,
    send,
    flow: (id: string, step: string) =>
      send(`/flows/${id}`, { yaml: `- route: { id: ${id}, from: { uri: webhook, steps: [{ to: "sql:${step}" }] } }` }),
    ready: () => eventually(async () => (await api("/health?probe=ready")).ok, "it is ready"),
    call: async (id: string, body = "{}") =>
      (await fetch(`${url}/api/${id}`, { method: "POST", headers: json, body })).text(),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a runtime that is killed while a statement runs leaves no process, and its next start has what was acknowledged", async (t) => {
  const directory = await folder(t);
  const first = await startProcess(t, environment(directory));
  const { send, flow, call } = callsOf(first.url);
  await send("/connections/shop", { kind: "embedded", default: true, flows: ["*"] });
  await flow("make", "create table t (id integer primary key)");
  await flow("add", "insert into t values (:#id)");
  await flow("count", "select count(*) from t?outputType=SelectOne");
  await flow("endless", "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c");
  await call("make");
  for (let id = 1; id <= 30; id += 1) await call("add", JSON.stringify({ id }));
  const lost = call("endless").catch(() => "lost");
  const pid = await eventually(() => databaseProcess(join(directory, "data", "databases", "shop")), "its process runs");
  first.child.kill("SIGKILL");
  await first.exited;
  await lost;
  await eventually(() => !isAlive(pid), "the process has ended with the runtime");
  const second = await startProcess(t, environment(directory));
  const calls = callsOf(second.url);
  await calls.ready();
  assert.equal(await calls.call("count"), "30");
  second.child.kill("SIGTERM");
  assert.equal(await second.exited, 0);
  assert.equal(databaseProcess(join(directory, "data", "databases", "shop")), undefined);
});

test("a backup has embedded databases, while a flow writes to them, and a restore brings them back", async (t) => {
  const directory = await folder(t);
  const first = await startProcess(t, environment(directory));
  const { api, send, flow, call } = callsOf(first.url);
  await send("/connections/shop", { kind: "embedded", default: true, flows: ["*"] });
  await flow("make", "create table t (id integer primary key)");
  await flow("add", "insert into t values (:#id)");
  await flow("count", "select count(*) from t?outputType=SelectOne");
  await call("make");
  await call("add", '{"id":1}');
  let writes = true;
  const writing = (async () => {
    for (let id = 2; writes; id += 1) await call("add", JSON.stringify({ id }));
  })();
  const answer = await api("/backup");
  const archive = join(directory, "backup.tar");
  await writeFile(archive, new Uint8Array(await answer.arrayBuffer()));
  writes = false;
  await writing;
  first.child.kill("SIGTERM");
  await first.exited;
  const restored = join(directory, "restored");
  await restoreBackup({ archive, directory: restored, start: false });
  const second = await startProcess(t, environment(restored));
  const calls = callsOf(second.url);
  await calls.ready();
  assert.ok(Number(await calls.call("count")) >= 1);
});
