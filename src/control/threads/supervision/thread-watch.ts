/** Watches one thread: what its runs use of time, CPU and memory; cancels runs and kills the thread when that is too much. */

import type { LoopTimes, ThreadSample } from "../booted-thread.ts";
import { cpuLimit, type Kill, memoryLimit, memoryUnanswered, stuckLoop, wallTime } from "../kill.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import type { ActiveRun, ThreadWatcher } from "../line/thread-runs.ts";
import { DeadlineTimer } from "../waiting.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { Priority } from "./priority.ts";
import { Pursuit, TurnWatch } from "./pursuit.ts";

/** The share of the time in which the loop was not idle, from which on a thread counts as busy, and a sample is worth its cost. */
const hot = 0.5;
/** A less busy thread is sampled when it has worked for `workedMs` since the last sample, or for `someMs` and a second has passed. */
const workedMs = 100;
const someMs = 2;
const seldomMs = 1000;
/** A sample that is missing after this time shows native code, or an allocation that does not end. */
const nativeMs = 300;
const unansweredMs = 1000;

interface Parts {
  /** The time from a cancel to the kill. */
  readonly graceMs: number;
  /** Called when the thread is to be examined in each sweep from now on. */
  woke(watch: ThreadWatch): void;
  killed(thread: FlowThread): void;
}

export class ThreadWatch implements ThreadWatcher {
  readonly #thread: FlowThread;
  readonly #deadlines: DeadlineTimer;
  readonly #turns: TurnWatch;
  readonly #priority: Priority;
  readonly #memory: MemoryWatch;
  readonly #pursuit: Pursuit;
  readonly #parts: Parts;
  /** true: it is examined in each sweep. */
  awake = false;
  #loop: LoopTimes | undefined;
  #lookedAt = performance.now();
  #rankedAt = performance.now();
  #hot = false;
  /** Since the last sample, in ms: for how long its loop was not idle, and how much time has passed. */
  #worked = 0;
  #elapsed = 0;
  #cpuMs = 0;
  #activeMs = 0;
  /** The share of the time between the last two samples in which its loop was not idle. */
  #share = 0;
  /** When the sample was requested that has not arrived yet; 0: none is missing. */
  #asked = 0;

  constructor(thread: FlowThread, parts: Parts) {
    const { graceMs } = parts;
    this.#thread = thread;
    this.#parts = parts;
    this.#deadlines = new DeadlineTimer((now) => this.#due(now));
    this.#turns = new TurnWatch(thread);
    this.#priority = new Priority(thread);
    this.#memory = new MemoryWatch(thread);
    this.#pursuit = new Pursuit({ thread, graceMs, turns: this.#turns, priority: this.#priority });
    this.#loop = thread.booted.loop();
  }

  /** Whether it needs to be examined in each sweep. */
  get lively(): boolean {
    return this.#thread.runs.active.size > 0 || this.#hot || this.#priority.demoted || this.#asked !== 0;
  }

  /** Whether it needs to be examined more often than that, since its memory grows. */
  get close(): boolean {
    return this.#memory.close && this.lively;
  }

  expects(deadline: number): void {
    if (!this.awake) this.#wake();
    this.#deadlines.expect(deadline);
  }

  late(): void {
    this.#pursuit.begin();
  }

  killed(): void {
    this.stop();
    this.#parts.killed(this.#thread);
  }

  stop(): void {
    this.#deadlines.stop();
    this.#pursuit.stop();
  }

