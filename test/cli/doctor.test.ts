/** `doctor`: what a runtime needs, a line each. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { checkClock, checkDescriptors, checkNode } from "../../src/cli/machine-checks.ts";
import { checkRuntime } from "../../src/cli/runtime-checks.ts";
import { epochMs } from "../support/clock.ts";
import { bulkhead } from "../support/command-line.ts";
import { folderOf } from "../support/folders.ts";
import { startTestApp, token } from "../support/start-app.ts";

interface Found {
  readonly check: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly advice?: string;
}

/** By their checks. */
async function doctor(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; found: Map<string, Found> }> {
  const { code, stdout, stderr } = await bulkhead(["doctor", "--json"], { env });
  assert.equal(stderr, "");
  return { code, found: new Map((JSON.parse(stdout) as Found[]).map((one) => [one.check, one])) };
}

test("with a runtime that answers everything is looked at; a token that it refuses is a problem, exit code 1", async (t) => {
  const app = await startTestApp(t);
  const folder = folderOf(t, { "routes/a.txt": "", "data/a.txt": "" });
  const directories = { ROUTES_DIR: join(folder, "routes"), DATA_DIR: join(folder, "data") };
  const env = { ...directories, BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const { found } = await doctor(env);
  const checks = [
    "node",
    "descriptors",
    "ROUTES_DIR",
    "DATA_DIR",
    "key of kept messages",
    "clock",
    "token",
    "runtime",
    "token of the runtime",
  ];
  assert.deepEqual([...found.keys()], [...checks, "versions"]);
  for (const check of ["node", "clock", "token", "runtime", "token of the runtime"])
    assert.equal(found.get(check)?.state, "ok", check);
  const [, own, theirs] = /^command line (\S+), runtime (\S+)$/.exec(found.get("versions")?.message ?? "") ?? [];
  assert.notEqual(own, theirs, "the runtime of tests has a version of its own");
  assert.equal(found.get("versions")?.state, "warning");
  const same = await checkRuntime({ url: app.url, token }, theirs ?? "");
  assert.deepEqual(same.found.at(-1), {
    check: "versions",
    state: "ok",
    message: `command line ${theirs}, runtime ${theirs}`,
  });
  assert.match(found.get("ROUTES_DIR")?.message ?? "", /\/routes; [\d.]+ \wiB are free$/);

  const other = await doctor({ ...env, BULKHEAD_TOKEN: "another-token-of-thirty-two-characters" });
  assert.equal(other.code, 1);
  assert.equal(other.found.get("token of the runtime")?.state, "problem");
  const short = await bulkhead(["doctor"], { env: { ...env, BULKHEAD_TOKEN: "short" } });
  assert.match(short.stdout, /^warning {2}token +it has 5 characters, fewer than 32: export SERVICE_DEPLOY_TOKEN=/m);
});

test("a port that is free is ok, one that something else has is a problem, and so is a directory that cannot be made", async (t) => {
  const tcp = createTcpServer();
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  const free = (tcp.address() as AddressInfo).port;
  await new Promise((resolve) => tcp.close(resolve));
  const folder = folderOf(t, { file: "" });
  const env = { DATA_DIR: join(folder, "data"), ROUTES_DIR: join(folder, "file/routes"), BULKHEAD_TOKEN: token };
  const one = await doctor({ ...env, BULKHEAD_URL: `http://127.0.0.1:${free}` });
  assert.deepEqual([one.found.get("port")?.state, one.found.get("DATA_DIR")?.state === "problem"], ["ok", false]);
  assert.match(one.found.get("DATA_DIR")?.message ?? "", /is not there yet, and is made at the start/);
  assert.equal(one.found.get("ROUTES_DIR")?.state, "problem");
  assert.match(one.found.get("ROUTES_DIR")?.message ?? "", /\/file is no directory$/);
  assert.equal(one.code, 1);

  // It ends each connection without an answer.
  const mute = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  t.after(() => mute.close());
  const two = await doctor({ BULKHEAD_URL: `http://127.0.0.1:${(mute.address() as AddressInfo).port}` });
  assert.equal(two.code, 1);
  assert.match(
    two.found.get("port")?.message ?? "",
    /cannot be listened on \(EADDRINUSE\), and no runtime answers there$/,
  );
  assert.equal(two.found.get("token")?.state, "problem");
});

test("versions of Node.js, few descriptors and clocks that are apart are judged, with what to do", () => {
  assert.deepEqual(
    ["24.11.1", "24.12.0", "26.0.0", "9.9.9"].map((version) => checkNode(version).state),
    ["problem", "ok", "ok", "problem"],
  );
  assert.deepEqual(
    [256, 1024, 65536, undefined].map((limit) => checkDescriptors(limit).state),
    ["problem", "warning", "ok", "ok"],
  );
  const now = new Date(epochMs());
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  assert.deepEqual(
    [undefined, later(5000), later(-60_000)].map((theirs) => checkClock(now, theirs).state),
    ["ok", "ok", "warning"],
  );
  assert.equal(checkClock(new Date(0), undefined).state, "problem");
});
