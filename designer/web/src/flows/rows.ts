/** The flows of the workspace and of a runtime as one list. */
import { nameIn } from "../../../shared/description.ts";
import type { FlowEntry } from "../../../shared/wire.ts";
import type { Schemas } from "../api/runtime.ts";
import { type Mappings, stateWith } from "../mappings/state.ts";
import { type FlowState, isRefused, stateOf } from "./state.ts";

type Summary = Schemas["FlowSummary"];
type Problem = NonNullable<Schemas["Health"]["problems"]>[number];

/** How a flow does on the runtime; what is worse comes later. */
export const healths = ["none", "good", "resting", "failing", "bad"] as const;
export type Health = (typeof healths)[number];

export interface FlowRow {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** undefined: the flow is on the runtime only. */
  readonly state: FlowState | undefined;
  /** false: the runtime does not answer, and the state is what it was when it was last seen. */
  readonly isKnown: boolean;
  readonly health: Health;
  /** The runtime's word for it, such as Started. */
  readonly status: string | undefined;
  /** What is wrong: on the disk, or on the runtime. */
  readonly problem: string | undefined;
  readonly perMinute: number | undefined;
  /** Runs that failed, ran out of time or were killed, since the runtime's start. */
  readonly errors: number | undefined;
  readonly modified: string | undefined;
  readonly entry: FlowEntry | undefined;
  readonly running: Summary | undefined;
}

/** Whether it is a flow, and no file of another name or one that cannot be read. */
export function isUsable({ entry }: FlowRow): boolean {
  return entry === undefined || entry.hash !== "";
}

interface Sources {
  readonly target: string | undefined;
  readonly entries: readonly FlowEntry[];
  /** undefined: the runtime does not answer. */
  readonly summaries: readonly Summary[] | undefined;
  readonly problems: readonly Problem[];
  /** Those that the flows name. */
  readonly mappings: Mappings;
  readonly perMinute: (id: string) => number | undefined;
}

export function rowsOf({
  target,
  entries,
  summaries: asked,
  problems,
  mappings,
  perMinute,
}: Sources): readonly FlowRow[] {
  const summaries = asked ?? [];
  const known = new Map(summaries.map((summary) => [summary.id, summary]));
  const kept = new Set(entries.map(({ id }) => id));
  const row = (id: string, entry: FlowEntry | undefined): FlowRow => {
    const summary = known.get(id);
    const failing = problems.find(({ flowId, code }) => flowId === id && code === "failing_route");
    const deployed = target === undefined ? undefined : entry?.deployed[target];
    const refused = target === undefined ? undefined : entry?.failed[target];
    const running = asked === undefined ? "unknown" : summary;
    const own = entry && stateOf({ kept: entry, running, deployed, failed: refused });
    const state = own && stateWith(own, mappings, entry.mappings);
    const isShown = state === "Failed" && entry !== undefined && isRefused(entry, refused);
    return {
      id,
      // A runtime's flow has no name of its own: its description begins with what the designer shows as one.
      name: entry?.name ?? nameIn(summary?.description) ?? id,
      category: entry?.category ?? summary?.category ?? "",
      state,
      isKnown: asked !== undefined || target === undefined,
      health: healthOf(summary, failing),
      status: summary?.state,
      problem: entry?.problem ?? summary?.error ?? (isShown ? refused?.reason : failing?.message),
      perMinute: summary && perMinute(id),
      errors: summary?.usage && errorsOf(summary.usage),
      modified: entry?.modified ?? summary?.lastModified,
      entry,
      running: summary,
    };
  };
  return [
    ...entries.map((entry) => row(entry.id, entry)),
    ...summaries.filter(({ id }) => !kept.has(id)).map(({ id }) => row(id, undefined)),
  ];
}

/** All runs that have ended, by flow. */
export function runCounts(summaries: readonly Summary[]): ReadonlyMap<string, number> {
  return new Map(
    summaries.flatMap(({ id, usage }) =>
      usage === undefined ? [] : [[id, Object.values(usage.runs).reduce((sum, count) => sum + count, 0)]],
    ),
  );
}

function errorsOf({ runs }: Schemas["FlowUsage"]): number {
  return runs.failed + runs.timeout + runs.killed;
}

function healthOf(summary: Summary | undefined, failing: Problem | undefined): Health {
  if (summary === undefined) return "none";
  if (summary.state === "Failed" || summary.state === "Quarantined") return "bad";
  if (failing !== undefined) return "failing";
  return summary.state === "Stopped" || summary.state === "Stopping" ? "resting" : "good";
}
