/** A server in a process of its own, as an operator would start it, with its output thrown away. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** From spawn to the first connection that is accepted. */
  readonly startMs: number;
  /** Asks a module that was loaded before the server's own (`imports`), which answers each message with one. */
  ask<Answer>(question: string): Promise<Answer>;
  /** Messages that nobody asked for; of a module that was loaded before the server's own. */
  onMessage(listener: (message: unknown) => void): void;
  /** With SIGTERM, and with SIGKILL if it is not gone then. */
  stop(): Promise<void>;
}

/** A stuck server never gets to its SIGTERM. */
const stopMs = 20_000;

export const token = "bench-token-of-more-than-thirty-two-characters";

/** `tree`: the checkout whose runtime it is; absent: this one. `imports`: modules that are loaded before it, as URLs. */
export async function startRuntime(
  env: Readonly<Record<string, string>> = {},
  tree = ".",
  imports: readonly string[] = [],
): Promise<ServerProcess> {
  const dir = await mkdtemp(join(tmpdir(), "bulkhead-bench-"));
  const flags = imports.flatMap((module) => ["--import", module]);
  const server = await start([...flags, join(tree, "bin/bulkhead.js")], {
    SERVICE_DEPLOY_TOKEN: token,
    ROUTES_DIR: join(dir, "routes"),
    DATA_DIR: join(dir, "data"),
    ...env,
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Starts a module, or another program, that listens on PORT. Nobody reads its output: a reader would take part in what is measured. */
export async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = process.execPath,
): Promise<ServerProcess> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let failed: number | null | undefined;
  child.once("exit", (code) => {
    failed = code;
  });
  while (!(await listens(port))) {
    if (failed !== undefined) throw new Error(`the server ended with ${failed} before it listened`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const startMs = performance.now() - began;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    startMs,
    async ask<Answer>(question: string) {
      const answer = once(child, "message");
      child.send(question);
      return (await answer)[0] as Answer;
    },
    onMessage: (listener) => void child.on("message", listener),
    stop: () => stop(child),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (yes: boolean) => (): void => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("connect", answer(true));
    socket.once("error", answer(false));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    const late = setTimeout(() => child.kill("SIGKILL"), stopMs);
    child.once("exit", () => {
      clearTimeout(late);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

export async function putFlow(
  url: string,
  id: string,
  yaml: string,
  limits: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const response = await fetch(`${url}/_api/flows/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ yaml, limits }),
  });
  if (!response.ok) throw new Error(`PUT ${id}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** What it has under way is killed. */
export async function removeFlow(url: string, id: string): Promise<void> {
  const response = await fetch(`${url}/_api/flows/${id}?drainMs=0&purge=true`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`DELETE ${id}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** CPU time of a process so far, all threads, in milliseconds (Linux: clock ticks of 10 ms). */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, in bytes. */
export function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

export async function threadsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/task`)).length;
}
