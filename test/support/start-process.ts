/** The runtime as an operator starts it: a process of its own, with signals and standard output. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { patientVariables } from "./patience.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The installed entry; a coverage run counts the lines of the sources. */
const entry = process.env.BULKHEAD_COVERAGE_DIR === undefined ? "bin/bulkhead.js" : "src/cli/bulkhead.ts";

export interface RuntimeProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** The whole lines of standard output so far. */
  readonly lines: string[];
  /** Returns standard error so far. */
  readonly stderr: () => string;
  /** Resolves with the exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Starts a process. `descriptors`: the most file descriptors that it may have; `args`: its command line. */
export async function startProcess(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  { descriptors, args = [] }: { readonly descriptors?: number; readonly args?: readonly string[] } = {},
): Promise<RuntimeProcess> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-process-"));
  const [command, ...given] =
    descriptors === undefined
      ? [process.execPath]
      : ["sh", "-c", `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath];
  const child = spawn(command as string, [...given, entry, ...args], {
    cwd: root,
    env: {
      PORT: "0",
      ROUTES_DIR: join(directory, "routes"),
      DATA_DIR: join(directory, "data"),
      ...patientVariables,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let failures = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await exited;
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  const url = await new Promise<string>((resolve, reject) => {
    let rest = "";
    child.stderr.on("data", (chunk: Buffer) => {
      failures += chunk.toString();
    });
    child.stdout.on("data", (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      const found = parts
        .map((line) => /listening on (http:[^"]+)/.exec(line)?.[1])
        .find((address) => address !== undefined);
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`ended with ${code}: ${failures}`)));
  });
  return { child, url, lines, stderr: () => failures, exited };
}
