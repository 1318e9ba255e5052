/** One run of many, shown step by step: the next one is taken a moment after it has ended. */
import type { TraceEvent } from "../../../../src/client/event-stream.ts";

/** How long a run that has ended stays, in milliseconds of the events' clock. */
const staysMs = 1500;

export interface FollowedStep {
  readonly state: "running" | "ok" | "failed";
  readonly times: number;
  readonly durationMs: number;
}

export class FollowedRun {
  #id: string | undefined;
  /** When it ended; undefined: it is under way. */
  #endedAt: number | undefined;
  #steps = new Map<string, FollowedStep>();

  get id(): string | undefined {
    return this.#id;
  }

  /** In the order in which the run came to them. */
  get steps(): ReadonlyMap<string, FollowedStep> {
    return this.#steps;
  }

  take(events: readonly TraceEvent[]): void {
    for (const event of events) {
      if (event.type === "run.started") this.#begin(event);
      else if (event.runId === undefined || event.runId !== this.#id) continue;
      else if (event.type.startsWith("run.")) this.#endedAt = Date.parse(event.ts);
      else if (event.stepId !== undefined) this.#step(event, event.stepId);
    }
  }

  clear(): void {
    this.#id = undefined;
    this.#endedAt = undefined;
    this.#steps = new Map();
  }

  #begin({ runId, ts }: TraceEvent): void {
    const isFree = this.#id === undefined || (this.#endedAt ?? Number.POSITIVE_INFINITY) + staysMs < Date.parse(ts);
    if (!isFree || runId === undefined) return;
    this.clear();
    this.#id = runId;
  }

  #step({ type, durationMs = 0 }: TraceEvent, stepId: string): void {
    const before = this.#steps.get(stepId) ?? { times: 0, durationMs: 0 };
    if (type === "step.started") {
      this.#steps.set(stepId, { state: "running", times: before.times + 1, durationMs: before.durationMs });
    } else if (type === "step.completed" || type === "step.failed") {
      const state = type === "step.failed" ? "failed" : "ok";
      this.#steps.set(stepId, { ...before, state, durationMs: before.durationMs + durationMs });
    }
  }
}
