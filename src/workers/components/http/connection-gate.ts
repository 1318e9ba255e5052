/** Limits how many requests of a thread are under way, in all and to one server; the others wait in order. */
import { FlowException } from "../../engine/exception.ts";

export interface GateLimits {
  readonly total: number;
  readonly perOrigin: number;
  /** The longest time to wait. */
  readonly waitMs: number;
}

interface Waiting {
  readonly origin: string;
  readonly limits: GateLimits;
  readonly enter: () => void;
}

export class ConnectionGate {
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  /** Requests under way. */
  get total(): number {
    return this.#total;
  }

  /**
   * Resolves with a function to call at the end of the request. Rejects after the time to wait, and with the signal's
   * reason.
   */
  async enter(origin: string, limits: GateLimits, signal: AbortSignal): Promise<() => void> {
    if (!this.#hasRoom(origin, limits)) await this.#wait(origin, limits, signal);
    else this.#count(origin, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#count(origin, -1);
      this.#admit();
    };
  }

  #wait(origin: string, limits: GateLimits, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        origin,
        limits,
        enter: () => {
          leave();
          this.#count(origin, 1);
          resolve();
        },
      };
      const abort = (): void => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        leave();
        const type = "org.apache.hc.core5.http.ConnectionRequestTimeoutException";
        reject(new FlowException(type, `no connection to ${origin} was free within ${limits.waitMs} ms`));
      }, limits.waitMs);
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #admit(): void {
    for (const { origin, limits, enter } of [...this.#waiting]) if (this.#hasRoom(origin, limits)) enter();
  }

  #hasRoom(origin: string, { total, perOrigin }: GateLimits): boolean {
    return this.#total < total && (this.#underWay.get(origin) ?? 0) < perOrigin;
  }

  #count(origin: string, by: 1 | -1): void {
    this.#total += by;
    const now = (this.#underWay.get(origin) ?? 0) + by;
    if (now === 0) this.#underWay.delete(origin);
    else this.#underWay.set(origin, now);
  }
}
