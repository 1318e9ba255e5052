/** Runs one test: opens a session, acts in it, and compares the result. */
import { ApiError, type BulkheadClient, type components, orThrow } from "../../client/index.ts";
import { pathFrom } from "../../shared/document-place.ts";
import { parseExactly } from "../../shared/exact-json.ts";
import { type DocumentProblem, formatProblem } from "../../shared/problems.ts";
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

/** Runs a test. Throws UnreachableError; refusals are failures of the test. */
export async function runTest(api: BulkheadClient, file: TestFile, test: FlowTest): Promise<TestOutcome> {
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

type SessionDocument = components["schemas"]["TestSessionRequestInput"];
type OpenedSession = components["schemas"]["OpenedTestSession"];
type SessionReport = components["schemas"]["TestSessionReport"];
type InvokeDocument = components["schemas"]["TestInvokeRequestInput"];

interface Judging {
  readonly fail: (path: Path, message: string) => void;
  readonly notes: string[];
  readonly unused: string[];
}

/** Acts in the session and returns the result; undefined: the flow was not called, and `fail` has the reason. */
async function inSession(
  api: BulkheadClient,
  file: TestFile,
  test: FlowTest,
  judging: Judging,
): Promise<Got | undefined> {
  const { fail, notes } = judging;
  const { name, mocks = [], assert = [], replaceFrom, recordedFrom, waitMs } = test;
  const asked = { flowId: file.flow, name, scope: "session", mocks, assertions: assert, replaceFrom, recordedFrom };
  // The runtime checks what the file has.
  const wanted = asked as SessionDocument;
  const session = await opened(api, wanted, fail);
  if (session === undefined) return undefined;
  notes.push(...(test.notes ?? []), ...session.warnings);
  const params = { path: { id: session.sessionId }, query: waitMs === undefined ? {} : { waitMs } };
  try {
    return await orRefusal(act(api, session, test), (message) => fail([test.post ? "post" : "invoke"], message));
  } finally {
    const closed = orThrow(api.DELETE("/_api/test/session/{id}", { params }));
    const report = await orRefusal(closed, (message) => fail([], message));
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
async function opened(
  api: BulkheadClient,
  body: SessionDocument,
  fail: Judging["fail"],
): Promise<OpenedSession | undefined> {
  const { data, error } = await api.POST("/_api/test/session", { params: { query: { strict: true } }, body });
  if (error === undefined) return data;
  const problems = error.code === "session_invalid" ? await problemsOf(api, body) : [];
  for (const problem of problems) fail(placeOf(problem), formatProblem(problem));
  if (problems.length === 0) fail([], error.message);
  return undefined;
}

/** Returns all problems of a session that is refused; none: the runtime does not list them. */
async function problemsOf(api: BulkheadClient, body: SessionDocument): Promise<readonly DocumentProblem[]> {
  const { data } = await api.POST("/_api/test/validate", { params: { query: { strict: true } }, body });
  return data?.problems ?? [];
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
    if (!(error instanceof ApiError)) throw error;
    refused(error.message);
    return undefined;
  }
}

/** Performs a test's action: `invoke` a route of its flow, or send a request to it. */
async function act(api: BulkheadClient, session: OpenedSession, { invoke, post }: FlowTest): Promise<Got> {
  if (post !== undefined) return request(api, session, post);
  const { sessionId } = session;
  const answer = await orThrow(api.POST("/_api/test/invoke", { body: { sessionId, ...invoke } as InvokeDocument }));
  return { status: answer.status, headers: answer.headers, body: answer.body, error: answer.error };
}

async function request(api: BulkheadClient, session: OpenedSession, post: PostDocument): Promise<Got> {
  const headers = new Headers({ [session.header]: session.sessionId });
  const body = bodyOf(post, headers);
  for (const [name, value] of Object.entries(post.headers ?? {})) headers.set(name, String(value));
  const answer = await api.fetch(post.path, {
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

async function errorOf(api: BulkheadClient, runId: string): Promise<RunError | null> {
  const { error } = await orThrow(api.GET("/_api/runs/{runId}", { params: { path: { runId } } }));
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
