/** Runs the changes of each flow one after the other: the boot load first, then requests in the order in which their heads arrived. */
import { AppError } from "../../shared/errors.ts";
import { Places, type QueuePlace } from "../stores/keyed-queue.ts";

export class ChangeQueue {
  readonly #places = new Places();
  readonly #opened = Promise.withResolvers<void>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** Lets changes begin: the boot load has claimed the names of every stored flow and enqueued its work. */
  open(): void {
    this.#opened.resolve();
  }

  /** Enqueues the boot load's work on a flow, which is skipped when the runtime drains. */
  boot(id: string, work: () => Promise<void>): Promise<void> {
    return this.#places.run(keyOf(id), async () => (this.#closed ? undefined : work()));
  }

  /** Reserves a place for a change whose body is still being read. */
  enter(id: string): QueuePlace {
    return this.#places.enter(keyOf(id), this.#opened.promise);
  }

  /** Rejects with `draining` when the runtime drains before the work has begun. */
  async change<T>(id: string, work: () => Promise<T>, place = this.enter(id)): Promise<T> {
    await place.turn;
    const release = place.hold();
    if (release === undefined) return this.change(id, work);
    try {
      if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
      return await work();
    } finally {
      release();
    }
  }

  /** Does the work when all earlier changes of these flows are made; later ones wait for its end. Rejects as `change`. */
  hold<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(ids.map(keyOf))].sort();
    return first === undefined ? work() : this.change(first, () => this.hold(rest, work));
  }

  /** No change begins from here on; those under way finish. */
  close(): void {
    this.#closed = true;
  }
}

/** Ids that differ only by case would be one file on some disks. */
function keyOf(id: string): string {
  return id.toLowerCase();
}
