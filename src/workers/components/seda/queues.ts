/** The queues of one flow, by name (Camel: SedaComponent). */
import type { FlowScope } from "../../engine/flow-scope.ts";
import { SedaQueue } from "./queue.ts";

const defaultSize = 1000;
/** Names may come with messages: a queue that nobody misses is forgotten beyond so many. */
const mostUnused = 1000;

/** What the queues have of their flow. */
export type QueueScope = Pick<FlowScope, "limits" | "log" | "atHalt" | "shared">;

export class SedaQueues {
  readonly #byName = new Map<string, SedaQueue>();
  readonly #most: number;

  constructor(scope: QueueScope) {
    this.#most = scope.limits.announcedRuns;
    scope.atHalt(() => {
      for (const queue of this.#byName.values()) queue.halt(scope.log);
    });
  }

  get(name: string): SedaQueue {
    const present = this.#byName.get(name);
    if (present !== undefined) return present;
    if (this.#byName.size >= mostUnused) {
      for (const [other, { unused }] of this.#byName) if (unused) this.#byName.delete(other);
    }
    const queue = new SedaQueue(name, Math.min(defaultSize, this.#most));
    this.#byName.set(name, queue);
    return queue;
  }

  /** Throws for a size that no thread can hold. Camel: one that is not positive is the default. */
  resize(name: string, size: number | undefined): void {
    if (size === undefined || size <= 0 || size === defaultSize) return;
    if (size > this.#most) {
      throw new Error(
        `size=${size}: at most announcedRuns=${this.#most} messages wait in a thread; raise that limit of the flow`,
      );
    }
    this.get(name).resize(size);
  }
}
