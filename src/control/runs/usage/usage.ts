/** Usage by flow, kept in memory: sampled while something works, reported by period. */
import type { FlowDetail, FlowUsage, FlowUsages } from "../../flows/flow-service.ts";
import { within } from "../../threads/waiting.ts";
import type { FlowStats } from "../flow-stats.ts";
import { hourMs, hoursMs, minuteMs, minutesMs, usageCounters, usageWidth } from "./flow-periods.ts";
import { type FlowNow, flowUsage, type UsageEntry, type UsageGroup, usageEntries } from "./usage-document.ts";

/** How often working threads are sampled; minutes and hours begin with a sample. */
const lookMs = 10_000;
/** How long to wait for the threads' figures: threads in native code do not answer. */
const refreshMs = 500;

/** How many flows are summed up in one turn of the main loop. */
const togetherFlows = 100;

export interface UsageParts {
  /** Counts by flow id; deleted flows stay as long as they have usage. */
  readonly flows: Map<string, FlowStats>;
  /** How many deleted flows are kept. */
  readonly mostGone: number;
  now(flowId: string): FlowNow;
}

export interface UsageQuery {
  readonly groupBy: UsageGroup;
  /** Epoch ms; absent: as far back as there are counts. */
  readonly since?: number | undefined;
}

export interface UsageReport {
  readonly groupBy: UsageGroup;
  /** The time that the report really covers, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
  readonly resolution: "minute" | "hour";
  readonly usage: readonly UsageEntry[];
}

export class Usage implements FlowUsages {
  readonly #parts: UsageParts;
  readonly #startedAt: number;
  /** The time (epoch ms) up to which counters are in periods. */
  #takenAt: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #counters = new Float64Array(usageCounters.length);

  constructor(parts: UsageParts, startedAt = Date.now()) {
    this.#parts = parts;
    this.#startedAt = startedAt;
    this.#takenAt = startedAt;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Refreshes the figures of the threads of one flow, or of all that have worked. */
  async refresh(flowId?: string): Promise<void> {
    const one = flowId === undefined ? undefined : this.#parts.flows.get(flowId);
    const flows = flowId === undefined ? this.#parts.flows.values() : one === undefined ? [] : [one];
    const looks = [...flows].flatMap(({ threads }) => [...threads.keys()].map((thread) => thread.look()));
    await within(refreshMs, Promise.all(looks));
  }

  async report({ groupBy, since }: UsageQuery): Promise<UsageReport> {
    await this.refresh();
    const to = Date.now();
    this.take(to);
    const from = Math.max(this.#startedAt, Math.min(since ?? 0, to), to - hoursMs + hourMs);
    const byMinute = from > to - minutesMs;
    const stepMs = byMinute ? minuteMs : hourMs;
    const begin = Math.max(this.#startedAt, from - (from % stepMs));
    const periods: [string, FlowStats, Float64Array][] = [];
    for (const [index, [flowId, stats]] of [...this.#parts.flows].entries()) {
      // Lets the main loop do other work.
      if (index % togetherFlows === togetherFlows - 1) await new Promise((resolve) => setImmediate(resolve));
      const sum = new Float64Array(usageWidth);
      stats.periods.sum(byMinute, begin, to, sum);
      if (stats.installed || sum.some((value) => value > 0)) periods.push([flowId, stats, sum]);
    }
    return {
      groupBy,
      from: new Date(begin).toISOString(),
      to: new Date(to).toISOString(),
      resolution: byMinute ? "minute" : "hour",
      usage: usageEntries(groupBy, periods, this.#parts.now),
    };
  }

  of(flowId: string): FlowUsage {
    return flowUsage(this.#parts.flows.get(flowId), this.#parts.now(flowId));
  }

  lastKill(flowId: string): FlowDetail["lastKill"] {
    const kill = this.#parts.flows.get(flowId)?.lastKill;
    if (kill === undefined) return undefined;
    const { reason, detail, at, excess } = kill;
    const limit = excess && { name: excess.limit, allowed: excess.allowed, used: excess.used };
    return { reason, detail, at: new Date(at).toISOString(), ...(limit && { limit }) };
  }

  /** Adds what the counters have gained since the last call to the period that was under way then. */
  take(now: number): void {
    const at = this.#takenAt;
    this.#takenAt = now;
    const monotonic = performance.now();
    for (const stats of this.#parts.flows.values()) {
      stats.live(monotonic);
      if (stats.counters(this.#counters)) stats.periods.take(at, this.#counters, stats.memory);
    }
  }

  #look(): void {
    const now = Date.now();
    this.take(now);
    this.#forget(now);
    void this.refresh();
  }

  /** Forgets deleted flows without usage; when there are too many, the earliest ones. */
  #forget(now: number): void {
    const { flows, mostGone } = this.#parts;
    const gone: string[] = [];
    for (const [flowId, { installed, periods, threads }] of flows) {
      const over = periods.forget(now);
      if (installed || threads.size > 0) continue;
      if (over) flows.delete(flowId);
      else gone.push(flowId);
    }
    for (const flowId of gone.slice(0, Math.max(0, gone.length - mostGone))) flows.delete(flowId);
  }

  #schedule(): void {
    this.#timer = setTimeout(
      () => {
        this.#look();
        this.#schedule();
      },
      lookMs - (Date.now() % lookMs),
    ).unref();
  }
}
