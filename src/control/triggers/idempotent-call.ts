/**
 * The idempotent part of a call: with an `Idempotency-Key` it is carried out once, and its answer is kept for repeats.
 */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./http-answer.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import type { Claim, IdempotencyKeys } from "./idempotency-keys.ts";

/** The owner of a key: callers, routes and flows have keys of their own. */
interface KeyOwner {
  readonly flowId: string;
  readonly routeId: string;
  /**
   * undefined: no policy has identified the caller. Then its credentials do, because the flow may check them itself.
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

  /** The call was answered 202; a repeat gets the same while the run goes on. */
  accepted(answer: Answer): void {
    if (this.#claim !== undefined) this.#claim.accepted = { ...answer, headers: [...answer.headers] };
  }

  /**
   * The run is over. Only a final result is kept: a failed run, and an answer that asks for another try (429, 5xx),
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

  /** The call began no run. */
  dropped(): void {
    if (this.#claim !== undefined) this.#keys.end(this.#claim, undefined, "");
  }
}
