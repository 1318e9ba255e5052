/** What the steps of a flow have done since one looks: counted from trace events, for the badges of the canvas. */
import type { TraceEvent } from "../../../../src/client/event-stream.ts";

export interface StepCounts {
  /** Times that it has ended, failures included. */
  readonly done: number;
  readonly failed: number;
  /** How many runs are in it now. */
  readonly running: number;
  /** Of the last times, in milliseconds; undefined: it has not ended yet. */
  readonly p95Ms: number | undefined;
  readonly lastError: string | undefined;
}

interface Counted {
  done: number;
  failed: number;
  lastError: string | undefined;
  /** The last durations, the oldest overwritten first. */
  durations: number[];
  /** What was read last; undefined: something has changed since. */
  read: StepCounts | undefined;
}

/** Durations from which the p95 is computed. */
const mostDurations = 200;
/** Runs whose present step is known: those whose end was lost with dropped events go first. */
const mostRuns = 2000;

export class StepCounters {
  readonly #steps = new Map<string, Counted>();
  /** The steps that each run is in, the innermost last. */
  readonly #runs = new Map<string, string[]>();
  readonly #running = new Map<string, number>();

  /** @returns ids of the steps whose counts have changed */
  take(events: readonly TraceEvent[]): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const event of events) {
      const { type, stepId, runId } = event;
      if (type.startsWith("run.")) {
        if (runId !== undefined) for (const step of this.#leaveAll(runId)) changed.add(step);
      } else if (stepId !== undefined && type.startsWith("step.")) {
        changed.add(stepId);
        if (type === "step.started") this.#enter(runId, stepId);
        else this.#end(event, stepId);
      }
    }
    for (const id of changed) this.#of(id).read = undefined;
    return changed;
  }

  get(stepId: string): StepCounts | undefined {
    const step = this.#steps.get(stepId);
    if (step === undefined) return undefined;
    const { done, failed, lastError, durations } = step;
    step.read ??= {
      done,
      failed,
      lastError,
      running: this.#running.get(stepId) ?? 0,
      p95Ms: percentile(durations, 0.95),
    };
    return step.read;
  }

  ids(): readonly string[] {
    return [...this.#steps.keys()];
  }

  /** The steps that a run is in now, the innermost last. */
  stepsOf(runId: string): readonly string[] {
    return this.#runs.get(runId) ?? [];
  }

  clear(): void {
    this.#steps.clear();
    this.#runs.clear();
    this.#running.clear();
  }

  #of(id: string): Counted {
    const known = this.#steps.get(id);
    if (known !== undefined) return known;
    const fresh: Counted = { done: 0, failed: 0, lastError: undefined, durations: [], read: undefined };
    this.#steps.set(id, fresh);
    return fresh;
  }

  #enter(runId: string | undefined, stepId: string): void {
    if (runId === undefined) return;
    const inside = this.#runs.get(runId) ?? [];
    inside.push(stepId);
    this.#runs.set(runId, inside);
    this.#running.set(stepId, (this.#running.get(stepId) ?? 0) + 1);
    if (this.#runs.size <= mostRuns) return;
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined) for (const id of this.#leaveAll(oldest)) this.#of(id).read = undefined;
  }

  #end({ type, runId, durationMs, error }: TraceEvent, stepId: string): void {
    const step = this.#of(stepId);
    step.done += 1;
    if (durationMs !== undefined) step.durations[(step.done - 1) % mostDurations] = durationMs;
    if (type === "step.failed") {
      step.failed += 1;
      step.lastError = error === undefined ? undefined : `${error.type}: ${error.message}`;
    }
    const inside = runId === undefined ? undefined : this.#runs.get(runId);
    const at = inside?.lastIndexOf(stepId) ?? -1;
    if (at === -1) return;
    inside?.splice(at, 1);
    this.#leave(stepId);
  }

  #leaveAll(runId: string): readonly string[] {
    const inside = this.#runs.get(runId) ?? [];
    this.#runs.delete(runId);
    for (const id of inside) this.#leave(id);
    return inside;
  }

  #leave(stepId: string): void {
    this.#running.set(stepId, Math.max(0, (this.#running.get(stepId) ?? 0) - 1));
  }
}

/** The nearest rank; holes of the list do not count. */
function percentile(values: readonly number[], part: number): number | undefined {
  const inOrder = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  return inOrder[Math.max(0, Math.ceil(inOrder.length * part) - 1)];
}
