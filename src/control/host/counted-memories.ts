/**
 * The counters of test sessions in a host process: control gets what the threads count no later than the messages that
 * were counted.
 */
import { MockWord } from "../../shared/mock.ts";
import type { HostSocket } from "../threads/hosts/host-socket.ts";

/** A session that is over counts for a moment longer; control forgets it after the same time. */
const keptMs = 10_000;

interface Counted {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  /** The counts that were reported last. */
  readonly reported: Int32Array;
}

export class CountedMemories {
  readonly #socket: HostSocket;
  readonly #memories = new Map<number, Counted>();

  constructor(socket: HostSocket) {
    this.#socket = socket;
  }

  /** Returns the memory of a session. `words`: control's counts, for a session that is not here yet. */
  get(number: number, words: readonly number[]): SharedArrayBuffer {
    const found = this.#memories.get(number);
    if (found !== undefined) return found.memory;
    const memory = new SharedArrayBuffer(words.length * Int32Array.BYTES_PER_ELEMENT);
    const counted = { memory, words: new Int32Array(memory), reported: Int32Array.from(words) };
    counted.words.set(words);
    this.#memories.set(number, counted);
    return memory;
  }

  /** Closes a session: its mocks answer no more calls. */
  shut(number: number): void {
    const counted = this.#memories.get(number);
    if (counted === undefined) return;
    Atomics.store(counted.words, MockWord.open, 0);
    setTimeout(() => this.#memories.delete(number), keptMs).unref();
  }

  /** Reports what was counted since the last report. */
  report(): void {
    for (const [number, { words, reported }] of this.#memories) {
      const counts: number[] = [];
      for (let i = MockWord.open + 1; i < words.length; i += 1) {
        const now = Atomics.load(words, i);
        const by = now - (reported[i] as number);
        if (by <= 0) continue;
        reported[i] = now;
        counts.push(i, by);
      }
      if (counts.length > 0) this.#socket.send(["counted", number, counts]);
    }
  }
}
