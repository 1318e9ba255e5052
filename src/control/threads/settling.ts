/** How a flow comes to rest: its sources stop, its runs end, and what its threads keep between runs is finished, until nothing is left. */
import type { FlowThread } from "./flow-thread.ts";

export interface Settled {
  threads(): readonly FlowThread[];
  /** Whether anything is under way or waits. */
  busy(): boolean;
}

export class Settling {
  readonly #flow: Settled;
  readonly #then: (() => void)[] = [];
  /** Threads that finish what they keep. */
  readonly #finishing = new Set<FlowThread>();
  #begun = false;

  constructor(flow: Settled) {
    this.#flow = flow;
  }

  /** Whether its sources have been told to stop. */
  get begun(): boolean {
    return this.#begun;
  }

  /** `then` is called once nothing is left to do. The flow still takes what comes; who asks again later waits for that, too. */
  whenSettled(then: () => void): void {
    if (!this.#begun) for (const thread of this.#flow.threads()) thread.halt();
    this.#begun = true;
    this.#then.push(then);
    this.look();
  }

  /** To be called when something has ended. */
  look(): void {
    if (this.#then.length === 0 || this.#flow.busy() || this.#finishing.size > 0) return;
    for (const thread of this.#flow.threads()) {
      if (thread.unfinished) this.finish(thread);
    }
    if (this.#finishing.size === 0) for (const then of this.#then.splice(0)) then();
  }

  /** The thread is to finish what it keeps; until it has, the flow is not settled. */
  finish(thread: FlowThread): void {
    this.#finishing.add(thread);
    thread.finish();
  }

  finishes(thread: FlowThread): boolean {
    return this.#finishing.has(thread);
  }

  /** The thread has finished what it kept, or is gone. */
  finished(thread: FlowThread): void {
    this.#finishing.delete(thread);
  }
}
