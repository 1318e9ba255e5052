/** Shows a run on the canvas: what each step did, how long it took, and where the run failed. */
import type { NodeMark, NodeMarks } from "../editor/session/marks.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { words } from "../words.ts";
import { stepKeys } from "./step-keys.ts";
import { marksOf, type StepMark, type StepRun } from "./step-rows.ts";

export function showRun(session: EditorSession, stepRuns: readonly StepRun[]): void {
  const keys = stepKeys(session.get());
  const ran = marksOf(
    stepRuns,
    keys.map(({ stepId }) => stepId),
  );
  const marks = keys.flatMap(({ stepId, mark }): [string, NodeMark][] => {
    const one = ran.get(stepId);
    return one === undefined ? [] : [[mark, nodeMark(one)]];
  });
  session.marks.set(new Map(marks) as NodeMarks);
}

function nodeMark({ state, times, durationMs, mocked }: StepMark): NodeMark {
  if (state === "skipped") return { state, badges: [] };
  const tone = state === "failed" ? "bad" : "good";
  return {
    state,
    badges: [
      ...(mocked ? [{ text: words.runs.mocked, tone: "warn" as const, title: words.runs.mockedTitle }] : []),
      {
        text: times === 1 ? words.runs.ms(durationMs) : words.runs.timesIn(times, durationMs),
        tone,
        title: words.runs.stepTitle(words.runs.stepStates[state], times, durationMs),
      },
    ],
  };
}
