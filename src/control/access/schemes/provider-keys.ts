/**
 * Keys of identity providers, kept for a while: flows continue to work while a provider is down or changes its keys.
 * The runtime has one cache.
 */
import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { isInRange, readAddressRange } from "../../../shared/address-range.ts";
import { type Egress, egressProblem, hostOf, portOf, urlProblem } from "../../../shared/egress.ts";
import { type KeySet, keySet } from "./jose.ts";

/** Keys are fetched again after this time. */
const freshMs = 600_000;
/** For so long after that, old keys are used while their provider gives none (stale-if-error, RFC 5861 4). */
const staleMs = 3_600_000;
/**
 * The least time between two fetches from one URL, whichever keys tokens name and whether or not the first succeeded.
 */
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

const maxBytes = 64 * 1024;
const loopback = ["127.0.0.0/8", "::1"].map(readAddressRange).filter((range) => range !== undefined);

/**
 * Fetches a provider's public keys: one small answer, over connections that flows may open too (EGRESS_ALLOW), without
 * redirects. Rejects with an Error whose message is for the operator.
 */
async function fetchKeys(uri: string, egress: Egress, withinMs: number): Promise<unknown> {
  const url = new URL(uri);
  const problem = jwksUriProblem(url) ?? urlProblem(egress, url);
  if (problem !== undefined) throw new Error(problem);
  const signal = AbortSignal.timeout(withinMs);
  try {
    const text = await answerOf(url, guardedLookup(egress, url), signal);
    return JSON.parse(text);
  } catch (error) {
    if (signal.aborted) throw new Error(`${url.host} has not answered within ${withinMs} ms`);
    if (error instanceof SyntaxError) throw new Error(`${url.host} has answered what is no JSON`);
    throw error;
  }
}

/** Returns why keys are not fetched from the URL; EGRESS_ALLOW decides the rest. */
export function jwksUriProblem(url: URL): string | undefined {
  if (url.username !== "" || url.password !== "") return "a jwksUri has no user and no password";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && isLoopback(hostOf(url))) return undefined;
  return "keys are fetched by https only, but from this machine itself";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  return loopback.some((range) => isInRange(range, address));
}

/** Resolves a name to the addresses that were checked: a second lookup might return others. */
function guardedLookup(egress: Egress, url: URL): LookupFunction {
  const port = portOf(url);
  return (host, { all }, answer) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error !== null) return answer(error, "");
      const [first] = addresses;
      const far = url.protocol === "http:" ? addresses.find(({ address }) => !isLoopbackAddress(address)) : undefined;
      const problem = addresses
        .map(({ address }) => egressProblem(egress, host, port, address))
        .find((one) => one !== undefined);
      if (first === undefined) answer(new Error(`${host} has no address`), "");
      else if (far !== undefined) answer(new Error(`${host} is not this machine: keys are fetched by https only`), "");
      else if (problem !== undefined) answer(new Error(problem), "");
      else if (all === true) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
}

async function answerOf(url: URL, guarded: LookupFunction, signal: AbortSignal): Promise<string> {
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const options = {
    agent: false as const,
    signal,
    headers: { Accept: "application/jwk-set+json, application/json", Connection: "close" },
    ...(isIP(hostOf(url)) === 0 && { lookup: guarded }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, options, resolve).on("error", reject);
  });
  try {
    if (response.statusCode !== 200) throw new Error(`${url.host} has answered with status ${response.statusCode}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`${url.host} has answered with more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  } finally {
    response.destroy();
  }
}
