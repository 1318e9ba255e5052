/** Shows on the canvas which steps the tests come to. */
import type { NodeMark } from "../editor/session/marks.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { stepKeys } from "../runs/step-keys.ts";
import { words } from "../words.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import { testsOf } from "./flow-tests.ts";
import type { TestRuns } from "./test-runs.ts";

/** Of the tests that have been run, and are still there. */
export function coverageNow(session: EditorSession, runs: TestRuns): Coverage {
  const names = new Set(testsOf(session.get().options).map(({ name }) => name));
  const there = [...runs].filter(([name]) => names.has(name));
  const ran = there.map(
    ([name, { sent }]) => [name, new Set((sent?.run?.stepRuns ?? []).map(({ id }) => id))] as const,
  );
  return coverageOf(
    stepKeys(session.get()).map(({ stepId }) => stepId),
    new Map(ran),
  );
}

export function markCoverage(session: EditorSession, { by }: Coverage): void {
  const marks = stepKeys(session.get()).map(({ stepId, mark }): [string, NodeMark] => {
    const names = by.get(stepId) ?? [];
    if (names.length === 0) return [mark, { state: "skipped", badges: [] }];
    const title = words.tests.coveredBy(names.join(", "));
    return [mark, { state: "ok", badges: [{ text: words.tests.times(names.length), tone: "good", title }] }];
  });
  session.marks.set(new Map(marks));
}
