/** The recorded calls that a test session keeps: as many as fit, the others counted. */
import type { MockedCall } from "../../../shared/mock.ts";

export interface KeptCall {
  readonly call: MockedCall;
  readonly runId: string;
  /** Of the run that began it all, for a child run. */
  readonly rootId: string;
  readonly flowId: string;
}

/** What all sessions keep together. */
export interface KeptBytes {
  now: number;
  readonly most: number;
}

export class KeptCalls {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #total: KeptBytes;
  readonly #calls: KeptCall[] = [];
  #bytes = 0;
  /** Those that came, kept or not. */
  received = 0;

  constructor(most: number, mostBytes: number, total: KeptBytes) {
    this.#most = most;
    this.#mostBytes = mostBytes;
    this.#total = total;
  }

  /** Those that came and were not kept. */
  get refused(): number {
    return this.received - this.#calls.length;
  }

  /** Characters of JSON counted as two bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(kept: KeptCall, characters: number): void {
    this.received += 1;
    const bytes = 2 * characters;
    if (this.#calls.length >= this.#most || this.#bytes + bytes > this.#mostBytes) return;
    if (this.#total.now + bytes > this.#total.most) return;
    this.#bytes += bytes;
    this.#total.now += bytes;
    this.#calls.push(kept);
  }

  /** Nobody asks for them any more. */
  forget(): void {
    this.#total.now -= this.#bytes;
    this.#bytes = 0;
    this.#calls.length = 0;
  }

  /** In the order in which they began. */
  all(): KeptCall[] {
    return this.#calls.toSorted((a, b) => a.call.seq - b.call.seq);
  }
}
