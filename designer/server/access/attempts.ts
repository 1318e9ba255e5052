/** Bounds how often somebody may guess: failed logins are counted by name, by address, and by both. */
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";

interface Count {
  failed: number;
  /** The monotonic time in ms at which the count begins anew. */
  readonly until: number;
}

export class Attempts {
  readonly #counts = new Map<string, Count>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Throws Refused (429) when this name or this address has failed too often. */
  refuse(name: string, address: string): void {
    for (const [key, most] of keysOf(name, address)) {
      const count = this.#get(key);
      if (count === undefined || count.failed < most) continue;
      const seconds = Math.ceil((count.until - this.#now()) / 1000);
      throw new Refused(429, `too many logins have failed: try again in ${seconds} seconds`, {
        headers: { "Retry-After": String(seconds) },
      });
    }
  }

  failed(name: string, address: string): void {
    for (const [key] of keysOf(name, address)) {
      const count = this.#get(key);
      if (count !== undefined) count.failed += 1;
      else this.#counts.set(key, { failed: 1, until: this.#now() + limits.attemptsMs });
    }
    // The oldest go first: each key is set once in its time.
    for (const key of this.#counts.keys()) {
      if (this.#counts.size <= limits.attemptsKept) break;
      this.#counts.delete(key);
    }
  }

  #get(key: string): Count | undefined {
    const count = this.#counts.get(key);
    if (count === undefined || count.until > this.#now()) return count;
    this.#counts.delete(key);
    return undefined;
  }
}

function keysOf(name: string, address: string): readonly (readonly [string, number])[] {
  const user = name.slice(0, 200);
  return [
    [`pair ${address} ${user}`, limits.attempts.pair],
    [`address ${address}`, limits.attempts.address],
    [`name ${user}`, limits.attempts.name],
  ];
}
