/**
 * Runs the tests, many files in a process (gathered-tests.ts).
 * A run of many files first makes the bundles anew if a source is newer: a thread boots from them in a fraction of the time.
 *
 * `npm test` runs the first circle (test/circles.ts). `--slow-in-ci` runs the slow files that `.ci/run` runs, `--trials [folder]` those that only
 * the trials run, below a folder or all, and `--all` every file. `npm test -- test/control/flows.test.ts` runs single files.
 * `--backwards` reverses the order within the processes, which shows whether a file leans on what another has left behind.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Circle, circleOf } from "../test/circles.ts";
import { runGathered } from "./gathered-tests.ts";

const root = resolve(import.meta.dirname, "..");
/** A run of more files is worth new bundles. */
const many = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backwards: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    "slow-in-ci": { type: "boolean", default: false },
    trials: { type: "boolean", default: false },
  },
});
const files = chosen().toSorted();
if (files.length === 0) throw new Error(`No test file is named ${positionals.join(", ")}`);

if (files.length > many) await refreshBundles();
process.exitCode = (await runGathered({ files, root, backwards: values.backwards })) ? 0 : 1;

function chosen(): readonly string[] {
  const every = globSync("test/**/*.test.ts", { cwd: root });
  if (values.all) return every;
  if (positionals.length > 0 && !values.trials) return named();
  // `npm run check` runs the laws, which test no product.
  const others = every.filter((file) => !file.startsWith("test/laws/"));
  const circle: Circle = values.trials ? "trials" : values["slow-in-ci"] ? ".ci/run" : "npm test";
  const [folder = ""] = positionals;
  return others.filter((file) => circleOf(file) === circle && file.startsWith(folder));
}

/** Throws an Error for a name that no file has. */
function named(): readonly string[] {
  const absent = positionals.filter((name) => globSync(name, { cwd: root }).length === 0);
  if (absent.length > 0) throw new Error(`No file is named ${absent.join(", ")}`);
  return globSync(positionals, { cwd: root });
}

/** Does what `npm ci` does at its end, unless that is newer than all sources. */
async function refreshBundles(): Promise<void> {
  const { freshest } = (await import(new URL("../bin/entry.js", import.meta.url).href)) as { freshest(): string };
  if (freshest().endsWith(".js")) return;
  const { status } = spawnSync("npm", ["run", "--silent", "prepare"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The bundles could not be made: npm run prepare");
}
