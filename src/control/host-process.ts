/**
 * Entry of a host process, which control starts for a group of flows (threads/hosts/host-process.ts): it has one line, descriptor 3, and
 * ends when that closes, however control has ended.
 */
import { Socket } from "node:net";
import { takeCoverage } from "node:v8";
import { Relay } from "./host/relay.ts";

/** Whoever stops the runtime from a terminal, or through its unit, means control, which finishes what it has first. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

new Relay(new Socket({ fd: 3, readable: true, writable: true }), () => {
  if (process.env["NODE_V8_COVERAGE"] !== undefined) takeCoverage();
  // Not `process.exit`, which waits for threads that are in native code.
  process.kill(process.pid, "SIGKILL");
});
