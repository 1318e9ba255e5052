/**
 * Runs the tests that run in threads and processes of the sources, and reports which lines of src/ they reach, those of flows' threads included.
 * Fails when a test fails.
 *
 * Threads of flows run with an empty environment and without write permission: `BULKHEAD_COVERAGE_DIR` asks the pools
 * to give them what a coverage run needs. No tsx here: counts of one file only add up if all see the same text.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { isInNpmTest } from "../test/circles.ts";
import { leftForTrials } from "../test/left-for-trials.ts";
import { noteFigure } from "../test/support/figures.ts";
import { runGathered } from "./gathered-tests.ts";

const root = resolve(import.meta.dirname, "..");
const reports = resolve(root, "coverage");
const raw = resolve(reports, "raw");

/** Slow files that alone load some files of src/. */
const needed: ReadonlySet<string> = new Set(["test/cli/dev.test.ts", "test/cli/deploy.test.ts"]);

interface Counted {
  readonly total: number;
  readonly covered: number;
  readonly pct: number;
}

const passed = await runTests();
report();
const { total }: { total: Record<"lines" | "branches" | "functions", Counted> } = JSON.parse(
  readFileSync(resolve(reports, "coverage-summary.json"), "utf8"),
);
for (const kind of ["lines", "branches", "functions"] as const)
  noteFigure(kind, `${total[kind].covered} of ${total[kind].total}, ${total[kind].pct} %`);
process.exitCode = passed ? 0 : 1;

async function runTests(): Promise<boolean> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
  const files = globSync("test/**/*.test.ts", { cwd: root })
    .filter((file) => isInNpmTest(file) || leftForTrials[file] !== undefined || needed.has(file))
    .sort();
  const env = { ...process.env, NODE_V8_COVERAGE: raw, BULKHEAD_COVERAGE_DIR: raw };
  return runGathered({ files, root, env });
}

function report(): void {
  const c8 = resolve(root, "node_modules", "c8", "bin", "c8.js");
  const args = ["--temp-directory", raw, "--reports-dir", reports, "--include", "src/**", "--merge-async"];
  const reporters = ["--reporter", "text-summary", "--reporter", "json-summary", "--reporter", "html"];
  const { status } = spawnSync(process.execPath, [c8, "report", ...args, ...reporters], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the coverage report could not be made");
}
