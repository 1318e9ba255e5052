/**
 * Runs test files, each in a process of its own. Real servers and browsers have times of their own: a file that fails, or
 * does not end, is run once more behind all others, and is reported as unsteady when it passes then.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface TestFiles {
  readonly files: readonly string[];
  /** How many files run side by side; what one prints is then printed when it has ended. */
  readonly atOnce: number;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The longest one takes 5 minutes on 2 processors, and 19 beside others on slow ones. */
const mostMs = 30 * 60_000;

/** Resolves with true when each file has passed. */
export async function runTestFiles({ files, atOnce, root, env }: TestFiles): Promise<boolean> {
  const flags = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=spec"];
  const passes = async (file: string, isAlone: boolean): Promise<boolean> => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...flags, file], {
      ...{ cwd: root, env, timeout: mostMs },
      stdio: ["ignore", isAlone ? "inherit" : "pipe", "inherit"],
    });
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`failed: ${error.message}`));
      child.once("close", (code, signal) => resolve(outcomeOf(code, signal)));
    });
    const output = child.stdout === null ? "" : await text(child.stdout);
    const outcome = await ended;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`${output}${file} ${outcome} after ${seconds} s\n`);
    return outcome === "passed";
  };
  const failing: string[] = [];
  const waiting = files.values();
  const work = async (): Promise<void> => {
    for (const file of waiting) if (!(await passes(file, atOnce === 1))) failing.push(file);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failing.length > 0) process.stdout.write(`\nOnce more, after a failure: ${failing.join(", ")}\n\n`);
  const failed: string[] = [];
  for (const file of failing) if (!(await passes(file, true))) failed.push(file);
  const unsteady = failing.filter((file) => !failed.includes(file));
  const lines = [
    `${files.length} test files, ${failed.length} failed`,
    ...(unsteady.length > 0 ? [`unsteady, failed at first and then passed: ${unsteady.join(", ")}`] : []),
    ...(failed.length > 0 ? [`failed twice: ${failed.join(", ")}`] : []),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  return failed.length === 0;
}

function outcomeOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0) return "passed";
  return signal === null
    ? "failed"
    : `failed: it was ended with ${signal}, at the latest after ${mostMs / 60_000} minutes,`;
}
