/**
 * The line to the threads of a host process: their messages travel on the socket of the process, and what they share with control in
 * memory (their words, the counters of test sessions) comes as reports.
 */

import { figureWords } from "../../../shared/figures.ts";
import { MockWord } from "../../../shared/mock.ts";
import { type Packed, pack, unpack } from "../../../shared/packed.ts";
import { effectSlots } from "../../../shared/protocol.ts";
import type { BootedPort, ThreadListener, ThreadWords } from "../booted-thread.ts";
import type { HostMessage } from "./host-messages.ts";

/** From this many credits on they are sent at once. It is only a part of `eventCredits`, so the thread has others meanwhile. */
const manyCredits = 200;
const owedMs = 20;

/** What a thread needs of its host process. */
export interface HostLine {
  readonly pid: number;
  /** The process is gone, or is being ended. */
  readonly over: boolean;
  readonly choked: boolean;
  /** true: its main loop has not answered for a while, so a missing report of a thread may be the process's delay. */
  readonly silent: boolean;
  /** Its resident memory when that was last measured; 0: not known. */
  readonly memoryBytes: number;
  post(thread: number, packed: Packed): void;
  send(message: HostMessage): void;
  /** Gives the thread a copy of this memory ahead of its next message. Returns the number of the copy in the process. */
  share(thread: number, memory: SharedArrayBuffer): number;
  /** Drops a thread that is gone: nothing more of it will arrive. */
  forget(thread: number): void;
  /** Gives up the process, since a thread of it cannot be ended. */
  leave(why: string): void;
}

/** The port of a thread in a host process: messages are packed at both ends, and travel on the socket of the process. */
export class RemotePort implements BootedPort {
  listener: ThreadListener | undefined;
  posts = 0;
  readonly #thread: number;
  readonly #line: HostLine;
  readonly #share: (memory: SharedArrayBuffer) => number;
  readonly #sent: () => void;
  #wasChoked = false;

  /** `sent` is called with each message to the thread. */
  constructor(thread: number, line: HostLine, sent: () => void) {
    this.#thread = thread;
    this.#sent = sent;
    this.#line = line;
    this.#share = (memory) => line.share(thread, memory);
  }

  get choked(): boolean {
    this.#wasChoked = this.#line.choked;
    return this.#wasChoked;
  }

  listen(listener: ThreadListener): void {
    this.listener = listener;
  }

  post(frames: readonly unknown[]): void {
    this.posts += 1;
    this.#sent();
    this.#line.post(this.#thread, pack(frames, this.#share));
  }

  close(): void {
    this.listener = undefined;
  }

  /** Call it when the process has taken the bytes that waited. */
  drained(): void {
    if (!this.#wasChoked) return;
    this.#wasChoked = false;
    this.listener?.room();
  }

  received(bytes: Uint8Array): void {
    if (this.listener === undefined) return;
    let frames: unknown;
    try {
      frames = unpack(bytes);
    } catch {
      this.listener.unreadable();
      return;
    }
    this.listener.message(frames);
  }
}

/** The memory that a thread shares with its host process, as of the last report. */
export class RemoteWords implements ThreadWords {
  heartbeat = -1;
  logs = 0;
  traces = 0;
  turns = 0;
  calls = 0;
  collected = true;
  readonly figures = new Int32Array(figureWords);
  readonly #thread: number;
  readonly #send: (message: HostMessage) => void;
  #collections = 0;
  /** Credits that have not been sent yet. */
  #owed = 0;
  #later: NodeJS.Timeout | undefined;
  /** The words of `Word.effects` by index; undefined: not known. */
  #effects: ReadonlyMap<number, number> | undefined;

  constructor(thread: number, send: (message: HostMessage) => void) {
    this.#thread = thread;
    this.#send = send;
  }

  hadEffect(slot: number): boolean {
    if (this.#effects === undefined || slot >= effectSlots) return true;
    return ((this.#effects.get(slot >>> 5) ?? 0) & (1 << (slot & 31))) !== 0;
  }

  /** Does nothing: the thread itself clears the mark when the run begins. Until then the mark of the previous run counts. */
  beginSlot(): void {}

  /** Collects credits before it sends them, since each sending is a message. */
  giveCredits(count: number): void {
    this.#owed += count;
    if (this.#owed >= manyCredits) this.#giveOwed();
    else this.#later ??= setTimeout(() => this.#giveOwed(), owedMs).unref();
  }

  #giveOwed(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#send(["credits", this.#thread, this.#owed]);
    this.#owed = 0;
  }

  stop(slot: number): void {
    this.#send(["stop", this.#thread, slot]);
  }

  collect(): void {
    this.#collections += 1;
    this.collected = false;
    this.#send(["collect", this.#thread]);
  }

  /** Stores the words of a report. Throws when they are malformed. */
  report(words: unknown): void {
    if (!Array.isArray(words)) throw new Error("words are a list");
    const [heartbeat, logs, traces, turns, calls, asked, done] = words.map(int32);
    this.heartbeat = heartbeat ?? -1;
    this.logs = logs ?? 0;
    this.traces = traces ?? 0;
    this.turns = turns ?? 0;
    this.calls = calls ?? 0;
    // The report may be about an earlier collection than the last one that was asked for.
    this.collected = asked === this.#collections && done === 1;
  }

  /** Stores the figures that have changed. Throws when they are malformed. */
  reportFigures(changed: unknown): void {
    for (const [index, figure] of pairsOf(changed)) {
      if (index < 0 || index >= this.figures.length) throw new Error("a figure has an index");
      this.figures[index] = figure;
    }
  }

  /** Stores the words, effects and figures of a thread that has ended: nothing changes after them. */
  reportLast(words: unknown, effects: unknown, figures: unknown): void {
    this.report(words);
    this.reportFigures(figures);
    this.#effects = new Map(pairsOf(effects));
  }
}

/** Reads `[index, word, index, word, ...]`. */
function* pairsOf(pairs: unknown): Generator<readonly [index: number, word: number]> {
  if (!Array.isArray(pairs) || pairs.length % 2 !== 0) throw new Error("words and their indexes are pairs");
  for (let i = 0; i < pairs.length; i += 2) yield [int32(pairs[i]), int32(pairs[i + 1])];
}

function int32(value: unknown): number {
  if (typeof value !== "number") throw new Error("a word is a number");
  return value | 0;
}

/** Time between two looks for sessions that are over, in milliseconds. */
const lookMs = 10;
/** How long counts of a session that is over are still added, in milliseconds. */
const keptMs = 10_000;

/**
 * The counters of test sessions that threads of one host process share. The process has a separate memory for each session, reports what is
 * counted there, and is notified when a session is over. A mock's `times` is therefore counted in each process separately.
 */
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

  /** Adds the counts that the process reports. Throws when they are malformed. */
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
