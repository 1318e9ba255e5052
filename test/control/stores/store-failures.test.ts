/** A disk that fails, is full or may not be written, as callers of the API see it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { answering } from "../../support/flows.ts";
import { smallDisk } from "../../support/small-disk.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { hookedFs, systemError } from "./hooked-fs.ts";

/** The route `orders` answers what was deployed, the file says the same, and nothing lies about. */
async function assertServes(app: TestApp, text: string): Promise<void> {
  assert.equal(await (await app.post("/api/orders")).text(), text);
  assert.equal(await readFile(join(app.routesDirectory, "orders.yaml"), "utf8"), answering("orders", text));
  const names = [app.routesDirectory, join(app.directory, "data", "flows", "orders")].map((path) => readdir(path));
  assert.deepEqual(
    (await Promise.all(names)).flat().filter((name) => name.endsWith(".tmp")),
    [],
  );
}

interface Health {
  readonly status: string;
  readonly store: { readonly writable: boolean; readonly reason?: string };
}

async function storeHealth(app: TestApp): Promise<Health> {
  return (await (await app.api("/health")).json()) as Health;
}

test("if any operation of a PUT fails, it returns a 5xx, the old version answers, and the next PUT is durable", async (t) => {
  const failures = [
    systemError("EIO"),
    systemError("ENOSPC"),
    systemError("EMFILE"),
    systemError("EACCES"),
    systemError("EINTR"),
    systemError("EDQUOT"),
    systemError("ENOSPC", true),
  ];
  let failing: number | undefined;
  let count = 0;
  const before = (): void => {
    if (++count === failing) throw failures[count % failures.length] as Error;
  };
  const app = await startTestApp(t, { fs: hookedFs({ before }) });
  assert.equal((await app.put("orders", answering("orders", "0"))).status, 201);
  count = 0;
  assert.equal((await app.put("orders", answering("orders", "1"))).status, 200);
  const operations = count;
  for (let at = 1; at <= operations; at++) {
    count = 0;
    failing = at;
    const answer = await app.put("orders", answering("orders", "2"));
    const full = ["ENOSPC", "EDQUOT"].includes(String(failures[at % failures.length]?.code));
    const { error } = (await answer.json()) as { error: string };
    assert.equal(answer.status, full ? 507 : 500, `operation ${at}: ${error}`);
    assert.match(error, /what was stored before is intact/);
    await assertServes(app, "1");
  }
  failing = undefined;
  assert.equal((await app.put("orders", answering("orders", "2"))).status, 200);
  await assertServes(app, "2");
  await app.close();
  await assertServes(await startTestApp(t, { directory: app.directory }), "2");
});

test("a change that cannot be undone makes the store read-only until a restart, and health reports it to the bearer", async (t) => {
  let broken = false;
  const before = (point: string): void => {
    if (broken && point === "yaml.sync-renamed") throw systemError("EIO");
  };
  const app = await startTestApp(t, { fs: hookedFs({ before }) });
  await app.put("orders", answering("orders", "old"));
  assert.deepEqual((await storeHealth(app)).store, { writable: true });
  broken = true;
  const answer = await app.put("orders", answering("orders", "new"));
  assert.equal(answer.status, 500);
  broken = false;
  assert.equal((await app.api("/flows/orders", { method: "DELETE" })).status, 500);
  assert.equal(await (await app.post("/api/orders")).text(), "old");
  const { status, store } = await storeHealth(app);
  assert.equal(status, "DEGRADED");
  assert.equal(store.writable, false);
  assert.match(store.reason ?? "", /read-only until the runtime is restarted.*EIO/);
  const open = (await (await fetch(`${app.url}/_api/health`)).json()) as object;
  assert.ok(!("store" in open));
  await app.close();
  const again = await startTestApp(t, { directory: app.directory });
  assert.deepEqual((await storeHealth(again)).store, { writable: true });
  assert.equal((await again.put("orders", answering("orders", "newer"))).status, 200);
  await assertServes(again, "newer");
});

test("on a full disk a PUT returns 507 and a DELETE works, and with free space a PUT works without a restart", async (t) => {
  const directory = smallDisk(t, "256k");
  if (directory === undefined) return;
  const app = await startTestApp(t, { directory });
  const ballast = join(directory, "ballast");
  await app.put("orders", answering("orders", "old"));
  await app.put("spare", answering("spare", "x"));
  await writeFile(ballast, Buffer.alloc(2 ** 20)).catch(() => undefined);
  const large = `${answering("orders", "new")}#${"x".repeat(100_000)}\n`;
  const answer = await app.put("orders", large);
  assert.equal(answer.status, 507);
  assert.match(((await answer.json()) as { error: string }).error, /the disk is full/);
  await assertServes(app, "old");
  assert.equal((await app.api("/flows/spare", { method: "DELETE" })).status, 200);
  await rm(ballast);
  assert.equal((await app.put("orders", large)).status, 200);
  assert.equal(await (await app.post("/api/orders")).text(), "new");
});

