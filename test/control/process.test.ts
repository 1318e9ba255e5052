/** The process: its token, its signals, its first lines. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { loadRound } from "../storms/support/shutdown/load-round.ts";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { token } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";

function put(url: string, id: string, yaml: string): Promise<Response> {
  return fetch(`${url}/_api/flows/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" },
    body: yaml,
  });
}

test("SIGTERM lets accepted requests finish, takes no more, and exits 0", async (t) => {
  const { child, url, lines, exited } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token });
  assert.equal(
    (await put(url, "f", webhook("r", 'log: "began"', "delay: { constant: 400 }", 'setBody: { constant: "done" }')))
      .status,
    201,
  );
  const call = fetch(`${url}/api/r`, { method: "POST", body: "x" });
  await eventually(() => lines.some((line) => line.includes('"began"')), "the run began");
  child.kill("SIGTERM");
  const answer = await call;
  assert.deepEqual([answer.status, await answer.text()], [200, "done"]);
  assert.equal(await exited, 0);
  await assert.rejects(fetch(`${url}/_api/health`));
});

test("SIGTERM in the moment in which it listens ends it in order", async (t) => {
  const { child, exited } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token });
  child.kill("SIGTERM");
  assert.equal(await exited, 0);
});

test("documents of a project folder that is served as it is are reported, since they are not in force", async (t) => {
  const folder = folderOf(t, { "documents/auth/orders.json": "{}", "documents/connections/crm.json": "{}" });
  const { lines } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: folder });
  const found = await eventually(() => lines.find((line) => line.includes("does not read")), "it is reported");
  const { level, message } = JSON.parse(found) as { readonly level: string; readonly message: string };
  assert.deepEqual(
    [level, message],
    [
      "WARN",
      `the runtime does not read auth, connections of ${folder}/documents: bulkhead deploy ${folder} puts them in force, and bulkhead run --dev does`,
    ],
  );
});

test("SIGTERM under calls: each that began is answered, streams get their end, clocks stop first", async () => {
  assert.deepEqual((await loadRound(0)).wrong, []);
});

test("a second signal exits at once", async (t) => {
  const { child, url, lines, exited } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token });
  await put(url, "f", webhook("r", 'log: "began"', "delay: { constant: 60000 }"));
  const call = fetch(`${url}/api/r`, { method: "POST", body: "x" }).catch(() => undefined);
  await eventually(() => lines.some((line) => line.includes('"began"')), "the run began");
  child.kill("SIGTERM");
  // The first signal is known to have arrived when nobody listens any more.
  await eventually(
    () =>
      fetch(`${url}/_api/health`).then(
        () => undefined,
        () => true,
      ),
    "the door is closed",
  );
  child.kill("SIGTERM");
  assert.equal(await exited, 143);
  await call;
});

test("a port that is taken ends the process with what to do", async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await assert.rejects(startProcess(t, { SERVICE_DEPLOY_TOKEN: token, PORT: String(port) }), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`^ended with 1: bulkhead: 127\\.0\\.0\\.1:${port} is in use by another process`),
    );
    for (const part of ["set PORT to another port", `sport = :${port}'`, `lsof -i :${port}`, "(EADDRINUSE)"])
      assert.ok(error.message.includes(part), part);
    return true;
  });
});

test("a HOST that is no address of this machine ends the process with what to do", async (t) => {
  await assert.rejects(
    startProcess(t, { HOST: "192.0.2.1" }),
    /ended with 1: bulkhead: HOST '192\.0\.2\.1' is no address of this machine: set HOST .* \(EADDRNOTAVAIL\)/,
  );
});

test("a shutdown whose time is over tells the callers of what it kills", async (t) => {
  const { child, url, lines, exited } = await startProcess(t, {
    SERVICE_DEPLOY_TOKEN: token,
    LIMIT_SHUTDOWN_MS: "200",
  });
  await put(url, "f", webhook("r", 'log: "began"', "delay: { constant: 60000 }"));
  const call = fetch(`${url}/api/r`, { method: "POST", body: "x" });
  await eventually(() => lines.some((line) => line.includes('"began"')), "the run began");
  child.kill("SIGTERM");
  const answer = await call;
  assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [503, "draining"]);
  assert.equal(await exited, 0);
});

test("without a token the management API answers 503 and names the variable; webhooks and health go on", async (t) => {
  const { url } = await startProcess(t, {});
  const answer = await fetch(`${url}/_api/flows`, { headers: { Authorization: "Bearer anything" } });
  assert.equal(answer.status, 503);
  const body = (await answer.json()) as { error: string };
  assert.deepEqual(Object.keys(body), ["error"]);
  assert.match(body.error, /SERVICE_DEPLOY_TOKEN.*not configured/);
  assert.equal((await fetch(`${url}/_api/health`)).status, 200);
});

test("a bad configuration is refused in one go, with the names of the variables", async (t) => {
  await assert.rejects(startProcess(t, { PORT: "many", LIMIT_QUEUE: "-1" }), (error: Error) => {
    assert.match(error.message, /PORT/);
    assert.match(error.message, /LIMIT_QUEUE/);
    return true;
  });
});

test("standard output is one JSON object a line", async (t) => {
  const { child, lines, exited } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token });
  child.kill("SIGTERM");
  await exited;
  assert.ok(lines.length > 1);
  for (const line of lines) assert.ok("message" in (JSON.parse(line) as object), line);
});

test("a Node that is too old is told so in one line", async () => {
  const file = readFileSync(new URL("../../bin/bulkhead.js", import.meta.url), "utf8");
  const source = file.replace(/^#!.*/, "");
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `Object.defineProperty(process.versions, "node", { value: "20.1.0" });\n${source}`,
  ]);
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number];
  assert.equal(code, 1);
  assert.match(text, /24\.12/);
  assert.equal(text.trim().split("\n").length, 1);
});
