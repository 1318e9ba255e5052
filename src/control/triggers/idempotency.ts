/**
 * The idempotent part of a call: with an `Idempotency-Key` it is carried out once, and its answer is kept for repeats.
 */

import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Answer } from "./http-answer.ts";

/** The owner of a key: callers, routes and flows have keys of their own. */
interface KeyOwner {
  readonly flowId: string;
  readonly routeId: string;
  /**
   * undefined: no policy has identified the caller. Then its credentials identify it, because the flow may check them itself.
   */
  readonly principal: string | undefined;
}

const credentials = ["authorization", "x-api-key", "cookie"] as const;

export class IdempotentCall {
  readonly #keys: IdempotencyKeys;
  readonly #key: string;
  readonly #request: IncomingMessage;
  /** Updated while the body arrives, so that a large one is not hashed in one go. */
  readonly #hash: Hash;
  #claim: Claim | undefined;

  /** Reads the key. Throws bad_idempotency_key. */
  constructor(keys: IdempotencyKeys, header: string, request: IncomingMessage) {
    this.#keys = keys;
    this.#request = request;
    this.#key = readIdempotencyKey(header);
    this.#hash = createHash("sha256").update(`${request.method} ${request.url}\n`);
  }

  received(part: Buffer): void {
    this.#hash.update(part);
  }

  /**
   * Once the body is there, returns the answer to repeat; undefined: the call has to be carried out. Throws what
   * `claim` throws.
   */
  begin({ flowId, routeId, principal }: KeyOwner): Answer | undefined {
    const id = `${flowId}\n${routeId}\n${principal ?? this.#credentials()}\n${this.#key}`;
    const found = this.#keys.claim(id, flowId, this.#hash.digest("base64"));
    if ("status" in found) return { ...found, headers: [...found.headers, "Idempotency-Replayed", "true"] };
    this.#claim = found;
    return undefined;
  }

  /** Keeps the 202 that was sent: a repeat gets the same while the run goes on. */
  accepted(answer: Answer): void {
    if (this.#claim !== undefined) this.#claim.accepted = { ...answer, headers: [...answer.headers] };
  }

  /**
   * Call it when the run is over. Only a final answer is kept: a failed run, and an answer that asks for a retry (429, 5xx),
   * leave the key free.
   */
  ended(answer: Answer | undefined, runId: string): void {
    if (this.#claim === undefined) return;
    const final = answer !== undefined && answer.status < 500 && answer.status !== 429;
    this.#keys.end(this.#claim, final ? (this.#claim.accepted ?? answer) : undefined, runId);
  }

  #credentials(): string {
    const { headers } = this.#request;
    const sent = JSON.stringify(credentials.map((name) => headers[name] ?? null));
    return createHash("sha256").update(sent).digest("base64");
  }

  /** Frees the key: the call began no run. */
  dropped(): void {
    if (this.#claim !== undefined) this.#keys.end(this.#claim, undefined, "");
  }
}

const most = 255;
/** The form that callers send: visible ASCII, without the characters of a list or a quoted text. */
const bare = /^[\x21\x23-\x2b\x2d-\x7e]+$/;
/** The form of the IETF draft (draft-ietf-httpapi-idempotency-key-header 2.1): a string of RFC 8941 3.3.3. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** Returns the key, 1 to 255 characters: `"k1"` and `k1` are the same. Throws bad_idempotency_key. */
export function readIdempotencyKey(text: string): string {
  const key = bare.test(text) ? text : quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, "$1");
  if (key === undefined || key === "" || key.length > most) {
    throw new AppError(
      "bad_idempotency_key",
      `send one Idempotency-Key of 1 to ${most} visible ASCII characters, such as a UUID, plain or in double quotes`,
    );
  }
  return key;
}

type KeyLimits = Pick<Limits, "idempotencyMs" | "idempotencyKeys" | "idempotencyBytes" | "idempotencyAnswerBytes">;

/** A call under way that has a key. */
export interface Claim {
  /** Flow, route, principal and key. */
  readonly id: string;
  readonly flowId: string;
  /** The request's digest: another request with the same key is refused. */
  readonly digest: string;
  /** The 202 that was sent while the run goes on; undefined: none was. */
  accepted: Answer | undefined;
}

interface KeptAnswer {
  readonly flowId: string;
  readonly digest: string;
  /** When it expires, in `performance.now()` time. */
  readonly until: number;
  readonly bytes: number;
  /** The answer to repeat; undefined: it was too large to keep. */
  readonly answer: Answer | undefined;
  readonly runId: string;
}

/** Roughly what an entry costs beside its texts and its body, in bytes. */
const entryBytes = 400;
/** How many expired entries a new one removes: more than one, so that they become fewer. */
const sweptAtOnce = 2;

/**
 * Idempotency keys in memory (draft-ietf-httpapi-idempotency-key-header-06): calls under way, and the answers of finished calls, the oldest
 * first. The cost of each operation but `forget` does not depend on the number of keys.
 */
export class IdempotencyKeys {
  readonly #limits: KeyLimits;
  readonly #open = new Map<string, Claim>();
  readonly #kept = new Map<string, KeptAnswer>();
  #bytes = 0;

