/** The command line: as a process of the installed entry, and in this process where no other is needed. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/cli/program.ts";
import { patientVariables } from "./patience.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const entry = process.env["BULKHEAD_COVERAGE_DIR"] === undefined ? "bin/bulkhead.js" : "src/cli/bulkhead.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Columns of the terminal; absent: the output is no terminal. */
  readonly width?: number;
  /** Answers a question; absent: nobody sits before the terminal. */
  readonly ask?: (question: string) => Promise<string>;
}

export interface Started {
  readonly ended: Promise<Ended>;
  /** Resolves with its output when that matches; rejects when it ends before. */
  said(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

interface Around {
  /** The folder that it is started in. */
  readonly cwd?: string;
  /** What it reads; absent: nothing. */
  readonly input?: string;
}

/** Starts the command in a process of its own. A runtime that it would start by mistake ends at once: its port is none. */
export function startBulkhead(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  { cwd = root, input }: Around = {},
): Started {
  const all = { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", PORT: "none", ...patientVariables, ...env };
  return startProgram([process.execPath, ...flags, join(root, entry), ...args], all, { cwd, input });
}

/** Starts a program with these variables and no others. */
export function startProgram(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd, input }: { readonly cwd: string; readonly input?: string | undefined },
): Started {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const got = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => {
      got[name] += chunk.toString();
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...got }));
  });
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const all = got.stdout + got.stderr;
        if (pattern.test(all)) resolve(all);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      look();
      void ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${got.stdout}${got.stderr}`)), reject);
    });
  return { ended, said, kill: (signal) => child.kill(signal) };
}

export function bulkheadProcess(...started: Parameters<typeof startBulkhead>): Promise<Ended> {
  return startBulkhead(...started).ended;
}

/** Runs the command in this process, without colours. */
export async function bulkhead(args: readonly string[], { env = {}, width, ask }: Options = {}): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const code = await runProgram(args, {
    env: { HOME: "/nowhere", ...env },
    width,
    paint: (_style, text) => text,
    say: (text) => (stdout += `${text}\n`),
    write: (bytes) => (stdout += Buffer.from(bytes).toString()),
    complain: (text) => (stderr += `${text}\n`),
    ...(ask !== undefined && { ask }),
  });
  return { code, stdout, stderr };
}
