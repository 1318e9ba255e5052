/** The part of a call that its `Idempotency-Key` asks for: it is carried out once, and its answer is kept for repeats. */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Answer } from "./http-answer.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import type { Claim, IdempotencyKeys } from "./idempotency-keys.ts";

/** Whose key it is: callers, routes and flows do not meet in it. */
interface KeyOwner {
  readonly flowId: string;
  readonly routeId: string;
  /** undefined: no policy has named the caller. Then its credentials do, because the flow may check them itself. */
  readonly principal: string | undefined;
}

const credentials = ["authorization", "x-api-key", "cookie"] as const;

export class IdempotentCall {
  readonly #keys: IdempotencyKeys;
  readonly #key: string;
  readonly #request: IncomingMessage;
  /** Fed while the body arrives, so that a large one is not hashed at a stretch. */
  readonly #hash: Hash;
  #claim: Claim | undefined;

  /** Throws bad_idempotency_key. */
  constructor(keys: IdempotencyKeys, header: string, request: IncomingMessage) {
    this.#keys = keys;
    this.#request = request;
    this.#key = readIdempotencyKey(header);
    this.#hash = createHash("sha256").update(`${request.method} ${request.url}\n`);
  }

  received(part: Buffer): void {
    this.#hash.update(part);
  }

  /** The body is there: the answer to repeat, undefined when the call is to be carried out. Throws what `claim` throws. */
  begin({ flowId, routeId, principal }: KeyOwner): Answer | undefined {
    const id = `${flowId}\n${routeId}\n${principal ?? this.#credentials()}\n${this.#key}`;
    const found = this.#keys.claim(id, flowId, this.#hash.digest("base64"));
    if ("status" in found) return { ...found, headers: [...found.headers, "Idempotency-Replayed", "true"] };
    this.#claim = found;
    return undefined;
  }

  /** It was answered 202; a repeat is, too, while the run goes on. */
  accepted(answer: Answer): void {
    if (this.#claim !== undefined) this.#claim.accepted = { ...answer, headers: [...answer.headers] };
  }

  /**
   * The run is over. Only what was done for good is kept: a run that failed, and an answer that asks to be tried again (429, 5xx),
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

  /** No run came of it. */
  dropped(): void {
    if (this.#claim !== undefined) this.#keys.end(this.#claim, undefined, "");
  }
}
