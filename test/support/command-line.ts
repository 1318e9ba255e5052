/** The command line: as a process of the installed entry, and in this process where no other is needed. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/cli/program.ts";

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
}

/** Runs the command in a process of its own. A runtime that it would start by mistake ends at once: its port is none. */
export function bulkheadProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Ended> {
  const child = spawn(process.execPath, [...flags, entry, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", PORT: "none", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
}

/** Runs the command in this process, without colours. */
export async function bulkhead(args: readonly string[], { env = {}, width }: Options = {}): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const code = await runProgram(args, {
    env: { HOME: "/nowhere", ...env },
    width,
    paint: (_style, text) => text,
    say: (text) => (stdout += `${text}\n`),
    complain: (text) => (stderr += `${text}\n`),
  });
  return { code, stdout, stderr };
}