  /** `now`: performance.now() */
  look(now: number): void {
    const elapsed = now - this.#lookedAt;
    this.#lookedAt = now;
    const worked = this.#workedSince(elapsed);
    const share = elapsed > 0 ? worked / elapsed : 0;
    const unknown = this.#loop === undefined && this.#thread.runs.active.size > 0;
    this.#worked += worked;
    this.#elapsed += elapsed;
    this.#hot = share > hot;
    if (this.#hot && !this.awake) this.#wake();
    this.#turns.look(now, this.#hot);
    if (this.#turns.stillMs >= this.#thread.owner.limits.stuckLoopMs) this.#stuck();
    if (this.#thread.over) return;
    if (this.#asked !== 0) this.#unanswered(now);
    else if (this.#hot || this.close || unknown || this.#worthASample) this.#ask(now);
    if (!this.#hot && !unknown) this.#rank(now, share, share);
  }

  #wake(): void {
    this.awake = true;
    this.#parts.woke(this);
  }

  get #worthASample(): boolean {
    return this.#worked > workedMs || (this.#worked > someMs && this.#elapsed >= seldomMs);
  }

  /** Returns for how long its loop was not idle. Where only samples have these times, the share before the last sample counts, and a thread that does not answer is busy. */
  #workedSince(elapsed: number): number {
    const loop = this.#thread.booted.loop();
    if (loop === undefined) {
      const silent = this.#asked !== 0 && this.#lookedAt - this.#asked > nativeMs;
      return this.#thread.runs.active.size > 0 ? (silent ? elapsed : this.#share * elapsed) : 0;
    }
    const worked = loop.activeMs - (this.#loop?.activeMs ?? 0);
    this.#loop = loop;
    return Math.min(worked, elapsed);
  }

  #ask(now: number): void {
    this.#asked = now;
    this.#memory.asking();
    void this.#thread.booted.sample().then((sample) => {
      this.#asked = 0;
      if (sample !== undefined && !this.#thread.over) this.#judge(sample, performance.now());
    });
  }

  #judge(sample: ThreadSample, now: number): void {
    if (this.#loop === undefined) this.#worked = Math.min(this.#elapsed, sample.activeMs - this.#activeMs);
    const used = Math.max(0, Math.min(sample.cpuMs - this.#cpuMs, this.#worked));
    this.#share = this.#elapsed > 0 ? this.#worked / this.#elapsed : 0;
    if ((this.#hot || this.#loop === undefined) && this.#elapsed > 0)
      this.#rank(now, used / this.#elapsed, this.#share);
    this.#cpuMs = sample.cpuMs;
    this.#activeMs = sample.activeMs;
    this.#worked = 0;
    this.#elapsed = 0;
    this.#charge(used);
    if (!this.#thread.over && this.#memory.exceeds(sample, now))
      this.#kill(memoryLimit(this.#thread.owner.limits, this.#memory.bytes));
  }

  /** Charges CPU time to the run whose step was entered last. */
  #charge(usedMs: number): void {
    const { limits } = this.#thread.owner;
    const slot = this.#thread.booted.words.heartbeat;
    const run = this.#thread.runs.active.get(slot);
    if (run === undefined || run.reported) return;
    run.cpuMs += usedMs;
    if (run.cpuMs > limits.runCpuMs) this.#thread.runs.exceed(slot, run, cpuLimit(limits, run.cpuMs));
  }

  #rank(now: number, cpu: number, loop: number): void {
    this.#priority.look(now - this.#rankedAt, cpu, loop);
    this.#rankedAt = now;
  }

  #unanswered(now: number): void {
    const waited = now - this.#asked;
    if (waited > nativeMs) this.#priority.demote();
    const { limits } = this.#thread.owner;
    const bytes = this.#memory.bytes + this.#thread.booted.grownBytes();
    const over = waited > nativeMs && bytes > limits.workerMemoryBytes;
    if (over || (waited > unansweredMs && this.#memory.growing)) this.#kill(memoryUnanswered(limits, bytes, waited));
  }

  #stuck(): void {
    const slot = this.#thread.booted.words.heartbeat;
    const run = this.#thread.runs.active.get(slot);
    const kill = stuckLoop(this.#thread.owner.limits, this.#turns.stillMs);
    if (run === undefined || run.reported) this.#kill(kill);
    else this.#thread.runs.exceed(slot, run, kill);
  }

  #kill(kill: Kill): void {
    const run: ActiveRun | undefined = this.#thread.runs.active.get(this.#thread.booted.words.heartbeat);
    if (run !== undefined && !run.reported && run.exceeded === undefined) run.invocation.exceeded(kill);
    this.#thread.kill(kill, run);
  }

  /** Cancels the runs whose deadline has passed; returns the next deadline. `now` in epoch milliseconds. */
  #due(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [slot, run] of this.#thread.runs.active.entries()) {
      const { deadline } = run.invocation;
      if (run.reported) continue;
      if (now < deadline) next = Math.min(next, deadline);
      else if (run.exceeded === undefined) this.#thread.runs.exceed(slot, run, wallTime());
    }
    return next;
  }
}
