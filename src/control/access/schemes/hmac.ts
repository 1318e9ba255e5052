/** Signatures over the exact bytes of a body: whose secret made one, and whether it is used for the first time. */
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FlowSecrets } from "../../stores/secrets.ts";
import { type Finding, type HmacPrincipal, invalid } from "../principals.ts";
import { invalidity } from "../validity.ts";
import type { Signed } from "./signature-schemes.ts";

/**
 * Checks the signature against the body. `take`, called when the caller is let in, uses the delivery up, or finds that
 * it was used before.
 */
export type Signature = (body: Uint8Array) => Finding & { readonly take?: () => Finding };

interface Candidate {
  readonly principal: HmacPrincipal;
  readonly signed: Signed;
  readonly keys: readonly Buffer[];
}

interface HmacParts {
  readonly flowId: string;
  readonly secrets: SecretValues;
  readonly replay: ReplayCache;
}

/**
 * Reads the signature in this header, made by one of these principals. What can be refused without the body is refused
 * at once: a malformed or old signature, or one without a secret to compare it with.
 */
export async function findSignature(
  headers: IncomingHttpHeaders,
  principals: readonly HmacPrincipal[],
  now: number,
  { flowId, secrets, replay }: HmacParts,
): Promise<Finding | Signature> {
  const candidates: Candidate[] = [];
  let reason = "";
  for (const principal of principals) {
    const { name, scheme, secretRefs, toleranceMs, validity } = principal;
    const signed = scheme.read(headers, now, toleranceMs);
    const problem = typeof signed === "string" ? signed : invalidity(validity, now);
    if (typeof signed === "string" || problem !== undefined) {
      reason = `principal '${name}': ${problem}`;
      continue;
    }
    const values = await Promise.all(secretRefs.map((ref) => secrets.value(ref)));
    const keys = values.map((value) => (value === undefined ? undefined : scheme.key(value)));
    const usable = keys.filter((key) => key !== undefined);
    if (usable.length === 0)
      reason = `principal '${name}': none of its secrets is there and usable: put one into SECRETS_DIR/${flowId}/${secretRefs[0]}`;
    else candidates.push({ principal, signed, keys: usable });
  }
  if (candidates.length === 0) return invalid(reason);
  return (body) => {
    const signer = candidates.filter((candidate) => isSignedBy(candidate, body))[0];
    if (signer === undefined) return invalid("a signature that none of the secrets has made");
    const { principal, signed } = signer;
    const { name: id, roles, toleranceMs } = principal;
    const known: Finding = { kind: "known", principal: { id, type: "hmac", roles } };
    return {
      ...known,
      take() {
        const delivery = signed.delivery ?? `bytes ${digest(signed.prefix, body)}`;
        // A time in the future is valid for twice the tolerance, the last instant included.
        const forget = replay.take(flowId, id, delivery, 2 * toleranceMs + 1);
        return forget === undefined
          ? invalid(`principal '${id}': a delivery that has come before`)
          : { ...known, forget };
      },
    };
  };
}

function digest(prefix: Buffer, body: Uint8Array): string {
  return createHash("sha256").update(prefix).update(body).digest("base64");
}

/** Tries every secret and compares every signature: the time does not reveal which one matched. */
function isSignedBy({ signed: { prefix, signatures }, keys }: Candidate, body: Uint8Array): boolean {
  let found = false;
  for (const key of keys) {
    const made = createHmac("sha256", key).update(prefix).update(body).digest();
    for (const signature of signatures) {
      const same = signature.length === made.length && timingSafeEqual(made, signature);
      found = same || found;
    }
  }
  return found;
}

/** The most deliveries, of all flows together; the oldest are forgotten first. */
const maxDeliveries = 100_000;

export interface ReplayOptions {
  readonly clock?: () => number;
  readonly max?: number;
}

/** Remembers accepted deliveries, so that a recorded signature cannot be used again. One for the runtime, in memory. */
export class ReplayCache {
  /** Deliveries with the end of their time, the oldest first. */
  readonly #taken = new Map<string, number>();
  readonly #clock: () => number;
  readonly #max: number;

  constructor({ clock = Date.now, max = maxDeliveries }: ReplayOptions = {}) {
    this.#clock = clock;
    this.#max = max;
  }

  get size(): number {
    return this.#taken.size;
  }

  /** Takes a delivery for `forMs`, and returns a function that forgets it; undefined: it was taken before. */
  take(flowId: string, principal: string, delivery: string, forMs: number): (() => void) | undefined {
    // Hashed, so that an entry is small whatever senders call their deliveries.
    const key = hash("sha256", JSON.stringify([flowId, principal, delivery]), "base64");
    const now = this.#clock();
    const until = this.#taken.get(key);
    if (until !== undefined && now < until) return undefined;
    this.#taken.delete(key);
    this.#makeRoom(now);
    this.#taken.set(key, now + forMs);
    return () => this.#taken.delete(key);
  }

  #makeRoom(now: number): void {
    for (const [key, until] of this.#taken) {
      if (until > now && this.#taken.size < this.#max) return;
      this.#taken.delete(key);
    }
  }
}

/** A value is read again after this time. */
const keptMs = 5000;

/** Secrets that a policy names, read when they are needed: a new value applies within seconds, without a restart. */
export class SecretValues {
  readonly #secrets: FlowSecrets;
  readonly #flowId: string;
  readonly #clock: () => number;
  readonly #kept = new Map<string, { readonly at: number; readonly value: Promise<string | undefined> }>();

  constructor(secrets: FlowSecrets, flowId: string, clock: () => number) {
    this.#secrets = secrets;
    this.#flowId = flowId;
    this.#clock = clock;
  }

  /** Reads the value; undefined: there is none, or it cannot be read. Simultaneous callers share one read. */
  value(name: string): Promise<string | undefined> {
    const kept = this.#kept.get(name);
    const now = this.#clock();
    if (kept !== undefined && now >= kept.at && now - kept.at < keptMs) return kept.value;
    const value = this.#read(name);
    this.#kept.set(name, { at: now, value });
    return value;
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await this.#secrets.read(this.#flowId, name);
    } catch {
      return undefined;
    }
  }
}
