/** Runs files of tests, one after the other, in a runtime. */
import { ApiError } from "../../client/index.ts";
import type { FlowSources } from "./flow-sources.ts";
import { runTest, type TestOutcome } from "./run-single.ts";
import type { TestRuntime } from "./runtimes.ts";
import { type FlowTest, placeIn, type TestFile } from "./test-file.ts";
import { BadFile } from "./text-files.ts";

export interface FileResult {
  readonly file: TestFile;
  readonly notes: readonly string[];
  readonly tests: readonly TestResult[];
  readonly startedAt: Date;
}

export interface TestResult extends TestOutcome {
  readonly test: FlowTest;
}

export interface RunOptions {
  /** Runs only tests whose name, or whose flow's name, contains this text. */
  readonly filter: string | undefined;
  /** Some test of the files is marked `only`. */
  readonly only: boolean;
  /** Failed expectations are rewritten instead of reported as failures. */
  readonly update: boolean;
  readonly sourcesOf: (file: TestFile) => FlowSources;
  readonly stopped: () => boolean;
  /** Called with each result at once. */
  readonly onTest: (file: TestFile, result: TestResult) => void;
  readonly onFile: (file: TestFile, notes: readonly string[]) => void;
}

const skipped: TestOutcome = { status: "skipped", durationMs: 0, failures: [], notes: [] };

/** Runs a file's tests. Throws BadFile, UnreachableError. */
export async function runFile(runtime: TestRuntime, file: TestFile, options: RunOptions): Promise<FileResult> {
  const startedAt = new Date();
  const { filter, only, stopped, onTest, onFile } = options;
  const wanted = file.tests.filter(
    ({ name }) => filter === undefined || name.includes(filter) || file.flow.includes(filter),
  );
  const runs = (test: FlowTest): boolean => (test.skip ?? false) === false && (!only || test.only === true);
  const tests: TestResult[] = [];
  const add = (test: FlowTest, outcome: TestOutcome): void => {
    const result = { test, ...(options.update ? forgive(outcome) : outcome) };
    tests.push(result);
    onTest(file, result);
  };
  let notes: readonly string[] = [];
  let problem: string | undefined;
  try {
    if (wanted.some(runs)) ({ notes, problem } = await prepare(runtime, file, options.sourcesOf(file)));
    if (wanted.length > 0) onFile(file, notes);
    for (const test of wanted) {
      if (stopped()) break;
      if (!runs(test)) add(test, skipped);
      else if (problem === undefined) add(test, await runTest(runtime.api, file, test));
      else add(test, { ...skipped, status: "failed", failures: [{ ...placeIn(file, test, []), message: problem }] });
    }
  } finally {
    await runtime.release();
  }
  return { file, notes, tests, startedAt };
}

function forgive(outcome: TestOutcome): TestOutcome {
  if (outcome.updates !== true) return outcome;
  const failures = outcome.failures.filter(({ expected }) => expected !== true);
  return { ...outcome, failures, status: failures.length === 0 ? "passed" : "failed" };
}

async function prepare(
  runtime: TestRuntime,
  file: TestFile,
  sources: FlowSources,
): Promise<{ readonly notes: readonly string[]; readonly problem: string | undefined }> {
  try {
    return { notes: await runtime.prepare(file, sources), problem: undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Without the right token, or without any configured, no test can run.
    if (error.status === 401) throw new BadFile(`${runtime.api.url}: ${error.message} (BULKHEAD_TOKEN)`);
    if (error.status === 503) throw new BadFile(`${runtime.api.url}: ${error.message}`);
    return { notes: [], problem: error.message };
  }
}
