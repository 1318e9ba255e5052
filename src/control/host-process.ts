/**
 * Entry of a host process, which control starts for a group of flows (threads/hosts/host-process.ts). It has one line, descriptor 3,
 * and ends when the line closes, however control has ended.
 */
import { Socket } from "node:net";
import { takeCoverage } from "node:v8";
import { Relay } from "./host/relay.ts";

/** Ignores signals from a terminal or a unit: they are meant for control, which finishes its runs first. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

new Relay(new Socket({ fd: 3, readable: true, writable: true }), () => {
  if (process.env["NODE_V8_COVERAGE"] !== undefined) takeCoverage();
  // `process.exit` would wait for threads in native code.
  process.kill(process.pid, "SIGKILL");
});
