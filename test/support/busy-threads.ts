/** Keeps threads busy for as long as a test wants. */
import { setEnvironmentData } from "node:worker_threads";

export const busyFlowThread = new URL("busy-worker.ts", import.meta.url);

/** When threads are kept busy: wherever they are, or before they look at the flow that they get. */
export const Busy = { never: 0, always: 1, adopting: 2 } as const;

export interface BusyThreads {
  begin(mode: number): void;
  /** How many threads are kept busy now. */
  readonly count: number;
  end(): void;
}

/** Prepares busy threads; to be called before the threads boot. */
export function busyThreads(): BusyThreads {
  const busy = new Int32Array(new SharedArrayBuffer(8));
  setEnvironmentData("busy threads", busy.buffer);
  return {
    begin: (mode) => void Atomics.store(busy, 0, mode),
    get count() {
      return Atomics.load(busy, 1);
    },
    end() {
      Atomics.store(busy, 0, Busy.never);
      Atomics.notify(busy, 0);
    },
  };
}
