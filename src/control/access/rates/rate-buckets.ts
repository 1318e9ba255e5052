/** Token buckets, one per caller, up to a maximum: each call takes a token, and tokens return at a steady rate. */
import type { RateLimit } from "../policy.ts";
import { Recent } from "./rate-recent.ts";

export interface Taken {
  /** Whether a token was taken; false: there was none. */
  readonly ok: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Whole seconds until the bucket is full, and until it has a token. */
  readonly fullAfter: number;
  readonly retryAfter: number;
}

interface Bucket {
  tokens: number;
  /** The time of `tokens`, in the clock's milliseconds. */
  at: number;
}

/** The longest Retry-After, in seconds: a rate may be close to nothing. */
const longestWait = 86_400;

export class TokenBuckets {
  readonly #buckets: Recent<Bucket>;
  readonly #now: () => number;

  /** `now`: milliseconds that never go back. */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#buckets = new Recent(most);
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  take(key: string, limit: RateLimit): Taken {
    const bucket = this.#refill(key, limit);
    this.#buckets.set(key, bucket);
    const ok = bucket.tokens >= 1;
    if (ok) bucket.tokens -= 1;
    return takenOf(bucket.tokens, ok, limit);
  }

  /** Returns what `take` would return; a caller that was only looked at is not remembered. */
  look(key: string, limit: RateLimit): Taken {
    const { tokens } = this.#refill(key, limit);
    return takenOf(tokens, tokens >= 1, limit);
  }

  /**
   * Refills the bucket up to now; a bucket that has become smaller, since its limit has changed, loses what does not
   * fit.
   */
  #refill(key: string, { rps, burst }: RateLimit): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rps);
    bucket.at = now;
    return bucket;
  }
}

function takenOf(tokens: number, ok: boolean, { rps, burst }: RateLimit): Taken {
  return {
    ok,
    remaining: Math.floor(tokens),
    fullAfter: secondsFor(burst - tokens, rps),
    retryAfter: Math.max(1, secondsFor(1 - tokens, rps)),
  };
}

function secondsFor(tokens: number, rps: number): number {
  return Math.min(longestWait, Math.ceil(Math.max(0, tokens) / rps));
}

/**
 * The bucket's key for an address: an IPv6 address counts as its network of 64 bits, which one machine has for itself.
 */
export function addressKey(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
