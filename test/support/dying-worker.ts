/** A flow's thread that fails outside of any run as soon as a run begins, with an error that quotes a secret. */

import { ToThread } from "../../src/shared/frames-to-thread.ts";
import { unpack } from "../../src/shared/packed.ts";
import type { AttachTask } from "../../src/shared/protocol.ts";
import { attach as real } from "../../src/workers/flow-worker.ts";

export function attach(task: AttachTask): Promise<void> {
  task.port.on("message", (message: unknown) => {
    if (
      ((Array.isArray(message) ? message : unpack(message as string | Uint8Array)) as unknown[])[0] !== ToThread.invoke
    )
      return;
    setImmediate(() => {
      throw new Error("it dies of value-in-a-dying-thread");
    });
  });
  return real(task);
}
