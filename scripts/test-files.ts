/**
 * Runs test files one after another, each in a process of its own. Real servers and browsers have times of their own: a file that
 * fails, or does not end, is run once more behind all others, and is reported as unsteady when it passes then.
 */
import { spawnSync } from "node:child_process";

export interface TestFiles {
  readonly files: readonly string[];
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The longest one takes 5 minutes on 2 processors. */
const mostMs = 12 * 60_000;

/** Returns true when each file has passed. */
export function runTestFiles({ files, root, env }: TestFiles): boolean {
  const flags = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=spec"];
  const passes = (file: string): boolean => {
    const startedAt = performance.now();
    const { status, error } = spawnSync(process.execPath, [...flags, file], {
      ...{ cwd: root, env, stdio: "inherit", timeout: mostMs },
    });
    const outcome = status === 0 ? "passed" : error === undefined ? "failed" : `failed: ${error.message}`;
    process.stdout.write(`${file} ${outcome} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
    return status === 0;
  };
  const again = files.filter((file) => !passes(file));
  if (again.length > 0) process.stdout.write(`\nOnce more, after a failure: ${again.join(", ")}\n\n`);
  const failed = again.filter((file) => !passes(file));
  const unsteady = again.filter((file) => !failed.includes(file));
  const lines = [
    `${files.length} test files, ${failed.length} failed`,
    ...(unsteady.length > 0 ? [`unsteady, failed at first and then passed: ${unsteady.join(", ")}`] : []),
    ...(failed.length > 0 ? [`failed twice: ${failed.join(", ")}`] : []),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  return failed.length === 0;
}
