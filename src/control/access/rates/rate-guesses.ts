/**
 * Counts failed authentications by address. An address that has failed too often is answered 429 whether its next key
 * is right or wrong, so that guessing is slow. A key that was right before is never refused for it, nor is a credential
 * that cannot be guessed (signatures, tokens): other callers at the address of a guesser are not affected.
 */
import { hash } from "node:crypto";
import { addressKey, type Taken, TokenBuckets } from "./rate-buckets.ts";
import { Recent } from "./rate-recent.ts";

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

  failed(address: string): Taken {
    return this.#buckets.take(addressKey(address), this.#limit);
  }

  /** Notes that a key is right. `ok: false`: it is new, and comes from an address that has failed too often. */
  right(flowId: string, key: string, address: string): Taken {
    const digest = hash("sha256", `${flowId}\n${key}`, "base64");
    const taken = this.#buckets.look(addressKey(address), this.#limit);
    if (this.#right.get(digest) !== undefined) return { ...taken, ok: true };
    if (taken.ok) this.#right.set(digest, true);
    return taken;
  }
}
