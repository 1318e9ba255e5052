/** The memory that a thread shares with its host process, as it was told last. */
import { figureWords } from "../../../shared/figures.ts";
import { effectSlots } from "../../../shared/protocol.ts";
import type { ThreadWords } from "../booted-thread.ts";
import type { HostMessage } from "./host-messages.ts";

/** A part of `eventCredits`: a thread that has the others goes on meanwhile. */
const manyCredits = 200;
const owedMs = 20;

export class RemoteWords implements ThreadWords {
  heartbeat = -1;
  logs = 0;
  traces = 0;
  turns = 0;
  calls = 0;
  collected = true;
  readonly figures = new Int32Array(figureWords);
  readonly #thread: number;
  readonly #tell: (message: HostMessage) => void;
  #collections = 0;
  /** Credits that it has not been told of. */
  #owed = 0;
  #later: NodeJS.Timeout | undefined;
  /** By index; undefined: not known, or no longer. */
  #effects: ReadonlyMap<number, number> | undefined;

  constructor(thread: number, tell: (message: HostMessage) => void) {
    this.#thread = thread;
    this.#tell = tell;
  }

  hadEffect(slot: number): boolean {
    if (this.#effects === undefined || slot >= effectSlots) return true;
    return ((this.#effects.get(slot >>> 5) ?? 0) & (1 << (slot & 31))) !== 0;
  }

  /** Nothing can be done from here: until the run begins there, it counts as one that had an effect if the one before did. */
  beginSlot(): void {}

  /** A few together: each is a message. */
  giveCredits(count: number): void {
    this.#owed += count;
    if (this.#owed >= manyCredits) this.#giveOwed();
    else this.#later ??= setTimeout(() => this.#giveOwed(), owedMs).unref();
  }

  #giveOwed(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#tell(["credits", this.#thread, this.#owed]);
    this.#owed = 0;
  }

  stop(slot: number): void {
    this.#tell(["stop", this.#thread, slot]);
  }

  collect(): void {
    this.#collections += 1;
    this.collected = false;
    this.#tell(["collect", this.#thread]);
  }

  /** Throws for what are no words. */
  told(words: unknown): void {
    if (!Array.isArray(words)) throw new Error("words are a list");
    const [heartbeat, logs, traces, turns, calls, asked, done] = words.map(int32);
    this.heartbeat = heartbeat ?? -1;
    this.logs = logs ?? 0;
    this.traces = traces ?? 0;
    this.turns = turns ?? 0;
    this.calls = calls ?? 0;
    // An answer to an earlier question is none.
    this.collected = asked === this.#collections && done === 1;
  }

  /** Those of the figures that have changed. Throws for what are none. */
  toldFigures(changed: unknown): void {
    for (const [index, figure] of pairsOf(changed)) {
      if (index < 0 || index >= this.figures.length) throw new Error("a figure has an index");
      this.figures[index] = figure;
    }
  }

  /** The last words: nothing changes after them. */
  toldLast(words: unknown, effects: unknown, figures: unknown): void {
    this.told(words);
    this.toldFigures(figures);
    this.#effects = new Map(pairsOf(effects));
  }
}

/** `[index, word, index, word, ...]` */
function* pairsOf(told: unknown): Generator<readonly [index: number, word: number]> {
  if (!Array.isArray(told) || told.length % 2 !== 0) throw new Error("words and their indexes are pairs");
  for (let i = 0; i < told.length; i += 2) yield [int32(told[i]), int32(told[i + 1])];
}

function int32(value: unknown): number {
  if (typeof value !== "number") throw new Error("a word is a number");
  return value | 0;
}
