/** A thread's rank with the operating system: one that burns CPU time goes below its neighbours, and comes back when it behaves. */
import type { FlowThread } from "../line/flow-thread.ts";

const lowest = 19;
/** Of a core, over this time. */
const burning = 0.5;
const burningMs = 200;
const behaving = 0.25;
const behavingMs = 1000;
/** One that wants more of a core than it gets, since others burn, too: its loop has no idle time, and it does get some. */
const starved = { loop: 0.9, cpu: 0.1 };

export class Priority {
  readonly #thread: FlowThread;
  demoted = false;
  #burnedMs = 0;
  #behavedMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
  }

  /** `cpu`: of a core, in the `elapsed` ms since the last look; `loop`: the part of this time in which its loop was not idle. */
  look(elapsed: number, cpu: number, loop: number): void {
    const burns = cpu > burning || (loop > starved.loop && cpu > starved.cpu);
    this.#burnedMs = burns ? this.#burnedMs + elapsed : 0;
    this.#behavedMs = cpu < behaving && !burns ? this.#behavedMs + elapsed : 0;
    if (!this.demoted && this.#burnedMs >= burningMs) this.demote();
    else if (this.demoted && this.#behavedMs >= behavingMs) this.#restore();
  }

  /** On other systems than Linux threads have no rank of their own. */
  demote(): void {
    if (!this.demoted) this.demoted = this.#thread.booted.setNice(lowest);
  }

  /** Without the right to raise it again, another thread takes over; a flow that keeps state in this one stays where it is. */
  #restore(): void {
    const { booted, owner, stateful } = this.#thread;
    this.#behavedMs = 0;
    if (booted.setNice(owner.limits.threadNice)) this.demoted = false;
    else if (!stateful) owner.recycle(this.#thread, false);
  }
}
