/** The runs that one thread has, each in its slot: how a run enters, is asked to stop, and leaves; and whether there is room for another. */

import { ToThread } from "../../../shared/frames-to-thread.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { MappingVersion } from "../../../shared/mapping.ts";
import { BodyKind } from "../../../shared/protocol.ts";
import type { ThreadWords } from "../booted-thread.ts";
import type { Invocation, Lost } from "../invocation.ts";
import { type RunProgress, readProgress } from "../invocation.ts";
import type { Kill } from "../kill.ts";
import type { PendingAnnouncements } from "./pending-announcements.ts";
import type { ThreadLine } from "./thread-line.ts";

/** A run in its slot of a thread. */
export interface ActiveRun {
  readonly invocation: Invocation;
  /** The mapping versions that it uses: one list for all runs that begin between two updates. */
  readonly mappings: readonly MappingVersion[];
  /** The number of the message with its invoke frame, as `Word.turns` counts messages. */
  readonly message: number;
  /** Its number among the runs of its thread, from 1 on. */
  readonly ordinal: number;
  /** The number of the message that asked it to stop; 0: none did. */
  cancelled: number;
  /** Since when its end is overdue, in `performance.now()` time; 0: it is not. */
  cancelledAt: number;
  /** CPU time of its thread that was charged to it, in ms. */
  cpuMs: number;
  /** true: its end was reported before its thread has answered. */
  reported: boolean;
  /** true: its recorded steps have arrived. */
  recorded: boolean;
  /** How many handled failures its thread has reported. */
  handled: number;
  /** The limit that it was stopped for, if it was. */
  exceeded: Kill | undefined;
  /** Whether it may have had an effect that running it again would repeat. Set when it is lost with its thread. */
  hadEffect: boolean;
  /** How far it had come when it was lost with its thread. */
  reached?: RunProgress;
}

/** The supervision of the thread, which ends runs that exceed their limits. */
export interface ThreadWatcher {
  /** Called when a run has begun that must end by `deadline` (epoch ms). */
  expects(deadline: number): void;
  /** Called when a run was asked to stop and its end is overdue. */
  late(): void;
  /** Called when the thread is being terminated. */
  killed(): void;
}

const noWatcher: ThreadWatcher = { expects() {}, late() {}, killed() {} };

export class ThreadRuns {
  readonly active = new SlotTable<ActiveRun>();
  /** Counts the runs of callers and the calls from other flows among `active`. */
  readonly load = new ThreadLoad();
  watcher = noWatcher;
  readonly #line: ThreadLine;
  readonly #words: ThreadWords;
  readonly #announced: PendingAnnouncements;
  /** How many runs the thread was given in all. */
  #given = 0;
  /** The slot that `words.stop` names; -1: none. */
  #stopping = -1;

  constructor(line: ThreadLine, words: ThreadWords, announced: PendingAnnouncements) {
    this.#line = line;
    this.#words = words;
    this.#announced = announced;
  }

