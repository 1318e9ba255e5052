/** The counters of test sessions in a host process: what its threads count is told to control as it is sent what they counted for. */
import { MockWord } from "../../shared/mock.ts";
import type { HostSocket } from "../threads/hosts/host-socket.ts";

/** A session that is over counts for a moment longer; control forgets it after as long. */
const keptMs = 10_000;

interface Counted {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  /** As it was told last. */
  readonly told: Int32Array;
}

export class CountedMemories {
  readonly #socket: HostSocket;
  readonly #memories = new Map<number, Counted>();

  constructor(socket: HostSocket) {
    this.#socket = socket;
  }

  /** `words`: as they are in control, for one that is not here yet. */
  get(number: number, words: readonly number[]): SharedArrayBuffer {
    const found = this.#memories.get(number);
    if (found !== undefined) return found.memory;
    const memory = new SharedArrayBuffer(words.length * Int32Array.BYTES_PER_ELEMENT);
    const counted = { memory, words: new Int32Array(memory), told: Int32Array.from(words) };
    counted.words.set(words);
    this.#memories.set(number, counted);
    return memory;
  }

  /** Its mocks answer nothing more. */
  shut(number: number): void {
    const counted = this.#memories.get(number);
    if (counted === undefined) return;
    Atomics.store(counted.words, MockWord.open, 0);
    setTimeout(() => this.#memories.delete(number), keptMs).unref();
  }

  /** Tells what was counted since it was told last. */
  tell(): void {
    for (const [number, { words, told }] of this.#memories) {
      const counts: number[] = [];
      for (let i = MockWord.open + 1; i < words.length; i += 1) {
        const now = Atomics.load(words, i);
        const by = now - (told[i] as number);
        if (by <= 0) continue;
        told[i] = now;
        counts.push(i, by);
      }
      if (counts.length > 0) this.#socket.tell(["counted", number, counts]);
    }
  }
}
