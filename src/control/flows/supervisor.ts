/** One timer for all threads: runs past their deadline are cancelled, threads that do not answer a cancel are killed. */
import type { FlowThread } from "./flow-thread.ts";

const sweepMs = 100;

/** Where invocations wait for a thread. */
export interface WaitingRoom {
  /** Ends those whose deadline is over. `now` in epoch milliseconds. */
  expire(now: number): void;
}

export class Supervisor {
  readonly #threads = new Map<FlowThread, number>();
  readonly #rooms = new Set<WaitingRoom>();
  #timer: NodeJS.Timeout | undefined;

  /** `graceMs`: from a cancel to the kill. A thread is watched until it is forgotten. */
  watch(thread: FlowThread, graceMs: number): void {
    this.#threads.set(thread, graceMs);
    this.#begin();
  }

  watchRoom(room: WaitingRoom): void {
    this.#rooms.add(room);
    this.#begin();
  }

  forget(thread: FlowThread): void {
    this.#threads.delete(thread);
    this.#endWhenUnused();
  }

  forgetRoom(room: WaitingRoom): void {
    this.#rooms.delete(room);
    this.#endWhenUnused();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #endWhenUnused(): void {
    if (this.#threads.size + this.#rooms.size === 0) this.close();
  }

  #sweep(): void {
    const now = Date.now();
    const monotonic = performance.now();
    for (const [thread, graceMs] of this.#threads) {
      for (const [slot, run] of thread.active.entries()) {
        if (run.cancelledAt === 0) {
          if (now >= run.invocation.deadline) thread.cancel(slot, run, "it passed its wall-time limit", true);
        } else if (monotonic - run.cancelledAt > graceMs) {
          const detail = `run ${run.invocation.runId} did not stop within ${graceMs} ms of its cancel`;
          thread.kill({ reason: "timeout", detail }, run);
          break;
        }
      }
    }
    for (const room of this.#rooms) room.expire(now);
  }
}
