/** What changes a flow, one after the other for each id: the boot load first, then what the API asks for, in the order of arrival. */
import { AppError } from "../../shared/errors.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";

export class ChangeQueue {
  /** Ids that differ only by case would be one file on some disks. */
  readonly #queue = new KeyedQueue();
  readonly #opened: Promise<void>;
  #open: () => void = () => {};
  #closed = false;

  constructor() {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The boot load has claimed the names of every stored flow and enqueued its work: changes may begin. */
  open(): void {
    this.#open();
  }

  /** The boot load's work on a flow; left out when the runtime drains. */
  boot(id: string, work: () => Promise<void>): Promise<void> {
    return this.#queue.run(id.toLowerCase(), async () => (this.#closed ? undefined : work()));
  }

  /** Rejects with `draining` when the runtime drains before the work has begun. */
  async change<T>(id: string, work: () => Promise<T>): Promise<T> {
    await this.#opened;
    return this.#queue.run(id.toLowerCase(), async () => {
      if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
      return work();
    });
  }

  /** From here on nothing begins; what has begun goes on. */
  close(): void {
    this.#closed = true;
  }
}
