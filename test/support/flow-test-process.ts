/**
 * `bulkhead test` as its users start it: a process of its own, with files in a directory that is deleted after the
 * test.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { flowTestCommand } from "../../src/control/flow-test/flow-test-command.ts";
import { bundle } from "./bundles.ts";
import { checkThreads } from "./check-threads.ts";
import { patientVariables } from "./patience.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const entry = process.env["BULKHEAD_COVERAGE_DIR"] === undefined ? "bin/bulkhead.js" : "src/cli/bulkhead.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process, where no other is needed. */
export async function flowTest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const terminal = {
    env: { ...patientVariables, ...env },
    colours: false,
    say: (line: string) => (stdout += `${line}\n`),
    complain: (line: string) => (stderr += `${line}\n`),
    onStop() {},
  };
  const code = await flowTestCommand(args, terminal, { threadEntry: bundle("flow-worker"), checks: checkThreads() });
  return { code, stdout, stderr };
}

export interface Started {
  readonly ended: Promise<Ended>;
  /** Resolves when its output has contained the text `times` times. */
  said(text: string, times?: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Stops reading its output. */
  deafen(): void;
}

export class FlowTestFiles {
  readonly directory: string;
  /** The processes' TMPDIR. */
  readonly temporary: string;
  readonly #t: TestContext;

  /** Writes files. `files`: texts by their paths below the directory. */
  static async write(t: TestContext, files: Readonly<Record<string, string>>): Promise<FlowTestFiles> {
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-flow-tests-"));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const made = new FlowTestFiles(t, directory);
    await mkdir(made.temporary);
    for (const [path, text] of Object.entries(files)) await made.write(path, text);
    return made;
  }

  private constructor(t: TestContext, directory: string) {
    this.#t = t;
    this.directory = directory;
    this.temporary = join(directory, "tmp");
  }

  path(path: string): string {
    return join(this.directory, path);
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  /** Runs the command in this process; in the result paths begin with `/`, relative to the directory. */
  async here(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const paths = args.map((arg) => arg.replace(/^\//, `${this.directory}/`));
    const { code, stdout, stderr } = await flowTest(paths, env);
    const told = (text: string): string => text.replaceAll(`${this.directory}/`, "");
    return { code, stdout: told(stdout), stderr: told(stderr) };
  }

  /** Lists what the processes have left in TMPDIR. */
  async left(): Promise<readonly string[]> {
    return (await readdir(this.temporary)).filter((name) => name.startsWith("bulkhead"));
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.start(args, env).ended;
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    const child = spawn(process.execPath, [join(root, entry), "test", ...args], {
      cwd: this.directory,
      env: { PATH: process.env["PATH"] ?? "", TMPDIR: this.temporary, ...patientVariables, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    const waiting = new Set<() => void>();
    const heard = (): void => {
      for (const look of waiting) look();
    };
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString())).on("data", heard);
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString())).on("data", heard);
    const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
    this.#t.after(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const said = (text: string, times = 1): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (`${stdout}\n${stderr}`.split(text).length <= times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${stdout}${stderr}`)));
      });
    return { ended, said, kill: (signal) => child.kill(signal), deafen: () => child.stdout.destroy() };
  }
}
