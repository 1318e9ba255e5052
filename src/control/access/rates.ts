/** How often callers may call, and how often an address may fail to authenticate. */
import { hash } from "node:crypto";
import type { RateLimit } from "./policy.ts";

export interface TakenCall {
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

/** The longest Retry-After, in seconds: a rate may be close to zero. */
const longestWait = 86_400;

/** Token buckets, one per caller, up to a maximum: each call takes a token, and tokens return at a steady rate. */
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

  take(key: string, limit: RateLimit): TakenCall {
    const bucket = this.#refill(key, limit);
    this.#buckets.set(key, bucket);
    const ok = bucket.tokens >= 1;
    if (ok) bucket.tokens -= 1;
    return takenOf(bucket.tokens, ok, limit);
  }

  /** Returns what `take` would return; a caller that was only looked at is not remembered. */
  look(key: string, limit: RateLimit): TakenCall {
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

function takenOf(tokens: number, ok: boolean, { rps, burst }: RateLimit): TakenCall {
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
 * The bucket's key for an address: an IPv6 address counts as its network of 64 bits, since one machine usually has all
 * of it.
 */
export function addressKey(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}

/**
 * Counts failed authentications by address. An address that has failed too often is answered 429 whether its next key
 * is right or wrong, so that guessing is slow. A key that was right before is never refused for it, nor is a credential
 * that cannot be guessed (signatures, tokens): other callers at the address of a guesser are not affected.
 */
export class Guesses {
  readonly #limit: { readonly rps: number; readonly burst: number };
  readonly #buckets: TokenBuckets;
  /** Digests of keys that were right before. */
  readonly #right: Recent<true>;

  constructor(perMinute: number, most: number, now?: () => number) {
    this.#limit = { rps: perMinute / 60, burst: perMinute };
    this.#buckets = new TokenBuckets(most, now);
    this.#right = new Recent(most);
  }

  failed(address: string): TakenCall {
    return this.#buckets.take(addressKey(address), this.#limit);
  }

  /** Notes that a key is right. `ok: false`: it is new, and comes from an address that has failed too often. */
  right(flowId: string, key: string, address: string): TakenCall {
    const digest = hash("sha256", `${flowId}\n${key}`, "base64");
    const taken = this.#buckets.look(addressKey(address), this.#limit);
    if (this.#right.get(digest) !== undefined) return { ...taken, ok: true };
    if (taken.ok) this.#right.set(digest, true);
    return taken;
  }
}

/** A map with a maximum of entries: the least recently used one is removed first. */
class Recent<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns an entry's value, and counts as a use of it. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
