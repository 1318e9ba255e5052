/** The command as a shell starts it. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hasEnded } from "../../support/ended.ts";
import { folderOf } from "../../support/folders.ts";

const bin = fileURLToPath(new URL("../../../bin/bulkhead.js", import.meta.url));

/** The arguments with which a Node.js says that it is of this version. */
function disguised(version: string): string[] {
  const versions = `Object.defineProperty(process, "versions", {value: {...process.versions, node: "${version}"}})`;
  return ["--import", `data:text/javascript,${encodeURIComponent(versions)}`];
}

/** Runs the command under a Node.js of this version, with a port that ends a runtime at once. */
function run(version: string, file = bin, args: readonly string[] = []) {
  const env = { ...process.env, PORT: "none" };
  return spawnSync(process.execPath, [...disguised(version), file, ...args], { encoding: "utf8", env });
}

test("an old Node.js without the one of a checkout beside it reports in one line what is needed, and what to install", (t) => {
  const installed = folderOf(t, { "package.json": '{"type": "module"}', "bin/other.js": "" });
  const checkout = folderOf(t, { "package.json": '{"type": "module"}', "package-lock.json": "{}", "bin/other.js": "" });
  for (const [folder, advice] of [
    [installed, "install a later Node.js"],
    [checkout, "`npm ci` in its folder installs the right one"],
  ] as const) {
    const alone = join(folder, "bin/bulkhead.js");
    copyFileSync(bin, alone);
    for (const version of ["10.24.1", "20.20.2", "24.11.9"]) {
      const { status, stdout, stderr } = run(version, alone);
      assert.deepEqual([status, stdout], [1, ""]);
      assert.equal(stderr, `bulkhead needs Node.js 24.12 or later and this is ${version}: ${advice}\n`);
    }
  }
});

test("under an old Node.js the command runs with the one that npm ci has installed, also by a link from elsewhere", (t) => {
  const link = join(folderOf(t, {}), "bulkhead");
  symlinkSync(bin, link);
  const version = run("20.20.2", link, ["--version"]);
  assert.deepEqual([version.status, version.stderr], [0, ""]);
  assert.match(version.stdout, /^bulkhead \d+\.\d+\.\d+\n$/);
  const refused = run("20.20.2", link, ["runss"]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /there is no command 'runss' \(did you mean 'runs'\?\)/);
});

for (const [signal, end] of [
  ["SIGTERM", [0, null]],
  ["SIGHUP", [0, null]],
  ["SIGKILL", [null, "SIGKILL"]],
] as const)
  test(`${signal} to the command under an old Node.js ends the runtime that it has started, in order`, async (t) => {
    const folder = folderOf(t, {});
    const args = ["run", "--port", "0", "--routes", join(folder, "routes"), "--data", join(folder, "data")];
    const child = spawn(process.execPath, [...disguised("20.20.2"), bin, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    let output = "";
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`it has ended with ${code}: ${output}`)));
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes("flows loaded")) resolve();
      });
    });
    child.kill(signal);
    assert.deepEqual(await exited, end);
    await hasEnded(join(folder, "data"), output);
  });

test("a new one starts the runtime, which checks its configuration first", () => {
  for (const version of ["24.12.0", "26.0.0"]) {
    const { status, stderr } = run(version);
    assert.equal(status, 1);
    assert.match(stderr, /^bulkhead: the configuration is not usable:\n {2}PORT: 'none' is not a port/);
  }
});

test("the command is written in syntax that an old Node.js can read", () => {
  const text = readFileSync(bin, "utf8");
  assert.doesNotMatch(text.replace(/^#!.*|\/\/.*/gm, ""), /\b(const|let|async|await|class)\b|=>|\?\?|\?\.|\$\{/);
});
