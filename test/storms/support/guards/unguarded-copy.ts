/** A copy of the project in which one guard at a time is missing; the tree itself is never changed. */
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { circleOf, circles } from "../../../circles.ts";
import { after } from "../../../support/clock.ts";
import type { Guard } from "./guard.ts";

const root = resolve(import.meta.dirname, "../../../..");
const parts = [
  "src",
  "test",
  "scripts",
  "bin",
  "routes",
  "docs",
  "bench",
  "package.json",
  "tsconfig.json",
  "README.md",
];
/** How long one test file may take: a suite that hangs has noticed, too. */
const longestMs = 180_000;
/** A test that failed, in TAP: neither a file nor a test that is marked as one to do. */
const failure = /^\s*not ok \d+ - (?!test\/|\/)(?!.*# TODO)(.*)\n/m;

export interface SuiteRun {
  readonly passed: boolean;
  /** The first test that failed, or why there is none to name. */
  readonly told: string;
}

export class UnguardedCopy {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async make(): Promise<UnguardedCopy> {
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-guards-"));
    for (const part of parts) await cp(join(root, part), join(directory, part), { recursive: true });
    // Not a link to the folder: the rights of processes that run sources do not cover what is behind one.
    const links = (await stat(directory)).dev === (await stat(root)).dev;
    await promisify(execFile)("cp", [links ? "-al" : "-a", join(root, "node_modules"), directory]);
    const copy = new UnguardedCopy(directory);
    await copy.#bundle();
    return copy;
  }

  /**
   * Runs the files of the guard's suite without the guard, those of the inner circle first, until one fails. Throws an Error when the guard's text
   * is not there, or more than once.
   */
  async without(guard: Guard): Promise<SuiteRun & { readonly file: string }> {
    const path = join(this.#directory, guard.file);
    const whole = await readFile(path, "utf8");
    const found = whole.split(guard.from).length - 1;
    if (found !== 1) throw new Error(`'${guard.name}': its text is ${found} times in ${guard.file}: mend the table`);
    await writeFile(
      path,
      whole.replace(guard.from, () => guard.to),
    );
    try {
      await this.#bundle();
      const files = guard.suite.toSorted(
        (one, other) => circles.indexOf(circleOf(one)) - circles.indexOf(circleOf(other)),
      );
      let last = { passed: true, told: "", file: "" };
      for (const file of files) {
        last = { ...(await this.run([file])), file };
        if (!last.passed) break;
      }
      return last;
    } finally {
      await writeFile(path, whole);
    }
  }

  run(suite: readonly string[]): Promise<SuiteRun> {
    return new Promise((done) => {
      const child = spawn(process.execPath, ["--import", "tsx", "--test", "--test-reporter=tap", ...suite], {
        cwd: this.#directory,
        stdio: ["ignore", "pipe", "ignore"],
        // Its tests start processes of their own: they end together.
        detached: true,
      });
      const end = (): boolean => process.kill(-(child.pid as number), "SIGKILL");
      let output = "";
      let failed: string | undefined;
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (failed !== undefined) return;
        failed = failure.exec(output)?.[1];
        // The tests behind it prove nothing more, and may wait for what the guard would have done.
        if (failed !== undefined) end();
      });
      const stop = after(longestMs * suite.length, end);
      child.on("exit", (code, signal) => {
        stop();
        const told = failed ?? (signal === null ? `exit code ${code}` : "it did not end");
        done({ passed: code === 0, told });
      });
    });
  }

  /** Threads boot from bundles in a fifth of the time. */
  async #bundle(): Promise<void> {
    await promisify(execFile)(process.execPath, ["scripts/bundle.ts"], { cwd: this.#directory });
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true, force: true });
  }
}
