/** A thread's priority in the operating system: a thread that uses much CPU time gets the lowest one until it uses less again. */
import type { FlowThread } from "../line/flow-thread.ts";

/** The lowest priority. */
const lowest = 19;
/** A thread is demoted when it uses this share of a core for this time, and restored when it uses less than `behaving` for `behavingMs`. */
const burning = 0.5;
const burningMs = 200;
const behaving = 0.25;
const behavingMs = 1000;
/** A thread is demoted, too, when its loop is never idle and it gets at least some CPU time: it would use more if other threads did not. */
const starved = { loop: 0.9, cpu: 0.1 };

export class Priority {
  readonly #thread: FlowThread;
  demoted = false;
  #burnedMs = 0;
  #behavedMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
  }

  /** `cpu`: its share of a core in the `elapsed` ms since the last look; `loop`: the share of this time in which its loop was not idle. */
  look(elapsed: number, cpu: number, loop: number): void {
    const burns = cpu > burning || (loop > starved.loop && cpu > starved.cpu);
    this.#burnedMs = burns ? this.#burnedMs + elapsed : 0;
    this.#behavedMs = cpu < behaving && !burns ? this.#behavedMs + elapsed : 0;
    if (!this.demoted && this.#burnedMs >= burningMs) this.demote();
    else if (this.demoted && this.#behavedMs >= behavingMs) this.#restore();
  }

  /** Has no effect on other systems than Linux, where threads have no priority. */
  demote(): void {
    if (!this.demoted) this.demoted = this.#thread.booted.setNice(lowest);
  }

  /** Raises the priority again. Without the right to do so the thread is replaced, unless its flow keeps state in it. */
  #restore(): void {
    const { booted, owner, stateful } = this.#thread;
    this.#behavedMs = 0;
    if (booted.setNice(owner.limits.threadNice)) this.demoted = false;
    else if (!stateful) owner.recycle(this.#thread, false);
  }
}
