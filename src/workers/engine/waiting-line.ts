/** Runs that wait for their turn, in the order in which they came. */
import { after } from "./waiting.ts";

export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves true when its turn comes, false after `withinMs`; rejects with the signal's reason when that aborts first. */
  wait(signal: AbortSignal, withinMs?: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      let stop = (): void => {};
      const leave = (): void => {
        stop();
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(goOn);
      };
      const goOn = (): void => {
        leave();
        resolve(true);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(goOn);
      signal.addEventListener("abort", abort, { once: true });
      if (withinMs === undefined) return;
      stop = after(withinMs, () => {
        leave();
        resolve(false);
      });
    });
  }

  /** It is the turn of the one that has waited longest. */
  next(): void {
    const [first] = this.#waiting;
    first?.();
  }
}
