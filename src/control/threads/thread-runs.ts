/** The runs that one thread has, each in its slot: how it comes there, is asked to stop, and leaves. */
import { ToThread } from "../../shared/frames-to-thread.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import { BodyKind } from "../../shared/protocol.ts";
import type { ActiveRun } from "./active-run.ts";
import type { AnnouncedWork } from "./announced-work.ts";
import type { ThreadWords } from "./booted-thread.ts";
import type { Invocation, Lost } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import { type RunProgress, readProgress } from "./run-progress.ts";
import { SlotTable } from "./slot-table.ts";
import type { ThreadLine } from "./thread-line.ts";
import { ThreadLoad } from "./thread-load.ts";

/** Who watches that they keep to their limits. */
export interface ThreadWatcher {
  /** A run has come that must be over by then (epoch ms). */
  expects(deadline: number): void;
  /** A run is late: it was asked to stop, and somebody waits for its end. */
  late(): void;
  /** The thread is being terminated. */
  killed(): void;
}

const noWatcher: ThreadWatcher = { expects() {}, late() {}, killed() {} };

export class ThreadRuns {
  readonly active = new SlotTable<ActiveRun>();
  /** Of `active`, the runs begun by callers, and the calls from other flows. */
  readonly load = new ThreadLoad();
  watcher = noWatcher;
  readonly #line: ThreadLine;
  readonly #words: ThreadWords;
  readonly #announced: AnnouncedWork;
  /** How many it was given in all. */
  #given = 0;
  /** The slot that `words.stop` names, -1: none. */
  #stopping = -1;

  constructor(line: ThreadLine, words: ThreadWords, announced: AnnouncedWork) {
    this.#line = line;
    this.#words = words;
    this.#announced = announced;
  }

  /** Its invoke frame goes with the next message. Answers its slot. */
  add(invocation: Invocation, mappings: readonly MappingVersion[]): number {
    const slot = this.active.add({
      ...{ invocation, mappings, message: this.#line.next, ordinal: ++this.#given, told: false },
      ...{ recorded: false, handled: 0 },
      ...{ cancelled: 0, cancelledAt: 0, cpuMs: 0, exceeded: undefined, hadEffect: true },
    });
    this.#words.beginSlot(slot);
    this.#count(invocation, 1);
    return slot;
  }

  /** It has been answered; undefined: there is none in this slot. */
  take(slot: number): ActiveRun | undefined {
    const run = this.active.take(slot);
    if (run === undefined) return undefined;
    if (slot === this.#stopping) this.stop(-1);
    this.#count(run.invocation, -1);
    return run;
  }

  /** `urgent`: the thread is killed when the run does not stop in time. */
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
    if (run.exceeded !== undefined || run.told) return;
    run.exceeded = kill;
    run.invocation.exceeded(kill);
    this.cancel(slot, run, kill.detail, true);
  }

  /** Reports the run's end before its thread has answered it: the thread is busy with other runs, which go on. */
  giveUp(run: ActiveRun, how: Lost): void {
    run.told = true;
    run.invocation.lost(how);
  }

  /** The one run that is stopped even if the thread reads no messages; -1: none. */
  stop(slot: number): void {
    if (slot === this.#stopping) return;
    this.#stopping = slot;
    this.#words.stop(slot);
  }

  /** How far each has come; of a thread in a host process: as it was reported last. */
  *progress(): Generator<readonly [runId: string, progress: RunProgress]> {
    for (const [slot, { invocation, ordinal }] of this.active.entries()) {
      yield [invocation.runId, readProgress(this.#words.figures, slot, ordinal)];
    }
  }

  /** The thread is gone: takes all of them out, and answers those whose end has not been reported, with what they had done. */
  lose(): readonly ActiveRun[] {
    const runs: ActiveRun[] = [];
    for (const [slot, run] of this.active.entries()) {
      run.hadEffect = this.#words.hadEffect(slot);
      run.reached = readProgress(this.#words.figures, slot, run.ordinal);
      if (!run.told) runs.push(run);
    }
    this.active.clear();
    return runs;
  }

  #count(invocation: Invocation, by: 1 | -1): void {
    if (invocation.bodyKind === BodyKind.held) this.#announced.running += by;
    else this.load.count(invocation, by);
  }
}