  constructor(limits: KeyLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size + this.#kept.size;
  }

  /** The bytes of the kept answers. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns the answer to repeat, or a claim that has to be ended. Throws idempotency_key_reused, _in_progress and
   * _answer_lost.
   */
  claim(id: string, flowId: string, digest: string): Answer | Claim {
    const open = this.#open.get(id);
    if (open !== undefined) {
      if (open.digest !== digest) throw reusedError();
      if (open.accepted !== undefined) return open.accepted;
      throw new AppError("idempotency_in_progress", "the first call with this Idempotency-Key is still under way", {
        "Retry-After": "1",
      });
    }
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.until > performance.now()) {
      if (kept.digest !== digest) throw reusedError();
      if (kept.answer === undefined) throw lostError(kept.runId);
      return kept.answer;
    }
    const claim = { id, flowId, digest, accepted: undefined };
    this.#open.set(id, claim);
    return claim;
  }

  /** Ends a claim. `answer`: what a repeat gets; undefined: nothing final was done, and a repeat is a new call. */
  end(claim: Claim, answer: Answer | undefined, runId: string): void {
    // The claim was forgotten, or ended before.
    if (this.#open.get(claim.id) !== claim) return;
    this.#open.delete(claim.id);
    if (answer !== undefined) this.#keep(claim, answer, runId);
  }

  /** Forgets all keys of a flow that is deleted. */
  forget(flowId: string): void {
    for (const claim of this.#open.values()) if (claim.flowId === flowId) this.#open.delete(claim.id);
    for (const [id, kept] of this.#kept) if (kept.flowId === flowId) this.#drop(id, kept);
  }

  #keep({ id, flowId, digest }: Claim, answer: Answer, runId: string): void {
    const { idempotencyMs, idempotencyKeys, idempotencyBytes, idempotencyAnswerBytes } = this.#limits;
    const now = performance.now();
    const head = answer.headers.reduce((sum, text) => sum + text.length, id.length + entryBytes);
    const fits = answer.length <= idempotencyAnswerBytes && head + answer.length <= idempotencyBytes;
    const before = this.#kept.get(id);
    if (before !== undefined) this.#drop(id, before);
    const kept: KeptAnswer = {
      ...{ flowId, digest, runId, until: now + idempotencyMs },
      bytes: fits ? head + answer.length : entryBytes + id.length,
      answer: fits ? copyOf(answer) : undefined,
    };
    this.#kept.set(id, kept);
    this.#bytes += kept.bytes;
    let swept = 0;
    for (const [oldest, entry] of this.#kept) {
      const tooMany = this.size > idempotencyKeys || this.#bytes > idempotencyBytes;
      if (!tooMany && (entry.until > now || swept === sweptAtOnce)) return;
      this.#drop(oldest, entry);
      swept += 1;
    }
  }

  #drop(id: string, kept: KeptAnswer): void {
    this.#kept.delete(id);
    this.#bytes -= kept.bytes;
  }
}

/** Copies an answer, so that nothing of it belongs to the run or the response; bytes count as they are held. */
function copyOf({ status, headers, body, length }: Answer): Answer {
  return {
    status,
    length,
    headers: [...headers],
    body: typeof body === "string" ? Buffer.from(body) : body && Uint8Array.from(body),
  };
}

function reusedError(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "this Idempotency-Key came with another request before (method, path, query or body): use a new key",
  );
}

function lostError(runId: string): AppError {
  return new AppError(
    "idempotency_answer_lost",
    "the first call with this Idempotency-Key was carried out, but its answer was too large to be kept for a repeat",
    { "X-Run-Id": runId },
  );
}
