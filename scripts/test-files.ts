/**
 * Runs test files, each in a process of its own. Real servers and browsers have times of their own: a file that fails, or
 * does not end, is run once more behind all others. Each such retry is counted and named in the last lines. With
 * NO_RETRIES=1 nothing is run again.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { noteFigure } from "../test/support/figures.ts";

/** A run of a file. */
export interface TestFile {
  /** What the report calls it. */
  readonly name: string;
  readonly file: string;
  /** Variables of this run alone. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TestFiles {
  readonly files: readonly (string | TestFile)[];
  /** How many files run side by side; what one prints is then printed when it has ended. */
  readonly atOnce: number;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Against what hangs: the longest run takes 5 minutes on 2 processors, and 19 beside others on slow ones. */
const mostMs = 30 * 60_000;

const flags = [
  "--disable-warning=ExperimentalWarning",
  // Processes share the compiled sources.
  ...["--import", "./test/support/compile-cache.ts"],
  "--test-reporter=spec",
];

/** Resolves with true when each file has passed. */
export async function runTestFiles({ files, atOnce, root, env }: TestFiles): Promise<boolean> {
  const runs = files.map((one) => (typeof one === "string" ? { name: one, file: one } : one));
  const seconds = new Map<string, number>();
  const passes = async ({ name, file, env: own }: TestFile, isAlone: boolean): Promise<boolean> => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...flags, file], {
      cwd: root,
      env: { ...env, ...own },
      timeout: mostMs,
      stdio: ["ignore", isAlone ? "inherit" : "pipe", "inherit"],
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`failed: ${error.message}`));
      child.once("close", (code, signal) => resolve(outcomeOf(code, signal)));
    });
    const output = child.stdout === null ? "" : await text(child.stdout);
    const outcome = await ended;
    const took = Math.round((performance.now() - startedAt) / 1000);
    seconds.set(name, (seconds.get(name) ?? 0) + took);
    process.stdout.write(`${output}${name} ${outcome} after ${took} s\n`);
    return outcome === "passed";
  };
  const failing: TestFile[] = [];
  const waiting = runs.values();
  const work = async (): Promise<void> => {
    for (const run of waiting) if (!(await passes(run, atOnce === 1))) failing.push(run);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const again = process.env["NO_RETRIES"] === "1" ? [] : failing;
  if (again.length > 0) process.stdout.write(`\nOnce more, after a failure: ${namesOf(again)}\n\n`);
  const steady: TestFile[] = [];
  for (const run of again) if (await passes(run, true)) steady.push(run);
  const failed = failing.filter((run) => !steady.includes(run));
  const slowest = [...seconds]
    .sort(([, a], [, b]) => b - a)
    .map(([name, took]) => `${String(took).padStart(5)} ${name}`);
  const lines = [
    `seconds\n${slowest.join("\n")}\n`,
    `${runs.length} test files, ${failed.length} failed`,
    `retries: ${again.length}`,
    ...(steady.length > 0 ? [`unsteady, failed at first and then passed: ${namesOf(steady)}`] : []),
    ...(failed.length > 0 ? [`failed${again.length > 0 ? " twice" : ""}: ${namesOf(failed)}`] : []),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  noteFigure("retries", again.length);
  return failed.length === 0;
}

function namesOf(runs: readonly TestFile[]): string {
  return runs.map(({ name }) => name).join(", ");
}

function outcomeOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0) return "passed";
  return signal === null
    ? "failed"
    : `failed: it was ended with ${signal}, at the latest after ${mostMs / 60_000} minutes,`;
}
