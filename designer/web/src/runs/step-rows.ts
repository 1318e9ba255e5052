/** The steps of a run as rows in the order in which they began, and as marks of the steps on the canvas. */
import type { components } from "../../../../src/client/openapi.ts";
import { type Effect, effectOf } from "./messages.ts";

type Run = components["schemas"]["RunDetail"];
export type StepRun = Run["stepRuns"][number];

export interface StepRow {
  /** Its place among the rows, from 0: a step in a loop has several. */
  readonly index: number;
  readonly step: StepRun;
  /** Since the run began. */
  readonly afterMs: number;
  readonly effect: Effect;
  /** What the other side has answered, on the step that the run failed in. */
  readonly answer: NonNullable<Run["error"]>["detail"];
}

export function rowsOf({
  startedAt,
  stepRuns,
  error,
}: Pick<Run, "startedAt" | "stepRuns" | "error">): readonly StepRow[] {
  const began = Date.parse(startedAt);
  const failed = stepRuns.findLastIndex(({ id, status }) => status === "failed" && id === error?.stepId);
  return stepRuns
    .map((step, at) => ({
      step,
      afterMs: Math.max(0, Date.parse(step.start) - began),
      effect: effectOf(step.in, step.out, step.sameBody),
      answer: at === failed ? error?.detail : undefined,
    }))
    .sort((a, b) => a.afterMs - b.afterMs)
    .map((row, index) => ({ ...row, index }));
}

export interface StepMark {
  readonly state: "ok" | "failed" | "skipped";
  /** How often the run came to it. */
  readonly times: number;
  readonly durationMs: number;
  readonly mocked: boolean;
}

/** By step id; `stepIds`: all steps of the flow, of which those that the run did not come to are skipped. */
export function marksOf(stepRuns: readonly StepRun[], stepIds: readonly string[]): ReadonlyMap<string, StepMark> {
  const marks = new Map<string, StepMark>(
    stepIds.map((id) => [id, { state: "skipped", times: 0, durationMs: 0, mocked: false }]),
  );
  for (const { id, status, duration, mocked } of stepRuns) {
    const before = marks.get(id);
    marks.set(id, {
      state: status === "failed" || before?.state === "failed" ? "failed" : "ok",
      times: (before?.times ?? 0) + 1,
      durationMs: (before?.durationMs ?? 0) + duration,
      mocked: mocked || before?.mocked === true,
    });
  }
  return marks;
}
