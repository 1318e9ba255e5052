/**
 * Faults of a flow's thread: a message whose header `X-Fault` names one arms it, and it occurs inside the next step that
 * asks for a random number (`${random(9)}` of simple).
 */
import { pbkdf2Sync } from "node:crypto";
import { serialize } from "node:v8";
import { ToControl } from "../../../src/shared/frames-to-control.ts";
import type { AttachTask } from "../../../src/shared/protocol.ts";

const MiB = 1024 * 1024;
const kept: unknown[] = [];
const { random } = Math;
let armed: string | undefined;
let port: AttachTask["port"] | undefined;
/** In a host process messages are texts or bytes. */
let packed = false;

type Fault = () => unknown;

export const faults: Readonly<Record<string, Fault>> = {
  "endless loop": () => {
    for (;;);
  },
  "microtask storm": () => {
    const again = (): Promise<void> => Promise.resolve().then(again);
    void again();
  },
  exit: () => process.exit(7),
  crash: () =>
    queueMicrotask(() => {
      throw new Error("nobody catches this");
    }),
  // V8 aborts the process: one allocation is larger than what the heap has left near its limit.
  "push without end": () => {
    const list: number[] = [];
    for (;;) list.push(list.length);
  },
  // Nothing interrupts it: allocations take the time, and V8's limit is never quite reached.
  "arrays without end": () => {
    for (;;) kept.push(new Array(1000).fill({}));
  },
  "objects without end": () => {
    let last: unknown;
    for (;;) last = { before: last, text: `${random()}` };
  },
  "native code": () => pbkdf2Sync("a", "b", 8_000_000, 64, "sha512"),
  "posts without end": () => {
    for (;;) post([ToControl.dropped, 0, 0]);
  },
  "large posts": () => {
    for (;;) post([ToControl.log, -1, -1, 2, "", "x".repeat(MiB), ""]);
  },
  "output without end": () => {
    for (;;) process.stdout.write(`${"a line of output ".repeat(8)}\n`);
  },
  "off the heap": () => {
    for (;;) kept.push(new Uint8Array(MiB).fill(1));
  },
  // The largest array that V8 keeps as one piece of memory; a longer one is a table, which grows for seconds.
  "one huge array": () => kept.push(new Array(3e7).fill(0)),
  "one huge table": () => kept.push(new Array(5e7).fill(0)),
};

Math.random = () => {
  const fault = armed;
  armed = undefined;
  if (fault !== undefined) faults[fault]?.();
  return random();
};

type Attach = (task: AttachTask) => Promise<void>;

/** Returns the product's `attach` with faults. */
export function withFaults(attach: Attach): Attach {
  return (task) => {
    port = task.port;
    // Added before the product's own listener, which runs the step in the same turn.
    port.on("message", (frames: unknown) => {
      packed = !Array.isArray(frames);
      armed = /fault <([a-z ]+)>/.exec(textOf(frames))?.[1];
    });
    return attach(task);
  };
}

function post(frames: unknown[]): void {
  port?.postMessage(packed ? serialize(frames) : frames);
}

function textOf(frames: unknown): string {
  if (typeof frames === "string") return frames;
  if (frames instanceof Uint8Array)
    return Buffer.from(frames.buffer, frames.byteOffset, frames.length).toString("latin1");
  return Array.isArray(frames) ? frames.filter((frame) => typeof frame === "string").join("\n") : "";
}
