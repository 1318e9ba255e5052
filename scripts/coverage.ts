/**
 * Runs the tests of `npm test` and reports which lines of src/ they reach, those of flows' threads included. Fails when a
 * test fails, and when a file of src/ that has code was loaded by no test at all.
 *
 * Threads of flows run with an empty environment and without write permission: `BULKHEAD_COVERAGE_DIR` asks the pools
 * to give them what a coverage run needs. No tsx here: counts of one file only add up if all see the same text.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { relative, resolve } from "node:path";
import { slow } from "../test/slow.ts";
import { runGathered } from "./gathered-tests.ts";

const root = resolve(import.meta.dirname, "..");
const reports = resolve(root, "coverage");
const raw = resolve(reports, "raw");

/** The files of test/slow.ts that alone load files of src/. */
const needed: ReadonlySet<string> = new Set(["test/cli/dev.test.ts", "test/cli/deploy.test.ts"]);

interface Counted {
  readonly lines: { readonly total: number; readonly covered: number; readonly pct: number };
}

const passed = await runTests();
report();
const summary: Readonly<Record<string, Counted>> = JSON.parse(
  readFileSync(resolve(reports, "coverage-summary.json"), "utf8"),
);
const seen = new Set(Object.keys(summary).map((path) => relative(root, path)));
const absent = globSync("src/**/*.ts", { cwd: root }).filter((file) => !seen.has(file) && hasCode(file));
if (absent.length > 0) console.error(`No test loads\n  ${absent.sort().join("\n  ")}`);
process.exitCode = passed && absent.length === 0 ? 0 : 1;

async function runTests(): Promise<boolean> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
  const files = globSync("test/**/*.test.ts", { cwd: root })
    .filter((file) => slow[file] === undefined || needed.has(file))
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

/** false: the file has only types, which nothing loads. */
function hasCode(file: string): boolean {
  const code = stripTypeScriptTypes(readFileSync(resolve(root, file), "utf8"));
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\s*\};?/g, "").trim() !== "";
}
