/** What the API asks of test sessions. Times are ISO 8601, durations milliseconds. */
import type { MockedCall, MockSet } from "../../../shared/mock.ts";
import type { RunDetail } from "../run-document.ts";

export type SessionScope = "deployment" | "session";

/** A session as it is asked for: its short forms are read, and what can be said without the flow is checked. */
export interface SessionRequest {
  /** Absent: the one flow that has all the steps which the mocks name. */
  readonly flowId?: string | undefined;
  readonly name?: string | undefined;
  /** Absent: `testSessionMs` of the limits. */
  readonly ttlMs?: number | undefined;
  readonly scope: SessionScope;
  readonly set: MockSet;
  /** Where each mock of the set stands in the document that was sent: `/mocks/to-crm/1`. */
  readonly places: readonly string[];
  /** `[{mockCalled: ...}, {result: ...}]`, as they were sent. */
  readonly assertions: readonly unknown[];
  /** By route id, the `direct:` endpoint by which `test/invoke` begins the route in place of its own trigger. */
  readonly replaceFrom: Readonly<Record<string, string>>;
  /** What `test/invoke` begins when it names nothing. */
  readonly invoke?: Invoke | undefined;
  /** Of a fixture: the hash of the flow that it was made from. */
  readonly recordedFrom?: { readonly runId: string; readonly hash: string } | undefined;
  /** What a person wants to know of it; the report shows them. */
  readonly notes: readonly string[];
}

export interface Invoke {
  /** `direct:name`, of the session's flow or of `replaceFrom`; or `routeId`. */
  readonly endpoint?: string | undefined;
  readonly routeId?: string | undefined;
  /** A JSON value; absent: none. */
  readonly body?: unknown;
  readonly bodyBase64?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly timeoutMs?: number | undefined;
}

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

/** `mocks`: how many there are for it. */
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
  /** false: it answers still. */
  readonly closed: boolean;
  readonly expired: boolean;
  /** The flow has been deployed anew, or removed, since. */
  readonly stale: boolean;
  readonly expiresAt: string;
  /** Whether all assertions hold; null in a look at a session that is open. */
  readonly passed: boolean | null;
  readonly recordedCalls: readonly RecordedCall[];
  /** By step id or pattern: exact. */
  readonly callCounts: Readonly<Record<string, number>>;
  /** Calls that were counted and that nothing is kept of: over the limit, or lost with their thread. */
  readonly unrecorded: { readonly overLimit: number; readonly lost: number };
  /** Each as it was sent, with `passed`, `actual`, `message`. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
  /** Indexes of mocks that nothing has called. */
  readonly unusedMocks: readonly number[];
  /** The newest `testSessionRuns` that were in it: of a deployment's session those that carry it, and those with a call that came to be recorded. */
  readonly runs: readonly string[];
  /** Those that were under way when it was closed. */
  readonly pending: readonly string[];
}

export interface CloseOptions {
  /** How long runs under way are waited for; their mocks answer until then. */
  readonly waitMs: number;
  /** Evaluated with those that the session has. */
  readonly assertions: readonly unknown[];
}

export interface InvokeAnswer {
  readonly runId: string;
  readonly status: string;
  readonly body: unknown;
  /** The body is bytes, as base64. */
  readonly bodyEncoding?: "base64";
  readonly headers: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly error: RunDetail["error"];
  readonly steps: RunDetail["stepRuns"];
  /** Step ids and patterns of the mocks that were called, in the order of their first call. */
  readonly mocksHit: readonly string[];
}

export interface TestService {
  /** AppErrors not_found (flow), session_invalid, scope_forbidden, mock_conflict, too_many_sessions. */
  open(request: SessionRequest): Promise<OpenedSession>;
  /** AppError not_found. */
  look(sessionId: string): SessionReport;
  /** Once more answers the same. AppError not_found, session_invalid (assertions). */
  close(sessionId: string, options: CloseOptions): Promise<SessionReport>;
  /** AppErrors not_found, session_closed, not_invocable, run_timeout; bad_request. */
  invoke(sessionId: string, invoke: Invoke): Promise<InvokeAnswer>;
}
