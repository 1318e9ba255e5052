/**
 * Runs the tests, many files in a process (gathered-tests.ts).
 * A run of many files first makes the bundles anew if a source is newer: a thread boots from them in a fraction of the time.
 *
 * `npm test` leaves out the files of test/slow.ts, which `npm run test:all` runs, too, and `npm run test:slow` alone.
 * `npm test -- test/control/flows.test.ts` runs single files; `npm test -- --backwards` turns the order within the
 * processes round, which shows whether a file leans on what another has left behind.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { alone } from "../test/alone.ts";
import { slow } from "../test/slow.ts";
import { runGathered } from "./gathered-tests.ts";

const root = resolve(import.meta.dirname, "..");
/** A run of more files is worth new bundles. */
const many = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backwards: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    slow: { type: "boolean", default: false },
  },
});
const named = positionals.length > 0;
const files = globSync(named ? positionals : "test/**/*.test.ts", { cwd: root })
  .filter((file) => named || values.all || (slow[file] !== undefined) === values.slow)
  .sort();
const absent = [...positionals, ...Object.keys(alone), ...Object.keys(slow)].filter(
  (file) => globSync(file, { cwd: root }).length === 0,
);
if (absent.length > 0) throw new Error(`There is no ${absent.join(", ")}`);

if (files.length > many) await refreshBundles();
process.exitCode = (await runGathered({ files, root, backwards: values.backwards })) ? 0 : 1;

/** Does what `npm ci` does at its end, unless that is newer than all sources. */
async function refreshBundles(): Promise<void> {
  const { freshest } = (await import(new URL("../bin/entry.js", import.meta.url).href)) as { freshest(): string };
  if (freshest().endsWith(".js")) return;
  const { status } = spawnSync("npm", ["run", "--silent", "prepare"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The bundles could not be made: npm run prepare");
}
