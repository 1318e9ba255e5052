/**
 * The counters of test sessions that threads of one host process share: the process has a memory of its own for each, reports what is
 * counted there, and is notified when a session is over. A mock's `times` is counted there, so it is for each process.
 */
import { MockWord } from "../../../shared/mock.ts";
import type { HostMessage } from "./host-messages.ts";

/** Time between two looks for sessions that are over, in milliseconds. */
const lookMs = 10;
/** So long, in milliseconds, counts of a session that is over are still taken. */
const keptMs = 10_000;

export class SessionMemories {
  readonly #send: (message: HostMessage) => void;
  readonly #numbers = new Map<SharedArrayBuffer, number>();
  readonly #words = new Map<number, Int32Array>();
  readonly #open = new Set<number>();
  #last = 0;
  #looking: NodeJS.Timeout | undefined;
  readonly #forgetting = new Set<NodeJS.Timeout>();

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  share(thread: number, memory: SharedArrayBuffer): number {
    let number = this.#numbers.get(memory);
    if (number === undefined) {
      number = ++this.#last;
      this.#numbers.set(memory, number);
      this.#words.set(number, new Int32Array(memory));
      this.#open.add(number);
      this.#looking ??= setInterval(() => this.#look(), lookMs).unref();
    }
    this.#send(["share", thread, number, [...new Int32Array(memory)]]);
    return number;
  }

  /** Adds the counts that the process reports. Throws for what are none. */
  counted([, number, counts]: HostMessage): void {
    if (typeof number !== "number" || !Array.isArray(counts)) throw new Error("counts are pairs");
    const words = this.#words.get(number);
    if (words === undefined) return;
    for (let i = 0; i < counts.length; i += 2) {
      const [word, by] = [counts[i], counts[i + 1]];
      if (!isCount(word) || !isCount(by) || word === MockWord.open || word >= words.length) {
        throw new Error("counts are of the session's words");
      }
      Atomics.add(words, word, by);
    }
  }

  close(): void {
    clearInterval(this.#looking);
    for (const timer of this.#forgetting) clearTimeout(timer);
    this.#numbers.clear();
    this.#words.clear();
    this.#open.clear();
  }

  #look(): void {
    for (const number of this.#open) {
      const words = this.#words.get(number);
      if (words === undefined || Atomics.load(words, MockWord.open) === 1) continue;
      this.#open.delete(number);
      this.#send(["shut", number]);
      const timer = setTimeout(() => this.#forget(number, timer), keptMs).unref();
      this.#forgetting.add(timer);
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #forget(number: number, timer: NodeJS.Timeout): void {
    this.#forgetting.delete(timer);
    const memory = this.#words.get(number)?.buffer;
    this.#words.delete(number);
    if (memory instanceof SharedArrayBuffer) this.#numbers.delete(memory);
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
