/** Messages that a server has sent of its own accord, until they are taken. Its connector bounds how many it sends. */

export class Arrivals<T> {
  #arrived: T[] = [];
  #taker: (() => void) | undefined;
  /** Called when a message is wanted. */
  #giver: (() => void) | undefined;
  readonly #order: ((arrived: readonly T[]) => T[]) | undefined;

  /** `order`: returns the messages in the order in which they are taken; absent: that in which they came. */
  constructor(order?: (arrived: readonly T[]) => T[]) {
    this.#order = order;
  }

  get size(): number {
    return this.#arrived.length;
  }

  add(message: T): void {
    this.#arrived.push(message);
    this.#taker?.();
  }

  /** As `Inlet.take`. One call at a time. */
  async take(most: number, stop: AbortSignal): Promise<readonly T[]> {
    if (this.#arrived.length === 0 && !stop.aborted) await this.#come(stop);
    if (stop.aborted) return [];
    if (this.#order !== undefined && this.#arrived.length > most) this.#arrived = this.#order(this.#arrived);
    return this.#arrived.splice(0, most);
  }

  /** Resolves when a message is wanted that has not come; never after `over`. One call at a time. */
  async wanted(over: AbortSignal): Promise<void> {
    while (this.#taker === undefined || this.#arrived.length > 0 || over.aborted)
      await new Promise<void>((resolve) => {
        this.#giver = resolve;
      });
  }

  /** Removes all messages, and returns them. */
  clear(): readonly T[] {
    return this.#arrived.splice(0);
  }

  #come(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const come = (): void => {
        stop.removeEventListener("abort", come);
        this.#taker = undefined;
        resolve();
      };
      this.#taker = come;
      this.#giver?.();
      stop.addEventListener("abort", come, { once: true });
    });
  }
}
