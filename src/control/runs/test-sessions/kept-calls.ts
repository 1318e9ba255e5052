/** The recorded calls that a test session keeps: as many as fit, the others counted. */
import type { MockedCall } from "../../../shared/mock.ts";

export interface KeptCall {
  readonly call: MockedCall;
  readonly runId: string;
  /** Of the run that began it all, for a child run. */
  readonly rootId: string;
  readonly flowId: string;
}

export class KeptCalls {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #calls: KeptCall[] = [];
  #bytes = 0;
  /** Those that came, kept or not. */
  received = 0;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
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
    if (this.#calls.length >= this.#most || this.#bytes + 2 * characters > this.#mostBytes) return;
    this.#bytes += 2 * characters;
    this.#calls.push(kept);
  }

  /** In the order in which they began. */
  all(): KeptCall[] {
    return this.#calls.toSorted((a, b) => a.call.seq - b.call.seq);
  }
}
