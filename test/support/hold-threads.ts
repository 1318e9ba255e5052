/** Holds threads before their first message: they are alive and silent until they are released. */
import { setEnvironmentData } from "node:worker_threads";

export const lateFlowThread = new URL("late-flow-worker.ts", import.meta.url);
export const lateCheckThread = new URL("late-check-worker.ts", import.meta.url);

/** Holds the next `count` threads that run one of the late modules. */
export function holdThreads(count: number): { letGo(): void } {
  // How many threads are still to be held, and whether they may go on.
  const held = new Int32Array(new SharedArrayBuffer(8));
  held[0] = count;
  setEnvironmentData("held threads", held.buffer);
  return {
    letGo() {
      Atomics.store(held, 0, 0);
      Atomics.store(held, 1, 1);
      Atomics.notify(held, 1);
    },
  };
}
