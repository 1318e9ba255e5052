/** What the canvas shows while the flow is watched: counts of each step, or one run on its way. */
import type { Badge, NodeMark, NodeMarks } from "../editor/session/marks.ts";
import type { StepKey } from "../runs/step-keys.ts";
import { words } from "../words.ts";
import type { StepCounters, StepCounts } from "./counters.ts";
import type { FollowedRun, FollowedStep } from "./followed-run.ts";

/** A mark stays the same object until its counts change: its node is not drawn again. */
const marks = new WeakMap<StepCounts | FollowedStep, NodeMark>();

export function markCounts(keys: readonly StepKey[], counters: StepCounters): NodeMarks {
  return marksFor(keys, (id) => counters.get(id), countsMark);
}

export function markRun(keys: readonly StepKey[], { steps }: FollowedRun): NodeMarks {
  return marksFor(keys, (id) => steps.get(id), runMark);
}

function marksFor<T extends StepCounts | FollowedStep>(
  keys: readonly StepKey[],
  read: (stepId: string) => T | undefined,
  make: (one: T) => NodeMark,
): NodeMarks {
  const all = new Map<string, NodeMark>();
  for (const { stepId, mark: key } of keys) {
    const one = read(stepId);
    if (one === undefined) continue;
    const mark = marks.get(one) ?? make(one);
    marks.set(one, mark);
    all.set(key, mark);
  }
  return all;
}

function countsMark({ done, failed, running, p95Ms, lastError }: StepCounts): NodeMark {
  const badges: Badge[] = [];
  if (running > 0)
    badges.push({ text: words.live.inside(running), tone: "plain", title: words.live.insideTitle(running) });
  if (done > 0) badges.push({ text: words.live.count(done), tone: "plain", title: words.live.countTitle(done) });
  if (failed > 0)
    badges.push({
      text: words.live.failed(failed),
      tone: "bad",
      title: words.live.failedTitle(failed, lastError ?? ""),
    });
  if (p95Ms !== undefined)
    badges.push({ text: words.live.p95(words.runs.ms(p95Ms)), tone: "plain", title: words.live.p95Title(p95Ms) });
  return { ...(running > 0 && { state: "running" as const }), badges };
}

function runMark({ state, times, durationMs }: FollowedStep): NodeMark {
  if (state === "running") return { state, badges: [] };
  const text = times === 1 ? words.runs.ms(durationMs) : words.runs.timesIn(times, durationMs);
  const title = words.runs.stepTitle(words.runs.stepStates[state], times, durationMs);
  return { state, badges: [{ text, tone: state === "failed" ? "bad" : "good", title }] };
}
