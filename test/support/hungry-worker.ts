/**
 * The product's flow thread, which takes memory when the body of a message orders it: `live` keeps it, `garbage`
 * releases it at once; `starved PIPE` releases it, too, and then uses no CPU and answers nothing until the pipe is closed.
 */
import { readFileSync } from "node:fs";
import { ToThread } from "../../src/shared/frames-to-thread.ts";
import type { AttachTask } from "../../src/shared/protocol.ts";
import { attach as attachFlow } from "../../src/workers/flow-worker.ts";

const MiB = 1024 * 1024;
const amount = 40;
const kept: unknown[] = [];
/** Long enough for a sample of the memory. */
const busyMs = 500;

export function attach(task: AttachTask): Promise<void> {
  task.port.on("message", (frames: unknown[]) => {
    if (frames[0] !== ToThread.invoke) return;
    const [order, pipe] = String(frames[6]).split(" ");
    if (order !== "live" && order !== "garbage" && order !== "starved") return;
    for (let i = 0; i < amount; i += 1) kept.push(new Uint8Array(MiB).fill(1));
    if (order === "live") return;
    kept.splice(0);
    if (order === "starved") starve(String(pipe));
  });
  return attachFlow(task);
}

function starve(pipe: string): void {
  const from = performance.now();
  while (performance.now() - from < busyMs);
  readFileSync(pipe);
}
