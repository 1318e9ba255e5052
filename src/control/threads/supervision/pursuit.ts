/**
 * Pursues runs that were asked to stop and have not: the thread is terminated when `graceMs` has passed, and earlier when there is evidence that
 * the run will not stop. The evidence for that is an event loop that does not turn. When another run keeps the thread busy, only the end of
 * this run is reported, and the thread goes on.
 */

import { figure, type Kill } from "../kill.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { ActiveRun } from "../line/thread-runs.ts";
import type { Priority } from "./priority.ts";

const tickMs = 5;

/** From this CPU time in one step on, after the run was asked to stop, the step is taken for one that does not end. */
const stuckCpuMs = 25;
/** From the cancel to the lowest priority. Not at once, since the evidence takes CPU time. */
const demoteMs = 50;

interface Parts {
  readonly thread: FlowThread;
  readonly turns: TurnWatch;
  readonly priority: Priority;
  /** The time from a cancel to the kill. */
  readonly graceMs: number;
}

export class Pursuit {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  /** The run that seems to be stuck in its step, the CPU time of its thread when that was noticed, and what it has used since. */
  #stuck: { readonly run: ActiveRun; cpuMs: number | undefined; usedMs: number } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
    this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stuck = undefined;
  }

  #tick(): void {
    const { thread } = this.#parts;
    const now = performance.now();
    let late = 0;
    for (const [slot, run] of thread.runs.active.entries()) {
      if (run.cancelledAt === 0 || run.reported) continue;
      late += 1;
      if (this.#chase(slot, run, now)) return;
    }
    if (late === 0) this.stop();
    else this.#look();
  }

  /** Returns true when the thread was killed for the run. */
  #chase(slot: number, run: ActiveRun, now: number): boolean {
    const { thread, graceMs } = this.#parts;
    const { heartbeat } = thread.booted.words;
    const stuck = this.#stuck?.run === run && this.#stuck.usedMs >= stuckCpuMs && this.#seemsStuck(run);
    if (!stuck && now - run.cancelledAt <= graceMs) return false;
    const others = heartbeat !== slot && thread.runs.active.get(heartbeat) !== undefined;
    if (others && !thread.line.hasRead(run.cancelled)) {
      // The thread has not read the cancel yet: another run keeps it busy, to which its own limits apply.
      thread.runs.giveUp(run, run.exceeded === undefined ? cancelled : { kind: "expired" });
      return false;
    }
    thread.kill(this.#killOf(run, now), run);
    return true;
  }

  #look(): void {
    const { thread, priority } = this.#parts;
    const { heartbeat } = thread.booted.words;
    const run = thread.runs.active.get(heartbeat);
    if (run === undefined || run.cancelled === 0) return;
    // The word `stop` can name only one run: it names the one whose step was entered last.
    thread.runs.stop(heartbeat);
    if (!this.#seemsStuck(run)) this.#stuck = undefined;
    else if (this.#stuck?.run !== run) this.#stuck = { run, cpuMs: undefined, usedMs: 0 };
    else if (performance.now() - run.cancelledAt > demoteMs) priority.demote();
    const stuck = this.#stuck;
    if (stuck !== undefined) void thread.booted.sample().then((sample) => note(stuck, sample?.cpuMs));
  }

  /** Whether the loop has not turned since the cancel, and either not since the run began or for longer than a flow may keep it. */
  #seemsStuck(run: ActiveRun): boolean {
    const { thread, turns, graceMs } = this.#parts;
    if (run.cancelledAt === 0 || thread.line.hasRead(run.cancelled)) return false;
    return !thread.line.hasRead(run.message + 1) || turns.stillMs >= Math.min(graceMs, thread.owner.limits.stuckLoopMs);
  }

  #killOf(run: ActiveRun, now: number): Kill {
    const { runId } = run.invocation;
    const waited = figure(now - run.cancelledAt);
    const ask = run.exceeded === undefined ? "its cancel" : "having been asked to";
    const detail = `run ${runId} did not stop within ${waited} ms of ${ask}`;
    if (run.exceeded === undefined) return { reason: "timeout", detail };
    return { ...run.exceeded, detail: `${detail}: ${run.exceeded.detail}` };
  }
}

const cancelled = { kind: "cancelled", message: "its thread is busy with other runs" } as const;

function note(stuck: { cpuMs: number | undefined; usedMs: number }, cpuMs: number | undefined): void {
  if (cpuMs === undefined) return;
  stuck.cpuMs ??= cpuMs;
  stuck.usedMs = Math.max(stuck.usedMs, cpuMs - stuck.cpuMs);
}

/** The most time that counts between two looks: a pause of this process, or of the machine, is not the thread's fault. */
const mostMs = 250;

/** Measures for how long a thread's event loop has not turned, that is, has not read what it was sent. */
export class TurnWatch {
  readonly #thread: FlowThread;
  #turns: number;
  #lookedAt = 0;
  /** The number of the message that it has not read yet; 0: none was sent for this purpose. */
  #sent = 0;
  #stillMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
    this.#turns = thread.booted.words.turns;
  }

  /** For how many ms the loop has not turned, as far as is known. */
  get stillMs(): number {
    return this.#stillMs;
  }

  /** `busy`: its loop was busy since the last look. */
  look(now: number, busy: boolean): void {
    const elapsed = Math.min(mostMs, now - this.#lookedAt);
    const { turns } = this.#thread.booted.words;
    this.#lookedAt = now;
    if (turns !== this.#turns || !busy) {
      this.#turns = turns;
      this.#sent = 0;
      this.#stillMs = 0;
    } else if (this.#sent !== 0) this.#stillMs += elapsed;
    // A busy loop shows that it turns only when there is a message to read.
    else this.#sent = this.#thread.line.nudge();
  }
}
