/**
 * What becomes of a run that was asked to stop and has not: its thread is terminated when the grace is over, and at once when it is known that
 * waiting changes nothing. The evidence for that is an event loop that does not turn. When another run keeps the thread busy, only the end of
 * this run is reported, and the thread goes on.
 */

import { figure, type Kill } from "../kill.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { ActiveRun } from "../line/thread-runs.ts";
import type { Priority } from "./priority.ts";

const tickMs = 5;

/** CPU time in one step, after the run was asked to stop, that shows that the step does not end by itself. */
const stuckCpuMs = 25;
/** From the cancel to the demotion: the evidence takes CPU time. */
const demoteMs = 50;

interface Parts {
  readonly thread: FlowThread;
  readonly turns: TurnWatch;
  readonly priority: Priority;
  /** From a cancel to the kill. */
  readonly graceMs: number;
}

export class Pursuit {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  /** The run that seems to be stuck in its step, and the CPU time of its thread when it was first seen so. */
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

  /** true: the thread has been killed for it. */
  #chase(slot: number, run: ActiveRun, now: number): boolean {
    const { thread, graceMs } = this.#parts;
    const { heartbeat } = thread.booted.words;
    const stuck = this.#stuck?.run === run && this.#stuck.usedMs >= stuckCpuMs && this.#seemsStuck(run);
    if (!stuck && now - run.cancelledAt <= graceMs) return false;
    const others = heartbeat !== slot && thread.runs.active.get(heartbeat) !== undefined;
    if (others && !thread.line.hasRead(run.cancelled)) {
      // Its thread has not come to read that it is to stop: what holds the thread is another run, which has limits of its own.
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
    // The word names one run: the one that is on the CPU.
    thread.runs.stop(heartbeat);
    if (!this.#seemsStuck(run)) this.#stuck = undefined;
    else if (this.#stuck?.run !== run) this.#stuck = { run, cpuMs: undefined, usedMs: 0 };
    else if (performance.now() - run.cancelledAt > demoteMs) priority.demote();
    const stuck = this.#stuck;
    if (stuck !== undefined) void thread.booted.sample().then((sample) => note(stuck, sample?.cpuMs));
  }

  /** Its loop has not turned since the run came, or for as long as the grace is, and not since it was asked to stop. */
  #seemsStuck(run: ActiveRun): boolean {
    const { thread, turns, graceMs } = this.#parts;
    if (run.cancelledAt === 0 || thread.line.hasRead(run.cancelled)) return false;
    return !thread.line.hasRead(run.message + 1) || turns.stillMs >= graceMs;
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

/** A pause of this process, or of the machine, is not the thread's: between two looks no more time than this counts. */
const mostMs = 250;

/** Measures for how long a thread's event loop has not turned, that is, has not read what it was sent. */
export class TurnWatch {
  readonly #thread: FlowThread;
  #turns: number;
  #lookedAt = 0;
  /** The message that it has not read yet, 0: none is needed. */
  #sent = 0;
  #stillMs = 0;

  constructor(thread: FlowThread) {
    this.#thread = thread;
    this.#turns = thread.booted.words.turns;
  }

  /** For how long it has not turned, in ms, as far as is known. */
  get stillMs(): number {
    return this.#stillMs;
  }

  /** `busy`: its loop has hardly been idle since the last look. */
  look(now: number, busy: boolean): void {
    const elapsed = Math.min(mostMs, now - this.#lookedAt);
    const { turns } = this.#thread.booted.words;
    this.#lookedAt = now;
    if (turns !== this.#turns || !busy) {
      this.#turns = turns;
      this.#sent = 0;
      this.#stillMs = 0;
    } else if (this.#sent !== 0) this.#stillMs += elapsed;
    // A loop that is sent nothing has nothing to turn for.
    else this.#sent = this.#thread.line.nudge();
  }
}
