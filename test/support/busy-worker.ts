/** The product's flow thread, which a test can keep busy: see `busy-threads.ts`. */
import { getEnvironmentData } from "node:worker_threads";
import { ToThread } from "../../src/shared/frames-to-thread.ts";
import type { AttachTask } from "../../src/shared/protocol.ts";
import { attach as attachFlow } from "../../src/workers/flow-worker.ts";

/** The values of `Busy`. */
const [always, adopting] = [1, 2];
const busy = new Int32Array(getEnvironmentData("busy threads") as SharedArrayBuffer);

function waitWhile(mode: number): void {
  if (Atomics.load(busy, 0) !== mode) return;
  Atomics.add(busy, 1, 1);
  Atomics.wait(busy, 0, mode);
  Atomics.sub(busy, 1, 1);
}

setInterval(() => waitWhile(always), 5).unref();

export function attach(task: AttachTask): Promise<void> {
  task.port.on("message", ([kind]: unknown[]) => {
    if (kind === ToThread.adopt) waitWhile(adopting);
  });
  return attachFlow(task);
}
