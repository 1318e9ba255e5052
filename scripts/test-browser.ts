/**
 * Runs the tests of pages in a real browser: test/designer/browser. `npm run test:browser -- flows roles` runs the files
 * whose names contain one of the texts, `--smoke` the tests of test/designer/browser/smoke.ts, `--lanes 2` two processes
 * side by side. `CHROMIUM` names the browser's program; without it Debian's headless shell is used, and installed when it
 * is missing and the user may do so; `npm run test:browser -- --install` does no more than that.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { smoke } from "../test/designer/browser/smoke.ts";
import { chromiumPath } from "../test/designer/browser/support/chromium.ts";
import { runBrowserFiles } from "./browser-files.ts";

const root = resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
    lanes: { type: "string", default: "1" },
  },
});

if (!existsSync(chromiumPath)) install();
if (values.install) process.exit(0);
const files = globSync("test/designer/browser/*.browser.ts", { cwd: root })
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter((file) => !values.smoke || smoke[file] !== undefined)
  .sort();
if (files.length === 0)
  throw new Error(`No file of test/designer/browser has '${positionals.join("', '")}' in its name`);
run("npm", ["run", "--silent", "build", "--workspace", "designer", "--", "--logLevel", "warn"]);
const only = values.smoke ? files.flatMap((file) => Object.keys(smoke[file] ?? {})) : [];
const lanes = Number(values.lanes);
process.exit((await runBrowserFiles({ files, only, lanes, root, env: process.env })) ? 0 : 1);

function install(): void {
  if (process.env["CHROMIUM"] !== undefined) throw new Error(`CHROMIUM names ${chromiumPath}, which does not exist`);
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
