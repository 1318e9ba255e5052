/** Runs one test: opens a session, acts in it, and compares the result. */
import { pathFrom } from "../../shared/document-place.ts";
import { parseExactly } from "../../shared/exact-json.ts";
import { type DocumentProblem, formatProblem } from "../../shared/problems.ts";
import type { InvokeAnswer, OpenedSession, SessionReport } from "../runs/test-sessions/test-service.ts";
import { type ApiClient, Refusal } from "./api-client.ts";
import { disappointments, type Got, type RunError } from "./expectation.ts";
import { type FlowTest, placeIn, type TestFile } from "./test-file.ts";
import type { PostDocument } from "./test-schema.ts";
import type { Path } from "./yaml-file.ts";

export interface TestOutcome {
  readonly status: "passed" | "failed" | "skipped";
  readonly durationMs: number;
  /** The failures, each with its place in the file. */
  readonly failures: readonly Failure[];
  /** Notes for the tester; they are not failures. */
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
  const session = await opened(api, wanted, fail);
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

/** Opens the test's session; undefined: it is refused, and `fail` has the problems. */
async function opened(api: ApiClient, wanted: object, fail: Judging["fail"]): Promise<OpenedSession | undefined> {
  try {
    return await api.call<OpenedSession>("POST", "/test/session?strict=true", wanted);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problems = error.code === "session_invalid" ? await problemsOf(api, wanted) : [];
    for (const problem of problems) fail(placeOf(problem), formatProblem(problem));
    if (problems.length === 0) fail([], error.message);
    return undefined;
  }
}

/** Returns all problems of a session that is refused; none: the runtime does not list them. */
async function problemsOf(api: ApiClient, wanted: object): Promise<readonly DocumentProblem[]> {
  const path = "/test/validate?strict=true";
  const asked = api.call<{ readonly problems: readonly DocumentProblem[] }>("POST", path, wanted);
  return (await orRefusal(asked, () => {}))?.problems ?? [];
}

/** Returns a problem's path within the test, where a session's assertions are called `assert`. */
function placeOf({ pointer }: DocumentProblem): Path {
  const [first, ...others] = pathFrom(pointer);
  return first === undefined ? [] : [first === "assertions" ? "assert" : first, ...others];
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

/** Performs a test's action: `invoke` a route of its flow, or send a request to it. */
async function act(api: ApiClient, session: OpenedSession, { invoke, post }: FlowTest): Promise<Got> {
  if (post !== undefined) return request(api, session, post);
  const { sessionId } = session;
  const answer = await api.call<InvokeAnswer>("POST", "/test/invoke", { sessionId, ...invoke });
  return { status: answer.status, headers: answer.headers, body: answer.body, error: answer.error };
}

async function request(api: ApiClient, session: OpenedSession, post: PostDocument): Promise<Got> {
  const headers = new Headers({ [session.header]: session.sessionId });
  const body = bodyOf(post, headers);
  for (const [name, value] of Object.entries(post.headers ?? {})) headers.set(name, String(value));
  const answer = await api.request(post.path, {
    method: post.method ?? "POST",
    headers,
    ...(body !== undefined && { body }),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const runId = answer.headers.get("x-run-id");
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: readBody(bytes, answer.headers.get("content-type") ?? ""),
    error: runId === null ? null : await errorOf(api, runId),
  };
}

function bodyOf({ body, bodyBase64 }: PostDocument, headers: Headers): string | Buffer<ArrayBuffer> | undefined {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, "base64");
  if (body === undefined || typeof body === "string") return body;
  headers.set("Content-Type", "application/json");
  return JSON.stringify(body);
}

async function errorOf(api: ApiClient, runId: string): Promise<RunError | null> {
  const { error } = await api.call<{ readonly error: RunError | null }>("GET", `/runs/${encodeURIComponent(runId)}`);
  return error;
}

/** Returns a JSON value if the answer's type is JSON, else its text; bytes that are not text as base64. */
function readBody(bytes: Uint8Array, type: string): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("base64");
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return text;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}
