/**
 * What becomes of a run that was asked to stop and has not: its thread is terminated when the grace is over, and at once when it is known that
 * waiting changes nothing. A run that only waits for a thread that is busy with others is told its end, and costs nobody the thread.
 */

import { figure, type Kill } from "../kill.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { ActiveRun } from "../line/thread-runs.ts";
import type { Priority } from "./priority.ts";
import type { TurnWatch } from "./turn-watch.ts";

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
