/** Weighs what a thread sends, in messages: neither a turn of the event loop nor all of them together are a thread's alone. */

const KiB = 1024;

/**
 * Bytes that weigh as much as a message; texts have theirs by their characters. A thread sends large frames for what it was given, and
 * nothing else of it is large: results of the runs under way, each once, what those runs call and what sessions record of them, and events
 * that it has credits for.
 *
 * The most of an honest thread comes when the main loop has stood still for a second: 2000 announced runs that have begun in that time (100
 * messages in their fields) and call another flow (one each, and 100), 2000 events (90, and 130 if each has 16 KiB), 128 results with all
 * their timings (250, and 120 for 1 MiB each): 2800 together.
 */
export const bytesOfMessage = { unasked: 4 * KiB, asked: 256 * KiB, result: 1024 * KiB } as const;

/** A run that a thread is given may be answered by a message of its own, and make a call to another flow. */
export const messagesOfRun = 2;

/**
 * As much as may come at once is forgotten in this time (ms) between turns that have messages of the thread. The time that is spent with
 * reading them does not count: a slow machine would never call anything a flood.
 */
const forgetMs = 50;

export class FloodBreaker {
  readonly #most: number;
  #weight = 0;
  #inTurn = false;
  #endedAt = 0;
  readonly #end = (): void => {
    this.#inTurn = false;
    this.#endedAt = performance.now();
  };

  /** `most`: messages at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The thread has been given a run: a main loop without a pause, or a busy flow, is no flood. */
  given(): void {
    this.#weight = Math.max(0, this.#weight - messagesOfRun);
  }

  /** @returns true: it is too much, and the thread must be cut off before the next message is read. */
  count(messages: number, bytes = 0, bytesEach: number = bytesOfMessage.unasked): boolean {
    if (!this.#inTurn) {
      this.#inTurn = true;
      this.#weight = Math.max(0, this.#weight - ((performance.now() - this.#endedAt) * this.#most) / forgetMs);
      setImmediate(this.#end);
    }
    this.#weight += messages + bytes / bytesEach;
    return this.#weight > this.#most;
  }
}

/** Texts and byte arrays of the fields from `from` to before `to`; of bytes all that travels with them. */
export function bytesIn(frames: readonly unknown[], from: number, to: number): number {
  const end = Math.min(to, frames.length);
  let bytes = 0;
  let last: unknown;
  for (let i = from; i < end; i += 1) {
    const field = frames[i];
    if (typeof field === "string") bytes += field.length;
    else if (field instanceof Uint8Array && field.buffer !== last) {
      last = field.buffer;
      bytes += field.buffer.byteLength;
    }
  }
  return bytes;
}
