/**
 * Runs the tests of pages in a real browser: test/designer/browser. `npm run test:browser -- flows` runs the files
 * whose names contain a text. `CHROMIUM` names the browser's program; without it Debian's headless shell is used, and
 * installed when it is missing and the user may do so; `npm run test:browser -- --install` does no more than that.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { resolve } from "node:path";
import { chromiumPath } from "../test/designer/browser/support/chromium.ts";
import { runTestFiles } from "./test-files.ts";

const root = resolve(import.meta.dirname, "..");
const part = process.argv[2] ?? "";

if (!existsSync(chromiumPath)) install();
if (part === "--install") process.exit(0);
const files = globSync("test/designer/browser/*.browser.ts", { cwd: root })
  .filter((file) => file.includes(part))
  .sort();
if (files.length === 0) throw new Error(`No file of test/designer/browser has '${part}' in its name`);
run("npm", ["run", "--silent", "build", "--workspace", "designer"]);
process.exit((await runTestFiles({ files, atOnce: 1, root, env: process.env })) ? 0 : 1);

function install(): void {
  if (process.env["CHROMIUM"] !== undefined) throw new Error(`CHROMIUM names ${chromiumPath}, which is not there`);
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      "There is no Chromium: install its headless shell (Debian: apt-get install chromium-headless-shell), or name the program of a Chromium in CHROMIUM",
    );
  }
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium-headless-shell"]);
}

/** Ends this process with the status of a command that fails. */
function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
