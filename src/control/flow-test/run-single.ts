/** Runs one test: opens a session, acts in it, and compares the result. */
import { pathFrom } from "../../shared/document-place.ts";
import type { OpenedSession, SessionReport } from "../runs/test-sessions/test-service.ts";
import { act } from "./act.ts";
import { type ApiClient, Refusal } from "./api-client.ts";
import { disappointments, type Got } from "./expectation.ts";
import { type FlowTest, placeIn, type TestFile } from "./test-file.ts";
import type { Path } from "./yaml-file.ts";

export interface TestOutcome {
  readonly status: "passed" | "failed" | "skipped";
  readonly durationMs: number;
  /** The failures, each with its place in the file. */
  readonly failures: readonly Failure[];
  /** Notes for people; they are not failures. */
  readonly notes: readonly string[];
  /** What the flow returned; absent: it was not called. */
  readonly got?: Got | undefined;
  /** true: `--update` may write the result into the `expect`. */
  readonly updates?: boolean | undefined;
}

export interface Failure {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** true: the failure is of `expect`, not of `assert` or of the call itself. */
  readonly expected?: boolean;
}

/** Runs a test. Throws Unreachable; refusals are failures of the test. */
export async function runTest(api: ApiClient, file: TestFile, test: FlowTest): Promise<TestOutcome> {
  const began = performance.now();
  const failures: Failure[] = [];
  const notes: string[] = [];
  const fail = (path: Path, message: string, expected = false): void => {
    failures.push({ ...placeIn(file, test, path), message, expected });
  };
  const unused: string[] = [];
  const got = await inSession(api, file, test, { fail, notes, unused });
  if (got !== undefined) {
    for (const { key, message } of disappointments(test.expect ?? {}, got, !judgesResult(test)))
      fail(key === "" ? [] : ["expect", key], message, true);
  }
  return {
    status: failures.length === 0 ? "passed" : "failed",
    durationMs: performance.now() - began,
    failures: failures.sort((one, other) => one.line - other.line),
    notes: failures.length === 0 ? notes : [...notes, ...unused],
    got,
    updates: got !== undefined && (test.expect === undefined || failures.some(({ expected }) => expected === true)),
  };
}

/** Whether an assertion is about how the run ends. */
function judgesResult({ assert = [] }: FlowTest): boolean {
  return assert.some((one) => typeof one === "object" && one !== null && "result" in one);
}

interface Judging {
  readonly fail: (path: Path, message: string) => void;
  readonly notes: string[];
  readonly unused: string[];
}

/** Acts in the session and returns the result; undefined: the flow was not called, and `fail` has the reason. */
async function inSession(api: ApiClient, file: TestFile, test: FlowTest, judging: Judging): Promise<Got | undefined> {
  const { fail, notes } = judging;
  const { name, mocks = [], assert = [], replaceFrom, recordedFrom, waitMs } = test;
  const wanted = { flowId: file.flow, name, scope: "session", mocks, assertions: assert, replaceFrom, recordedFrom };
  const session = await orRefusal(api.call<OpenedSession>("POST", "/test/session?strict=true", wanted), (message) => {
    for (const problem of problemsOf(message)) fail(problem.path, problem.message);
  });
  if (session === undefined) return undefined;
  notes.push(...(test.notes ?? []), ...session.warnings);
  const close = `/test/session/${session.sessionId}${waitMs === undefined ? "" : `?waitMs=${waitMs}`}`;
  try {
    return await orRefusal(act(api, session, test), (message) => fail([test.post ? "post" : "invoke"], message));
  } finally {
    const report = await orRefusal(api.call<SessionReport>("DELETE", close), (message) => fail([], message));
    if (report !== undefined) judge(report, judging);
  }
}

function judge({ assertions, stale, pending, unusedMocks }: SessionReport, { fail, notes, unused }: Judging): void {
  for (const [index, { passed, message }] of assertions.entries())
    if (passed !== true) fail(["assert", index], String(message));
  if (stale) fail([], "the flow was deployed anew, or removed, while the test ran");
  if (pending.length > 0)
    notes.push(`${pending.length} of its runs had not ended when the session was closed: 'waitMs' waits longer`);
  // A mock may be there to show that it is not called.
  unused.push(...unusedMocks.map((index) => `mock ${index} was not called`));
}

/** Splits the refusal of a session into its problems: `mocks[0].when.body: ...; assertions[1]: ...`. */
function problemsOf(message: string): { readonly path: Path; readonly message: string }[] {
  return message.split(/; (?=\/)/).map((problem) => {
    const [first, ...others] = pathFrom(problem.startsWith("/") ? (problem.split(": ", 1)[0] ?? "") : "");
    return {
      path: first === undefined ? [] : [first === "assertions" ? "assert" : first, ...others],
      message: problem,
    };
  });
}

async function orRefusal<Value>(asked: Promise<Value>, refused: (message: string) => void): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused(error.message);
    return undefined;
  }
}
