/**
 * Keys of identity providers, kept for a while: flows work on while a provider is down or changes its keys. One for the
 * runtime.
 */
import type { Egress } from "../../../shared/egress.ts";
import { type KeySet, keySet } from "./jose.ts";
import { fetchKeys } from "./jwks-fetch.ts";

/** Keys are fetched again after this time. */
const freshMs = 600_000;
/** For so long after that, old keys are used while their provider gives none (stale-if-error, RFC 5861 4). */
const staleMs = 3_600_000;
/** Time between two fetches from one place, whatever tokens need and whatever the first one yielded. */
const cooldownMs = 30_000;
const fetchMs = 5000;
/** The most providers; the least recently used are forgotten first. */
const maxProviders = 1000;

export interface JwksOptions {
  readonly egress: () => Egress;
  readonly clock?: () => number;
  /** How long a provider may take to answer, in ms. */
  readonly withinMs?: number;
}

interface Provider {
  keys: KeySet | undefined;
  keysAt: number;
  triedAt: number;
  problem: string;
  fetching: Promise<void> | undefined;
}

export class JwksCache {
  readonly #providers = new Map<string, Provider>();
  readonly #options: Required<JwksOptions>;

  constructor({ egress, clock = Date.now, withinMs = fetchMs }: JwksOptions) {
    this.#options = { egress, clock, withinMs };
  }

  /** Returns a provider's keys, or the reason why there are none. */
  async keys(uri: string): Promise<KeySet | string> {
    const provider = this.#provider(uri);
    const now = this.#options.clock();
    if (now - provider.keysAt >= freshMs) await this.#fetch(uri, provider);
    const usable = this.#options.clock() - provider.keysAt < freshMs + staleMs;
    return usable && provider.keys !== undefined ? provider.keys : provider.problem;
  }

  /**
   * Fetches newer keys after a token that names a key which is not in `known`; undefined: there are none, or not yet.
   */
  async newer(uri: string, known: KeySet): Promise<KeySet | undefined> {
    const provider = this.#provider(uri);
    if (provider.keys === known) await this.#fetch(uri, provider);
    return provider.keys === known ? undefined : provider.keys;
  }

  /** Callers during a fetch wait for it; during the cooldown nothing is fetched. */
  async #fetch(uri: string, provider: Provider): Promise<void> {
    if (provider.fetching === undefined) {
      const { egress, clock, withinMs } = this.#options;
      const now = clock();
      if (now - provider.triedAt < cooldownMs) return;
      provider.triedAt = now;
      provider.fetching = fetchKeys(uri, egress(), withinMs)
        .then(async (document) => {
          const keys = await keySet(document);
          if (keys === undefined) throw new Error("the answer is no set of keys");
          provider.keys = keys;
          provider.keysAt = now;
        })
        .catch((error: Error) => {
          provider.problem = `its keys cannot be fetched: ${error.message}`;
        })
        .finally(() => {
          provider.fetching = undefined;
        });
    }
    await provider.fetching;
  }

  #provider(uri: string): Provider {
    const never = Number.NEGATIVE_INFINITY;
    const provider = this.#providers.get(uri) ?? {
      keys: undefined,
      keysAt: never,
      triedAt: never,
      problem: "",
      fetching: undefined,
    };
    this.#providers.delete(uri);
    const [oldest] = this.#providers.keys();
    if (this.#providers.size >= maxProviders && oldest !== undefined) this.#providers.delete(oldest);
    this.#providers.set(uri, provider);
    return provider;
  }
}
