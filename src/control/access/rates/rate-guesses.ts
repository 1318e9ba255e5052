/**
 * Failed authentications, counted by address. An address that has failed too often is answered 429 whether its next key is right or
 * wrong, so that guessing is slow. A key that was right before is never refused by it, nor is what cannot be guessed by trying (signatures,
 * tokens): callers that share an address with somebody who guesses go on.
 */
import { hash } from "node:crypto";
import { addressKey, type Taken, TokenBuckets } from "./rate-buckets.ts";
import { Recent } from "./rate-recent.ts";

export class Guesses {
  readonly #limit: { readonly rps: number; readonly burst: number };
  readonly #buckets: TokenBuckets;
  /** Digests of keys that were right. */
  readonly #right: Recent<true>;

  constructor(perMinute: number, most: number, now?: () => number) {
    this.#limit = { rps: perMinute / 60, burst: perMinute };
    this.#buckets = new TokenBuckets(most, now);
    this.#right = new Recent(most);
  }

  failed(address: string): Taken {
    return this.#buckets.take(addressKey(address), this.#limit);
  }

  /** A key is right. `ok: false`: it is new, and from an address that has failed too often. */
  right(flowId: string, key: string, address: string): Taken {
    const digest = hash("sha256", `${flowId}\n${key}`, "base64");
    const taken = this.#buckets.look(addressKey(address), this.#limit);
    if (this.#right.get(digest) !== undefined) return { ...taken, ok: true };
    if (taken.ok) this.#right.set(digest, true);
    return taken;
  }
}
