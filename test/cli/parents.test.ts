/** Processes end with the one that started them, and with their terminal. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bulkheadProcess, startBulkhead } from "../support/command-line.ts";
import { hasEnded } from "../support/ended.ts";
import { webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { noTerminal, onTerminal } from "../support/pseudo-terminal.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function project(t: TestContext): { readonly routes: string; readonly data: string } {
  const folder = folderOf(t, { "routes/greet.yaml": webhook("greet", "setBody: { constant: hello }") });
  return { routes: join(folder, "routes"), data: join(folder, "data") };
}

test("SIGTERM to npm start ends the runtime in order", async (t) => {
  const { routes, data } = project(t);
  const npm = spawn("npm", ["start"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: routes, PORT: "0", ROUTES_DIR: routes, DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  let output = "";
  for await (const part of npm.stdout) {
    output += part;
    if (output.includes("flow loaded")) break;
  }
  npm.kill("SIGTERM");
  await ended;
  await hasEnded(data, output);
});

test("a runtime ends in order when the run --dev that started it is killed", async (t) => {
  const { routes, data } = project(t);
  const dev = startBulkhead(["run", "--dev", routes, "--port", "0", "--data", data]);
  const output = await dev.said(/greet +revision 1 serves/);
  dev.kill("SIGKILL");
  await hasEnded(data, output);
});

for (const [command, started] of [
  [["run", "--routes"], /flow loaded/],
  [["run", "--dev"], /greet +revision 1 serves/],
] as const)
  test(`the runtime of ${command.join(" ")} ends in order when its terminal is closed`, {
    skip: noTerminal(),
  }, async (t) => {
    const { routes, data } = project(t);
    const terminal = onTerminal(t, [...command, routes, "--port", "0", "--data", data], { NO_COLOR: "1" });
    const output = await terminal.shown(started);
    terminal.close();
    await hasEnded(data, output);
  });

test("a command whose parent lives ends when it is done", async () => {
  const child = spawn(process.execPath, ["bin/bulkhead.js", "--version"], {
    cwd: root,
    env: { ...process.env, BULKHEAD_PARENT_FD: "3" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.equal(child.stderr?.read(), null);
});

test("a BULKHEAD_PARENT_FD that names no pipe is reported, and the command goes on without", async () => {
  for (const given of ["", "none", "2", "999999"]) {
    const { code, stdout, stderr } = await bulkheadProcess(["--version"], { BULKHEAD_PARENT_FD: given });
    assert.equal(code, 0);
    assert.match(stdout, /^bulkhead \d/);
    assert.ok(stderr.startsWith("bulkhead: this process does not end with its parent"), stderr);
    assert.ok(stderr.includes(`BULKHEAD_PARENT_FD is '${given}': `), stderr);
  }
});
