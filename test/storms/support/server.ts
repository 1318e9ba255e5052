/** The runtime in a process of its own, as an operator starts it, on a free port and over directories of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const token = "a-token-for-storms-of-more-than-thirty-two-characters";

export interface ServerOptions {
  /** Start it over these directories, which stay; undefined: new ones, gone after `remove`. */
  readonly directory?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** What is run; absent: what an operator runs. */
  readonly entry?: string;
  /** Flags of Node. */
  readonly flags?: readonly string[];
  /** Keep the lines of its log, for `lines`. */
  readonly keepLines?: boolean;
  /** Resolves as soon as it runs, before it listens. */
  readonly ipc?: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  /** Whole lines of standard output so far, with `keepLines`. */
  readonly lines: string[];
  /** What it wrote to standard error. */
  readonly problems: () => string;
  readonly exited: Promise<Exit>;
  /** A management call with the token. */
  api(path: string, init?: RequestInit): Promise<Response>;
  /** Rejects unless it is answered 2xx. */
  put(id: string, yaml: string, limits?: Readonly<Record<string, number | string>>): Promise<void>;
  /** Ends it at once, if it still runs, and removes its directories, if they are its own. */
  remove(): Promise<void>;
}

/** Resolves when it listens; rejects with what it wrote when it ends before. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "bulkhead-storm-")));
  const child = spawn(process.execPath, [...(options.flags ?? []), options.entry ?? "bin/bulkhead.js"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      SERVICE_DEPLOY_TOKEN: token,
      ROUTES_DIR: join(directory, "routes"),
      DATA_DIR: join(directory, "data"),
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe", ...(options.ipc === true ? (["ipc"] as const) : [])],
  });
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const lines: string[] = [];
  let problems = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    problems += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    let rest = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split("\n");
      rest = parts.pop() ?? "";
      if (options.keepLines === true) lines.push(...parts);
      const found = parts.map((line) => /listening on (http:[^"]+)/.exec(line)?.[1]).find((address) => address);
      if (found !== undefined) resolve(found);
    });
    void exited.then(({ code, signal }) => reject(new Error(`ended with ${code ?? signal}: ${problems}`)));
  });
  const api = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/_api${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  return {
    child,
    pid: child.pid as number,
    url,
    port: Number(new URL(url).port),
    directory,
    lines,
    problems: () => problems,
    exited,
    api,
    async put(id, yaml, limits = {}) {
      const answer = await api(`/flows/${id}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ yaml, limits }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`PUT ${id}: ${answer.status} ${text}`);
    },
    async remove() {
      child.kill("SIGKILL");
      await exited;
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