test("with directories that may not be written the runtime boots, serves, refuses changes and reports the reason", async (t) => {
  const directory = readOnlyDirectories(t);
  if (directory === undefined) return;
  const first = await startTestApp(t, { directory: directory.path });
  await first.put("orders", answering("orders", "old"));
  await first.close();
  await directory.close();
  const app = await startTestApp(t, { directory: directory.path });
  assert.equal(await (await app.post("/api/orders")).text(), "old");
  const { store } = await storeHealth(app);
  assert.equal(store.writable, false);
  assert.match(store.reason ?? "", /may not be written \(E.*make ROUTES_DIR and DATA_DIR writable/);
  assert.ok(app.logs.some(({ level, message }) => level === "WARN" && message === store.reason));
  for (const method of ["PUT", "DELETE"]) {
    const answer = await (method === "PUT"
      ? app.put("orders", answering("orders", "new"))
      : app.api("/flows/orders", { method }));
    assert.equal(answer.status, 500);
    assert.match(((await answer.json()) as { error: string }).error, /may not be written/);
  }
  await assertServes(app, "old");
  await directory.open();
  assert.equal((await app.put("orders", answering("orders", "new"))).status, 200);
  assert.deepEqual((await storeHealth(app)).store, { writable: true });
});

test("a process that cannot write its data directory serves what it finds and changes nothing until a restart", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "bulkhead-closed-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const [routes, data] = [join(path, "routes"), join(path, "data")];
  await mkdir(routes);
  await writeFile(join(routes, "orders.yaml"), answering("orders", "by hand"));
  await writeFile(data, "a file where the directory should be");
  const env = { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: routes, DATA_DIR: data };
  const { url } = await startProcess(t, env);
  const headers = { Authorization: `Bearer ${token}` };
  const ready = async () => (await fetch(`${url}/_api/health?probe=ready`)).ok;
  await eventually(ready, "the flows are loaded");
  assert.equal(await (await fetch(`${url}/api/orders`, { method: "POST" })).text(), "by hand");
  // Nothing is locked: by now another process may have it.
  await rm(data);
  const answer = await fetch(`${url}/_api/flows/orders`, { method: "DELETE", headers });
  assert.equal(answer.status, 500);
  const { error } = (await answer.json()) as { error: string };
  assert.match(error, /DATA_DIR cannot be written \(EEXIST\).*restarted/);
  const { store } = (await (await fetch(`${url}/_api/health`, { headers })).json()) as Health;
  assert.deepEqual(store, { writable: false, reason: error });
  assert.equal(await readFile(join(routes, "orders.yaml"), "utf8"), answering("orders", "by hand"));
});

test("runtimes that cannot write a routes directory serve it unlocked, warn, and change no flow until a restart", async (t) => {
  const directory = readOnlyDirectories(t);
  if (directory === undefined) return;
  const path = mkdtempSync(join(tmpdir(), "bulkhead-unlocked-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const routes = join(directory.path, "routes");
  await mkdir(routes);
  await writeFile(join(routes, "orders.yaml"), answering("orders", "old"));
  await directory.close();
  const start = (data: string) =>
    startProcess(t, { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: routes, DATA_DIR: join(path, data) });
  const call = (url: string, path: string, method = "GET", body: string | null = null) => {
    const type = path.startsWith("flows") ? "application/yaml" : "application/json";
    return fetch(`${url}/_api/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
      body,
    });
  };
  const reason =
    /^ROUTES_DIR cannot be written \(E.*\), and so it is not locked: flows run, but nothing can be deployed .* restarted$/;
  const [first, second] = await Promise.all([start("first"), start("second")]);
  for (const { url, lines } of [first, second]) {
    await eventually(async () => (await call(url, "health?probe=ready")).ok, "the flows are loaded");
    assert.equal(await (await fetch(`${url}/api/orders`, { method: "POST" })).text(), "old");
    const { store } = (await (await call(url, "health")).json()) as Health;
    assert.match(store.reason ?? "", reason);
    const warned = () => lines.some((line) => line.includes('"WARN"') && line.includes("ROUTES_DIR cannot be written"));
    await eventually(async () => warned(), "the log says it");
  }
  // By now the other process may have it.
  await directory.open();
  const { url } = first;
  for (const method of ["PUT", "DELETE"]) {
    const answer = await call(url, "flows/orders", method, method === "PUT" ? answering("orders", "new") : null);
    assert.equal(answer.status, 500, method);
    assert.match(((await answer.json()) as { error: string }).error, reason);
  }
  assert.equal((await call(url, "flows/orders/stop", "POST")).status, 200);
  assert.equal((await call(url, "health")).ok, true);
  assert.match(((await (await call(url, "health")).json()) as Health).store.reason ?? "", reason);
  assert.equal((await call(url, "value-mappings/codes", "PUT", '{"entries":{"a":"b"}}')).status, 201);
  for (const { child, exited } of [first, second]) {
    child.kill("SIGTERM");
    await exited;
  }
  const again = await start("first");
  await eventually(async () => (await call(again.url, "health?probe=ready")).ok, "the flows are loaded");
  assert.equal((await call(again.url, "flows/orders", "PUT", answering("orders", "new"))).status, 200);
});

/** By a mount that root cannot write either, or else by their modes. */
function readOnlyDirectories(t: TestContext) {
  if (process.getuid?.() !== 0) {
    const path = mkdtempSync(join(tmpdir(), "bulkhead-closed-"));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const all = (mode: number) => async () => {
      for (const name of ["routes", join("data", "flows"), join("data", "flows", "orders")]) {
        await mkdir(join(path, name), { recursive: true });
        await chmod(join(path, name), mode);
      }
    };
    t.after(all(0o700));
    return { path, close: all(0o500), open: all(0o700) };
  }
  const path = smallDisk(t, "256k");
  if (path === undefined) return undefined;
  const remount = (how: string) => async () => {
    execFileSync("mount", ["-o", `remount,${how}`, path]);
  };
  return { path, close: remount("ro"), open: remount("rw") };
}
