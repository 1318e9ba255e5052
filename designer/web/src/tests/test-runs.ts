/** Outcomes of the tests of an open flow: kept while another panel is shown. */
import type { EditorSession } from "../editor/session/session.ts";
import type { Sent } from "../try/send-message.ts";
import { sendTo } from "../try/try-state.ts";
import { createStore, type Store } from "../ui/store.ts";
import type { FlowTest } from "./test-file.ts";

export interface TestRun {
  readonly isRunning: boolean;
  readonly sent: Sent | undefined;
  /** Why it could not be run. */
  readonly error: unknown;
}

/** By the name of the test. */
export type TestRuns = ReadonlyMap<string, TestRun>;

const known = new WeakMap<EditorSession, Store<TestRuns>>();

export function testRunsOf(session: EditorSession): Store<TestRuns> {
  const store = known.get(session) ?? createStore<TestRuns>(new Map());
  known.set(session, store);
  return store;
}

/** One after the other: tests of one flow may meet in what it keeps. */
export async function runTests(session: EditorSession, target: string, tests: readonly FlowTest[]): Promise<void> {
  const store = testRunsOf(session);
  const set = (name: string, run: TestRun): void => store.set((before) => new Map([...before, [name, run]]));
  for (const test of tests) {
    set(test.name, { isRunning: true, sent: undefined, error: undefined });
    try {
      set(test.name, { isRunning: false, sent: await sendTo(target, session.id, test), error: undefined });
    } catch (error) {
      set(test.name, { isRunning: false, sent: undefined, error });
    }
  }
}

/** A test has another name: its outcome goes along. */
export function renameRun(session: EditorSession, from: string, to: string): void {
  testRunsOf(session).set((before) => new Map([...before].map(([name, run]) => [name === from ? to : name, run])));
}

/** What does not hold, in sentences. */
export function failuresOf({ report }: Sent): readonly string[] {
  return report.assertions
    .filter(({ passed }) => passed !== true)
    .map(({ message }) => (typeof message === "string" ? message : ""));
}
