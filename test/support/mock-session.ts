/** Test sessions for runs in this thread: makes of mocks as people write them what threads get. */
import {
  type ArmTask,
  callsWord,
  type Mock,
  type MockAction,
  type MockSet,
  type MockTarget,
  MockWord,
  mockWords,
  type RespondAction,
  type ThrowAction,
  usesWord,
} from "../../src/shared/mock.ts";

interface Does {
  readonly respond?: Omit<RespondAction, "kind">;
  readonly throw?: Partial<Omit<ThrowAction, "kind">>;
  readonly spy?: true;
}

export interface ShortMock extends Does, Partial<Pick<Mock, "when" | "times" | "after">> {
  readonly stepId?: string;
  readonly uri?: string;
  readonly sequence?: readonly Does[];
}

export interface TestSession extends ArmTask {
  /** Counts of calls by target, in the order in which mocks name the targets. */
  readonly calls: () => readonly number[];
  readonly uses: () => readonly number[];
  close(): void;
}

export function aSession(
  mocks: readonly ShortMock[],
  { own = true, mostRecorded = 1000 }: Partial<Pick<ArmTask, "own" | "mostRecorded">> = {},
): TestSession {
  const names = [...new Set(mocks.map(nameOf))];
  const targets = names.map((name): MockTarget => {
    const { stepId, uri } = mocks.find((mock) => nameOf(mock) === name) as ShortMock;
    return stepId === undefined ? { uri: uri as string } : { stepId };
  });
  const set: MockSet = { targets, mocks: mocks.map((mock) => whole(mock, names.indexOf(nameOf(mock)))) };
  const memory = mockWords(set);
  const words = new Int32Array(memory);
  words[MockWord.open] = 1;
  return {
    ...{ set, own, words: memory, mostRecorded },
    calls: () => targets.map((_, target) => words[callsWord(set, target)] as number),
    uses: () => mocks.map((_, mock) => words[usesWord(mock)] as number),
    close: () => Atomics.store(words, MockWord.open, 0),
  };
}

function nameOf({ stepId, uri }: ShortMock): string {
  return JSON.stringify([stepId, uri]);
}

function whole(mock: ShortMock, target: number): Mock {
  const { sequence, times = sequence?.length ?? 0, after = "passthrough", when } = mock;
  return { target, actions: (sequence ?? [mock]).map(actionOf), times, after, ...(when && { when }) };
}

function actionOf({ respond, throw: thrown }: Does): MockAction {
  if (respond !== undefined) return { kind: "respond", ...respond };
  if (thrown === undefined) return { kind: "spy" };
  return { kind: "throw", type: "java.lang.RuntimeException", message: "", ...thrown };
}