  /** Puts a run, whose invoke frame goes with the next message, into a slot. Returns the slot. */
  add(invocation: Invocation, mappings: readonly MappingVersion[]): number {
    const slot = this.active.add({
      ...{ invocation, mappings, message: this.#line.next, ordinal: ++this.#given, reported: false },
      ...{ recorded: false, handled: 0 },
      ...{ cancelled: 0, cancelledAt: 0, cpuMs: 0, exceeded: undefined, hadEffect: true },
    });
    this.#words.beginSlot(slot);
    this.#count(invocation, 1);
    return slot;
  }

  /** Takes out the run that the thread has answered; undefined: the slot has none. */
  take(slot: number): ActiveRun | undefined {
    const run = this.active.take(slot);
    if (run === undefined) return undefined;
    if (slot === this.#stopping) this.stop(-1);
    this.#count(run.invocation, -1);
    return run;
  }

  /** Asks the run to stop. `urgent`: the thread is killed when it does not stop in time. */
  cancel(slot: number, run: ActiveRun, reason: string, urgent: boolean): void {
    if (urgent && run.cancelledAt === 0) run.cancelledAt = performance.now();
    if (run.cancelled === 0) {
      this.#line.outbox.open().push(ToThread.cancel, slot, reason);
      run.cancelled = this.#line.next;
      this.stop(slot);
    }
    if (urgent) this.watcher.late();
  }

  /** Stops a run that has exceeded a limit. `kill`: the limit; the thread is killed with it if the run does not stop. */
  exceed(slot: number, run: ActiveRun, kill: Kill): void {
    if (run.exceeded !== undefined || run.reported) return;
    run.exceeded = kill;
    run.invocation.exceeded(kill);
    this.cancel(slot, run, kill.detail, true);
  }

  /** Reports the end of the run before its thread has answered: the thread is busy with other runs, which go on. */
  giveUp(run: ActiveRun, how: Lost): void {
    run.reported = true;
    run.invocation.lost(how);
  }

  /** Sets the one run that stops even if the thread reads no messages; -1: none. */
  stop(slot: number): void {
    if (slot === this.#stopping) return;
    this.#stopping = slot;
    this.#words.stop(slot);
  }

  /** Yields how far each run has come; for a thread in a host process, as of its last report. */
  *progress(): Generator<readonly [runId: string, progress: RunProgress]> {
    for (const [slot, { invocation, ordinal }] of this.active.entries()) {
      yield [invocation.runId, readProgress(this.#words.figures, slot, ordinal)];
    }
  }

  /** Takes out all runs of a thread that is gone. Returns those whose end was not reported yet, with how far they had come. */
  lose(): readonly ActiveRun[] {
    const runs: ActiveRun[] = [];
    for (const [slot, run] of this.active.entries()) {
      run.hadEffect = this.#words.hadEffect(slot);
      run.reached = readProgress(this.#words.figures, slot, run.ordinal);
      if (!run.reported) runs.push(run);
    }
    this.active.clear();
    return runs;
  }

  #count(invocation: Invocation, by: 1 | -1): void {
    if (invocation.bodyKind === BodyKind.held) this.#announced.running += by;
    else this.load.count(invocation, by);
  }
}

/**
 * Settles the runs of a thread that was killed. Returns the invocations that begin anew; all others were reported as lost. `culprit`: the run
 * whose step was entered last, if that is known; its end may have been reported before. When the culprit is not known, each run may be the
 * one that kills threads, and none begins anew.
 */
export function settleLost(
  runs: readonly ActiveRun[],
  kill: Kill,
  culprit: ActiveRun | undefined,
  anew: boolean,
): readonly Invocation[] {
  const only = culprit ?? (runs.length === 1 ? runs[0] : undefined);
  const by = only?.invocation.runId;
  const again = runs.filter((run) => {
    return anew && only !== undefined && run !== only && mayBeginAgain(run) && run.invocation.again(kill, by);
  });
  const lost = runs.filter((run) => !again.includes(run));
  const others = lost.filter((run) => run !== only).map(({ invocation }) => invocation.runId);
  for (const run of lost) {
    const { invocation, reached } = run;
    invocation.lost({ kind: "killed", kill, culprit: run === only, by, others, reached });
  }
  return again.map(({ invocation }) => invocation);
}

/** Whether a lost run may begin anew: not if its message was in the thread, nor in a test session, which has counted its uses of mocks. */
function mayBeginAgain({ hadEffect, cancelled, invocation: { bodyKind, mocks, deadline } }: ActiveRun): boolean {
  return !hadEffect && !cancelled && bodyKind !== BodyKind.held && mocks === undefined && Date.now() < deadline;
}

/**
 * Numbered slots for values that come and go. An array, not a Map: a Map that is filled and emptied all the time leaves old hash tables
 * behind that point to newer ones, and once one of them is in the old generation, V8 keeps everything that passes through.
 */
export class SlotTable<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Puts it in a free place and returns the place's number. */
  add(value: T): number {
    const slot = this.#free.pop() ?? this.#places.length;
    this.#places[slot] = value;
    this.#size += 1;
    return slot;
  }

  get(slot: number): T | undefined {
    return this.#places[slot];
  }

  /** Takes it out; undefined when the place is empty. */
  take(slot: number): T | undefined {
    const value = this.#places[slot];
    if (value === undefined) return undefined;
    this.#places[slot] = undefined;
    this.#free.push(slot);
    this.#size -= 1;
    return value;
  }

  clear(): void {
    for (let slot = 0; slot < this.#places.length; slot++) this.take(slot);
  }

  *entries(): IterableIterator<[slot: number, value: T]> {
    for (const [slot, value] of this.#places.entries()) if (value !== undefined) yield [slot, value];
  }

  *values(): IterableIterator<T> {
    for (const [, value] of this.entries()) yield value;
  }
}

/** How many times its bytes a body takes that is parsed into objects: numbers in a list take several times their digits, and the text is in memory, too. */
const structuredFactor = 4;

type Loaded = Pick<Invocation, "child" | "nested" | "bodyKind" | "body">;

/**
 * What a thread has to do for callers, in runs and in bytes of their bodies. Callers' runs and calls from other flows count apart, so that
 * parents that wait for children cannot keep these from running.
 */
export class ThreadLoad {
  runs = 0;
  calls = 0;
  #runBytes = 0;
  #callBytes = 0;

  /** Counts a run. `by`: 1 when it begins, -1 when it is over. */
  count(invocation: Loaded, by: 1 | -1): void {
    const bytes = by * bodyWeight(invocation);
    if (invocation.child) {
      this.calls += by;
      if (invocation.nested !== true) this.#callBytes += bytes;
    } else {
      this.runs += by;
      this.#runBytes += bytes;
    }
  }

  /**
   * Whether the thread has room for the run. A body heavier than `threadBodyBytes` runs alone, beside runs without a body. For a call that a
   * called run makes the weight does not count: the call above it waits for it, and may hold the same bytes.
   */
  hasRoom(invocation: Loaded, { runsPerThread, callsPerThread, threadBodyBytes }: Limits): boolean {
    if (!invocation.child) return this.runs < runsPerThread && fits(this.#runBytes, invocation, threadBodyBytes);
    if (this.calls >= callsPerThread) return false;
    return invocation.nested === true || fits(this.#callBytes, invocation, threadBodyBytes);
  }
}

function fits(held: number, invocation: Loaded, most: number): boolean {
  const bytes = bodyWeight(invocation);
  return bytes === 0 || held === 0 || held + bytes <= most;
}

/** Returns the weight of a body: its bytes, or the characters of a text. A body that is in the thread already weighs nothing. */
function bodyWeight({ bodyKind, body }: Loaded): number {
  if (body === null || bodyKind === BodyKind.held) return 0;
  const plain = bodyKind === BodyKind.text || bodyKind === BodyKind.bytes;
  return plain ? body.length : structuredFactor * body.length;
}
