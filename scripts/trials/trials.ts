/**
 * Runs the trials: what is too long for `.ci/run`. Give it the machine to itself.
 *
 *     npm run trials                          all rows, in hours
 *     npm run trials -- storm-kills coverage  some of them
 *     npm run trials -- --changed [BASE]      the rows that the changes since BASE call for (origin/main)
 *     npm run trials -- --status              which rows have not run since their files changed
 *     npm run trials -- --list                the rows with their commands
 *
 * A run of a clean work tree is recorded in test/trials: commit these files, and nothing else, behind the commit that was tried.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { trialRows } from "../../test/trial-rows/index.ts";
import type { TrialRow } from "../../test/trial-rows/row.ts";
import { runPhase } from "../ci/phase.ts";
import { calledForSince } from "./called-for.ts";
import { commitOf, head, isDirty } from "./git.ts";
import { commandOf, writePage } from "./page.ts";
import { root, writeResult } from "./result.ts";
import { printStatus } from "./status.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean", default: false },
    status: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

if (values.status) printStatus();
else if (values.list) for (const row of trialRows) process.stdout.write(`${row.name.padEnd(24)}${commandOf(row)}\n`);
else await runRows(values.changed ? changedRows(positionals[0]) : namedRows(positionals));

function namedRows(names: readonly string[]): readonly TrialRow[] {
  const absent = names.filter((name) => !trialRows.some((row) => row.name === name));
  if (absent.length > 0) throw new Error(`No row is named ${absent.join(", ")}. npm run trials -- --list names them.`);
  return names.length === 0 ? trialRows : trialRows.filter(({ name }) => names.includes(name));
}

function changedRows(base = "origin/main"): readonly TrialRow[] {
  const called = calledForSince(commitOf(base));
  for (const [{ name }, file] of called) process.stdout.write(`${name.padEnd(24)}because of ${file}\n`);
  return [...called.keys()];
}

async function runRows(rows: readonly TrialRow[]): Promise<void> {
  const isRecorded = !isDirty();
  if (!isRecorded) process.stdout.write("The work tree has changes that are not committed: nothing is recorded.\n");
  const commit = head();
  const failed: string[] = [];
  for (const row of rows) {
    if (row.needs !== undefined && process.env[row.needs] === undefined) {
      process.stdout.write(`\n== ${row.name}: left out, since ${row.needs} is not set\n`);
      continue;
    }
    if (!(await runRow(row, isRecorded ? commit : undefined))) failed.push(row.name);
  }
  const names = failed.length > 0 ? `: ${failed.join(", ")}` : "";
  process.stdout.write(`\n${rows.length} rows, ${failed.length} failed${names}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** `commit`: what is tried; undefined: the run is not recorded. Resolves with true when the row has passed. */
async function runRow(row: TrialRow, commit: string | undefined): Promise<boolean> {
  const { name, command, times = 1 } = row;
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-trial-"));
  const env = { TRIAL_FIGURES: join(folder, "figures") };
  let [passed, seconds, cpuSeconds] = [true, 0, 0];
  for (let time = 1; time <= times; time++) {
    process.stdout.write(`\n== ${name}${times > 1 ? `, ${time} of ${times}` : ""}: ${commandOf(row)}\n`);
    const result = await runPhase({ name, command: ["npm", ...command], env }, root, true);
    passed &&= result.passed;
    seconds += result.seconds;
    cpuSeconds += result.cpuSeconds;
  }
  const figures = readFigures(env.TRIAL_FIGURES);
  rmSync(folder, { recursive: true });
  process.stdout.write(`\n== ${name} ${passed ? "passed" : "FAILED"} after ${seconds.toFixed(0)} s\n`);
  if (commit === undefined) return passed;
  const { retries = 0, ...others } = figures;
  writeResult(row, {
    passed,
    commit,
    day: new Date().toISOString().slice(0, 10),
    seconds: Math.round(seconds),
    cpuSeconds: Math.round(cpuSeconds),
    retries: Number(retries),
    figures: others,
  });
  writePage();
  return passed;
}

/** Lines of JSON that test/support/figures.ts has written; a row that measures nothing writes none. */
function readFigures(path: string): Readonly<Record<string, string | number>> {
  try {
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    return Object.fromEntries(
      lines
        .map((line) => JSON.parse(line) as { name: string; value: string | number })
        .map(({ name, value }) => [name, value]),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
