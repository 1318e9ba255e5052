/**
 * The runtime as a process that competes for its directories: refusals, a restart after a kill, a lock that it loses.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type LockedDirectories, lockDirectories, releaseAll } from "../../../src/control/stores/directory-lock.ts";
import { answering } from "../../support/flows.ts";
import { token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";

interface Health {
  readonly status: string;
  readonly store: unknown;
  readonly audit: unknown;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };

function directories(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), "bulkhead-locked-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: join(path, "routes"), DATA_DIR: join(path, "data") };
}

/** As a runtime locks them when it starts, but without waiting. */
function lock(directories: LockedDirectories) {
  return lockDirectories(directories, () => {}, 0);
}

function put(url: string, id: string): Promise<Response> {
  return fetch(`${url}/_api/flows/${id}`, { method: "PUT", headers, body: answering(id, "yes") });
}

test("a second runtime is refused, a killed one can be replaced at once, and one that lost its lock changes nothing", async (t) => {
  const env = directories(t);
  const first = await startProcess(t, env);
  const taken = { dataDirectory: env.DATA_DIR, routesDirectory: env.ROUTES_DIR };
  const inUse = (variable: string) =>
    new RegExp(`^Error: ${variable} is in use by process ${first.child.pid} on .*: stop it, or give`);
  await assert.rejects(lock(taken), inUse("DATA_DIR"));
  const other = { ...taken, dataDirectory: `${env.DATA_DIR}-other` };
  await assert.rejects(lock(other), inUse("ROUTES_DIR"));
  await releaseAll(await lock({ ...other, routesDirectory: `${env.ROUTES_DIR}-other` }));
  assert.equal((await put(first.url, "orders")).status, 201);
  first.child.kill("SIGKILL");

  const { url, lines, child } = await startProcess(t, env);
  const audit = join(env.DATA_DIR, "audit", "audit-000000000001.jsonl");
  assert.equal((await put(url, "more")).status, 201);
  const recorded = await readFile(audit, "utf8");
  await rm(join(env.ROUTES_DIR, ".bulkhead-lock"));
  const reason =
    "'.bulkhead-lock' in ROUTES_DIR was removed or overwritten: this runtime changes nothing any more, since another one may; end one of them and start this one again";
  for (const [method, path] of [
    ["PUT", "flows/another"],
    ["DELETE", "flows/orders"],
    ["DELETE", "auth/orders"],
  ] as const) {
    const body = method === "PUT" ? answering("another", "yes") : null;
    const answer = await fetch(`${url}/_api/${path}`, { method, headers, body });
    assert.deepEqual([answer.status, await answer.json()], [503, { error: reason }], path);
  }
  assert.equal(await (await fetch(`${url}/api/orders`, { method: "POST" })).text(), "yes");
  const health = (await (await fetch(`${url}/_api/health`, { headers })).json()) as Health;
  assert.equal(health.status, "DEGRADED");
  assert.deepEqual(
    [health.store, health.audit],
    [
      { writable: false, reason },
      { writable: false, reason },
    ],
  );
  assert.equal(health.problems.find(({ code }) => code === "lock_lost")?.message, reason);
  // By then all lines have arrived.
  const closed = once(child, "close");
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [0, null]);
  assert.equal(
    lines.filter((line) => line.includes('"ERROR"') && line.includes("was removed or overwritten")).length,
    1,
  );
  assert.equal(await readFile(audit, "utf8"), recorded);
});
