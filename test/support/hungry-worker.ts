/**
 * The product's flow thread, which takes memory when the body of a message orders it: `live` keeps it, `garbage`
 * releases it at once.
 */
import { ToThread } from "../../src/shared/frames-to-thread.ts";
import type { AttachTask } from "../../src/shared/protocol.ts";
import { attach as attachFlow } from "../../src/workers/flow-worker.ts";

const MiB = 1024 * 1024;
const amount = 40;
const kept: unknown[] = [];

export function attach(task: AttachTask): Promise<void> {
  task.port.on("message", (frames: unknown[]) => {
    if (frames[0] !== ToThread.invoke) return;
    const order = frames[6];
    if (order !== "live" && order !== "garbage") return;
    for (let i = 0; i < amount; i += 1) kept.push(new Uint8Array(MiB).fill(1));
    if (order === "garbage") kept.splice(0);
  });
  return attachFlow(task);
}
