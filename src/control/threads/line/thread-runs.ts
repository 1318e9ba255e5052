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
  /** The versions that it sees: one list for all runs that begin between two updates. */
  readonly mappings: readonly MappingVersion[];
  /** The number of the message that took it into the thread, as `Word.turns` counts them. */
  readonly message: number;
  /** Which of its thread's runs it is, from 1 on. */
  readonly ordinal: number;
  /** It was asked to stop, by a message of this number; 0: it was not. */
  cancelled: number;
  /** When somebody began to wait for its end, in `performance.now()` time: it is late from then on. 0: nobody waits. */
  cancelledAt: number;
  /** CPU time of its thread that was charged to it, in ms. */
  cpuMs: number;
  /** Its end has been reported, and its thread has not answered it yet. */
  reported: boolean;
  /** Its recorded steps have come. */
  recorded: boolean;
  /** How many handled failures its thread has announced. */
  handled: number;
  /** Present: it is ended for this limit. */
  exceeded: Kill | undefined;
  /** It may have done something that a second run would do again; known of a run that was lost with its thread. */
  hadEffect: boolean;
  /** How far it had come when it was lost with its thread. */
  reached?: RunProgress;
}

/** The supervision of the thread, which ends runs that do not keep to their limits. */
export interface ThreadWatcher {
  /** A run has begun, whose end must come by `deadline` (epoch ms). */
  expects(deadline: number): void;
  /** A run is late: it was asked to stop, and somebody waits for its end. */
  late(): void;
  /** The thread is being terminated. */
  killed(): void;
}

const noWatcher: ThreadWatcher = { expects() {}, late() {}, killed() {} };

export class ThreadRuns {
  readonly active = new SlotTable<ActiveRun>();
  /** Counts of `active` the runs begun by callers, and the calls from other flows. */
  readonly load = new ThreadLoad();
  watcher = noWatcher;
  readonly #line: ThreadLine;
  readonly #words: ThreadWords;
  readonly #announced: PendingAnnouncements;
  /** How many runs the thread has been given in all. */
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

  /** Takes out the run that the thread has answered; undefined: there is none in this slot. */
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

  /** Ends a run for a limit of its flow: `kill` says which, and is what the thread is killed with if the run does not stop. */
  exceed(slot: number, run: ActiveRun, kill: Kill): void {
    if (run.exceeded !== undefined || run.reported) return;
    run.exceeded = kill;
    run.invocation.exceeded(kill);
    this.cancel(slot, run, kill.detail, true);
  }

  /** Reports the run's end before its thread has answered it: the thread is busy with other runs, which go on. */
  giveUp(run: ActiveRun, how: Lost): void {
    run.reported = true;
    run.invocation.lost(how);
  }

  /** Names the one run that is stopped even if the thread reads no messages; -1: none. */
  stop(slot: number): void {
    if (slot === this.#stopping) return;
    this.#stopping = slot;
    this.#words.stop(slot);
  }

  /** How far each run has come; of a thread in a host process: as of its last report. */
  *progress(): Generator<readonly [runId: string, progress: RunProgress]> {
    for (const [slot, { invocation, ordinal }] of this.active.entries()) {
      yield [invocation.runId, readProgress(this.#words.figures, slot, ordinal)];
    }
  }

  /** Takes out all runs of a thread that is gone. Returns those whose end has not been reported, with what they had done. */
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
 * Settles the runs of a thread that was killed. Returns the invocations that begin anew; all others have been reported as lost. `culprit`:
 * the run whose step the thread entered last, if that is known; its end may have been reported before. As long as no run is to blame,
 * each may be the one that kills threads, and none begins anew.
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

/** A run that began inside the thread is gone with it; of a run in a test session the uses of mocks have been counted. */
function mayBeginAgain({ hadEffect, cancelled, invocation: { bodyKind, mocks, deadline } }: ActiveRun): boolean {
  return !hadEffect && !cancelled && bodyKind !== BodyKind.held && mocks === undefined && Date.now() < deadline;
}

/**
 * Numbered places for things that come and go. An array, not a Map: a Map that is filled and emptied all the time leaves old
 * tables behind that point to newer ones, and once one of them is promoted, everything that passes through survives with it.
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

/** Bodies that are read into objects: numbers in a list take several times as much as their digits, and the text is there as well. */
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

  /** `by`: 1 when it begins, -1 when it is over. */
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
   * A body that is heavier than `threadBodyBytes` is alone with those that are empty. What a called run calls has room whatever it weighs:
   * the call above it, which waits for it, may hold these very bytes.
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

/** Returns what a body weighs: its bytes, of a text its characters. A body that is in its thread already weighs nothing. */
function bodyWeight({ bodyKind, body }: Loaded): number {
  if (body === null || bodyKind === BodyKind.held) return 0;
  const plain = bodyKind === BodyKind.text || bodyKind === BodyKind.bytes;
  return plain ? body.length : structuredFactor * body.length;
}
