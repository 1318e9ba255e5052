/**
 * What was answered under which `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-06), in memory: calls under way, and
 * the answers of calls that are over, the oldest first. Every operation costs the same however many keys there are, but `forget`.
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
  /** Of the request: another one under the same key is refused. */
  readonly digest: string;
  /** It was answered 202 while its run goes on. */
  accepted: Answer | undefined;
}

interface KeptAnswer {
  readonly flowId: string;
  readonly digest: string;
  /** In `performance.now()` time. */
  readonly until: number;
  readonly bytes: number;
  /** undefined: it was too large to keep. */
  readonly answer: Answer | undefined;
  readonly runId: string;
}

/** What an entry costs beside its texts and its body, in bytes; a rough figure. */
const entryBytes = 400;
/** Entries past their time that a new one takes along: more than one, so that they become fewer. */
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

  /** What kept answers hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The answer to repeat, or a claim that is to be ended. Throws idempotency_key_reused, _in_progress and _answer_lost. */
  claim(id: string, flowId: string, digest: string): Answer | Claim {
    const open = this.#open.get(id);
    if (open !== undefined) {
      if (open.digest !== digest) throw reused();
      if (open.accepted !== undefined) return open.accepted;
      throw new AppError("idempotency_in_progress", "the first call with this Idempotency-Key is still under way", {
        "Retry-After": "1",
      });
    }
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.until > performance.now()) {
      if (kept.digest !== digest) throw reused();
      if (kept.answer === undefined) throw lost(kept.runId);
      return kept.answer;
    }
    const claim = { id, flowId, digest, accepted: undefined };
    this.#open.set(id, claim);
    return claim;
  }

  /** The call is over. `answer`: what a repeat gets; undefined: nothing was done for good, and a repeat is a new call. */
  end(claim: Claim, answer: Answer | undefined, runId: string): void {
    // Forgotten, or ended before.
    if (this.#open.get(claim.id) !== claim) return;
    this.#open.delete(claim.id);
    if (answer !== undefined) this.#keep(claim, answer, runId);
  }

  /** For a flow that is deleted. */
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

/** Nothing of it belongs to the run or to the response any more; bytes are counted as they are held. */
function copyOf({ status, headers, body, length }: Answer): Answer {
  return {
    status,
    length,
    headers: [...headers],
    body: typeof body === "string" ? Buffer.from(body) : body && Uint8Array.from(body),
  };
}

function reused(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "this Idempotency-Key came with another request before (method, path, query or body): use a new key",
  );
}

function lost(runId: string): AppError {
  return new AppError(
    "idempotency_answer_lost",
    "the first call with this Idempotency-Key was carried out, but its answer was too large to be kept for a repeat",
    { "X-Run-Id": runId },
  );
}
