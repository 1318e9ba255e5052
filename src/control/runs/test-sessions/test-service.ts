/** Test sessions as the API uses them. Times are ISO 8601, durations milliseconds. */
import type { MockedCall, MockSet } from "../../../shared/mock.ts";
import type { RunDetail } from "../run-document.ts";

export type SessionScope = "deployment" | "session";

/** A request for a session. Its short forms are expanded, and everything that can be checked without the flow is checked. */
export interface SessionRequest {
  /** Absent: the only flow that has all the steps that the mocks name. */
  readonly flowId?: string | undefined;
  readonly name?: string | undefined;
  /** Absent: the limit `testSessionMs`. */
  readonly ttlMs?: number | undefined;
  readonly scope: SessionScope;
  readonly set: MockSet;
  /** Where each mock of the set is in the request document, such as `/mocks/to-crm/1`. */
  readonly places: readonly string[];
  /** The assertions as they were sent: `[{mockCalled: ...}, {result: ...}]`. */
  readonly assertions: readonly unknown[];
  /** By route id: the `direct:` endpoint with which `test/invoke` begins the route, whose own trigger is replaced. */
  readonly replaceFrom: Readonly<Record<string, string>>;
  /** The defaults of `test/invoke`. */
  readonly invoke?: Invoke | undefined;
  /** For a fixture: the run that it was made from, and the hash of its flow. */
  readonly recordedFrom?: { readonly runId: string; readonly hash: string } | undefined;
  /** Notes for people, which the report shows. */
  readonly notes: readonly string[];
}

export interface Invoke {
  /** `direct:name`, from the session's flow or from `replaceFrom`; instead of `routeId`. */
  readonly endpoint?: string | undefined;
  readonly routeId?: string | undefined;
  /** A JSON value; absent: none. */
  readonly body?: unknown;
  readonly bodyBase64?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The message of a run that a management call begins. */
export type GivenMessage = Pick<Invoke, "headers" | "body">;

export interface OpenedSession {
  readonly sessionId: string;
  readonly ttlMs: number;
  readonly expiresAt: string;
  readonly flowId: string;
  readonly hash: string;
  readonly scope: SessionScope;
  readonly armed: readonly ArmedTarget[];
  readonly header: "X-Test-Session";
  readonly warnings: readonly string[];
}

/** A target of mocks. `mocks`: how many mocks it has. */
export type ArmedTarget =
  | { readonly stepId: string; readonly routeId: string; readonly mocks: number }
  | { readonly uri: string; readonly mocks: number };

export interface RecordedCall extends Omit<MockedCall, "at" | "target"> {
  readonly runId: string;
  readonly flowId: string;
  readonly at: string;
}

export interface SessionReport {
  readonly sessionId: string;
  readonly name: string | null;
  readonly notes: readonly string[];
  readonly flowId: string;
  readonly hash: string;
  readonly scope: SessionScope;
  /** false: its mocks still answer. */
  readonly closed: boolean;
  readonly expired: boolean;
  /** true: the flow was deployed anew, stopped or removed since. */
  readonly stale: boolean;
  readonly expiresAt: string;
  /** Whether all assertions hold; null: the session is open, and they were not evaluated. */
  readonly passed: boolean | null;
  readonly recordedCalls: readonly RecordedCall[];
  /** The exact number of calls by step id or pattern. */
  readonly callCounts: Readonly<Record<string, number>>;
  /** Calls that were counted and not kept: beyond the limit, or lost with their thread. */
  readonly unrecorded: { readonly overLimit: number; readonly lost: number };
  /** The assertions as they were sent, each with `passed`, `actual` and `message`. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
  /** The indexes of mocks that were never called. */
  readonly unusedMocks: readonly number[];
  /** The newest `testSessionRuns` runs in it; for a session of a deployment only runs that name it, and runs with a recorded call. */
  readonly runs: readonly string[];
  /** The runs that were under way when it was closed. */
  readonly pending: readonly string[];
}

/** A session in the list of them. */
export type SessionSummary = Pick<
  SessionReport,
  "sessionId" | "name" | "flowId" | "hash" | "scope" | "closed" | "expired" | "stale" | "expiresAt" | "passed"
>;

export interface CloseOptions {
  /** How long to wait for runs under way; their mocks answer until then. */
  readonly waitMs: number;
  /** Further assertions, evaluated together with those of the session. */
  readonly assertions: readonly unknown[];
}

export interface InvokeAnswer {
  readonly runId: string;
  readonly status: string;
  readonly body: unknown;
  /** Present: the body is bytes, as base64. */
  readonly bodyEncoding?: "base64";
  readonly headers: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly error: RunDetail["error"];
  readonly steps: RunDetail["stepRuns"];
  /** Step ids and patterns of the mocks that were called, in the order of their first call. */
  readonly mocksHit: readonly string[];
}

export interface TestService {
  /** Checks a session without opening it. Throws InvalidDocument with the problems for which `open` would refuse it, and AppError not_found (flow). */
  validate(request: SessionRequest): Promise<void>;
  /** Throws AppErrors not_found (flow), session_invalid, scope_forbidden, mock_conflict, too_many_sessions. */
  open(request: SessionRequest): Promise<OpenedSession>;
  /** Lists open sessions, and those that are kept for a while after their end; the newest first. */
  list(): readonly SessionSummary[];
  /** Returns the report of a session. Throws AppError not_found. */
  look(sessionId: string): SessionReport;
  /** Closes a session; a second call returns the same report. Throws AppErrors not_found, session_invalid (assertions). */
  close(sessionId: string, options: CloseOptions): Promise<SessionReport>;
  /** Throws AppErrors not_found, session_closed, not_invocable, run_timeout, bad_request. */
  invoke(sessionId: string, invoke: Invoke): Promise<InvokeAnswer>;
}
