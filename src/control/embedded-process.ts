/**
 * Entry of the process that has the databases of a group open (embedded/embedded-process.ts). Its argument is their folder;
 * descriptor 3 is its line to control. Descriptor 4 is open as long as control lives: a thread waits for its end, since
 * nothing else in this process goes on while a statement runs.
 */
import { Socket } from "node:net";
import { takeCoverage } from "node:v8";
import { Worker } from "node:worker_threads";
import { Server } from "./embedded/process/server.ts";

const watch = 'require("node:fs").readSync(4, new Uint8Array(1)); process.kill(process.pid, "SIGKILL");';

/** Signals from a terminal or a unit are meant for control, which ends this process. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.umask(0o077);

const watcher = new Worker(watch, { eval: true, execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } });
watcher.once("error", end);
watcher.once("online", () => {
  // From here on it can start no thread, where Node has that.
  (process.permission as { drop?(scope: string): void } | undefined)?.drop?.("worker");
  new Server(process.argv[2] ?? "", new Socket({ fd: 3, readable: true, writable: true }), end);
});

function end(): void {
  if (process.env["NODE_V8_COVERAGE"] !== undefined) takeCoverage();
  process.kill(process.pid, "SIGKILL");
}
