/** The tests of an open flow, which its companion file keeps. What the page does not know of them stays as it is. */

import type { Options } from "../../../shared/wire.ts";
import { isMap, setFlowOption } from "../editor/options/set-flow-option.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { readBody } from "../try/draft.ts";
import type { Sent } from "../try/send-message.ts";
import type { Expectation, FlowTest } from "./test-file.ts";

export function testsOf({ tests }: Options): readonly FlowTest[] {
  return Array.isArray(tests) ? tests.filter((test) => isMap(test) && typeof test["name"] === "string") : none;
}

const none: readonly FlowTest[] = [];

export function setTests(session: EditorSession, tests: readonly FlowTest[]): void {
  setFlowOption(session, "tests", tests.length === 0 ? undefined : tests.map(withoutNothing));
}

/** Adds a test at the end. @returns its name, which no other test has */
export function addTest(session: EditorSession, name: string, test: Omit<FlowTest, "name">): string {
  const tests = testsOf(session.get().options);
  const own = freeName(tests, name);
  setTests(session, [...tests, { name: own, ...test }]);
  return own;
}

/** The name, with a number when another test has it. */
export function freeName(tests: readonly FlowTest[], name: string): string {
  const taken = new Set(tests.map((one) => one.name));
  let own = name;
  for (let number = 2; taken.has(own); number += 1) own = `${name} ${number}`;
  return own;
}

/** What an answer was, as what later ones have to be. */
export function expectationOf({ answer, result, run }: Sent): Expectation {
  if (answer !== undefined) {
    // The runtime's answer for a run that failed names the run, which is another one each time.
    const isRuntimes = answer.status >= 500 && (run?.error ?? null) !== null;
    const isWhole = !answer.base64 && !answer.cut && !isRuntimes;
    return { status: answer.status, ...(isWhole && { body: readBody(answer.body) }) };
  }
  if (result === undefined) return {};
  return { status: result.status, ...(result.bodyEncoding === undefined && { body: result.body }) };
}

function withoutNothing(test: FlowTest): FlowTest {
  const { name, ...rest } = test;
  const given = Object.entries(rest).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { name, ...Object.fromEntries(given) };
}
