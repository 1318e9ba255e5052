/** Steps that wait for a message of a queue (Camel: SedaPollingConsumer). */
import { inTime, unlessAborted } from "../../engine/waiting.ts";

interface Asker<T> {
  given: T | undefined;
  readonly ready: () => void;
}

export class Askers<T> {
  readonly #waiting = new Set<Asker<T>>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Gives the message to the step that has waited longest; returns false when none waits. */
  give(message: T): boolean {
    for (const asker of this.#waiting) {
      if (asker.given !== undefined) continue;
      asker.given = message;
      asker.ready();
      return true;
    }
    return false;
  }

  /**
   * Resolves with a message, or with undefined when none came within `ms`; below 0: without an end. Rejects with the
   * signal's reason; `putBack` gets a message that came in the same moment.
   */
  async ask(ms: number, signal: AbortSignal, putBack: (message: T) => void): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const asker: Asker<T> = { given: undefined, ready: resolve };
    this.#waiting.add(asker);
    try {
      await (ms < 0 ? unlessAborted(promise, signal) : inTime(promise, ms, signal));
      return asker.given;
    } catch (error) {
      if (asker.given !== undefined) putBack(asker.given);
      throw error;
    } finally {
      this.#waiting.delete(asker);
    }
  }
}
