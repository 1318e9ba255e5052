/**
 * Idempotency keys in memory (draft-ietf-httpapi-idempotency-key-header-06): calls under way, and the answers of
 * finished calls, the oldest first. The cost of each operation but `forget` does not depend on the number of keys.
 */
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Answer } from "./http-answer.ts";

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
    // It was forgotten, or ended before.
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
