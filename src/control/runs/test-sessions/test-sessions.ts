/** The test sessions of the runtime: opened, joined by runs, closed, expired, forgotten; and their documents for the API. */

import { AppError } from "../../../shared/errors.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { LiveFlows } from "../../flows/live-flows.ts";
import type { ArmedMocks } from "../../threads/invocation.ts";
import type { Runner } from "../runner.ts";
import { invokeIn } from "./invocation.ts";
import type { KeptBytes } from "./kept-results.ts";
import type { SessionChecks } from "./session-checks.ts";
import { openedSession, sessionReport, sessionSummary } from "./session-documents.ts";
import { deploymentFor, refuseConflicts, refuseUnknownNames, withdraw } from "./session-plan.ts";
import type {
  CloseOptions,
  Invoke,
  InvokeAnswer,
  OpenedSession,
  SessionReport,
  SessionRequest,
  SessionScope,
  SessionSummary,
  TestService,
} from "./test-service.ts";
import { TestSession } from "./test-session.ts";

export interface TestSessionsOptions {
  readonly live: LiveFlows;
  readonly runner: Pick<Runner, "start">;
  readonly checks: SessionChecks;
  readonly limits: Limits;
  /** The widest scope that the operator allows. */
  readonly scope: SessionScope;
  /** Returns the URL where the runtime listens. */
  readonly url: () => string;
}

export class TestSessions implements TestService {
  readonly #options: TestSessionsOptions;
  readonly #sessions = new Map<string, TestSession>();
  readonly #kept: KeptSessions;
  readonly #total: KeptBytes;
  #opened = 0;

  constructor(options: TestSessionsOptions) {
    this.#options = options;
    this.#total = { now: 0, most: options.limits.testSessionsBytes };
    this.#kept = new KeptSessions(options.limits, ({ sessionId, calls }) => {
      this.#sessions.delete(sessionId);
      calls.forget();
    });
    options.live.onSwap((_flowId, _now, before) => this.#outlive(before));
  }

  /** How many sessions are neither closed nor expired. */
  get openCount(): number {
    return [...this.#sessions.values()].filter(({ open }) => open).length;
  }

  async validate(request: SessionRequest): Promise<void> {
    const { set, places, assertions } = request;
    refuseUnknownNames(deploymentFor(this.#options.live, request), request);
    await this.#options.checks.check({ set, assertions }, places);
  }

  async open(request: SessionRequest): Promise<OpenedSession> {
    this.#plan(request);
    const { set, places, assertions } = request;
    await this.#options.checks.check({ set, assertions }, places);
    // Flows and sessions may have changed during the check.
    const deployment = this.#plan(request);
    this.#opened += 1;
    const session = new TestSession(this.#opened, request, deployment, this.#options.limits, this.#total);
    this.#sessions.set(session.sessionId, session);
    session.timer = setTimeout(() => this.#expire(session), session.ttlMs).unref();
    if (session.scope === "deployment") deployment.mocks = [...(deployment.mocks ?? []), session];
    return openedSession(session);
  }

  list(): readonly SessionSummary[] {
    return [...this.#sessions.values()]
      .reverse()
      .map((session) => ({ ...sessionSummary(session), passed: session.report?.passed ?? null }));
  }

  look(sessionId: string): SessionReport {
    const session = this.#find(sessionId);
    return session.report ?? sessionReport(session, session.request.assertions, undefined, session.pending);
  }

  async close(sessionId: string, options: CloseOptions): Promise<SessionReport> {
    const session = this.#find(sessionId);
    if (session.closing === undefined) {
      await this.#options.checks.check({ set: noMocks, assertions: options.assertions }, []);
    }
    session.closing ??= this.#close(session, options);
    return session.closing;
  }

  async invoke(sessionId: string, invoke: Invoke): Promise<InvokeAnswer> {
    const session = this.#find(sessionId);
    refuseUnlessOpen(session);
    return invokeIn(session, this.#options.runner, invoke, this.#options.url());
  }

  /** Returns the session that a request with this header joins. Throws session_closed. */
  joined(sessionId: string): readonly ArmedMocks[] {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) {
      throw new AppError(
        "session_closed",
        `there is no test session '${shown(sessionId)}', or none any more: open one`,
      );
    }
    refuseUnlessOpen(session);
    return [session];
  }

  /** Stops all timers: the runtime ends. */
  stop(): void {
    for (const { timer } of this.#sessions.values()) clearTimeout(timer);
  }

  /** Finds the deployment for a session. Throws when the session cannot be opened. */
  #plan(request: SessionRequest): Deployment {
    const { live, limits, scope } = this.#options;
    if (scope === "session" && request.scope === "deployment") {
      throw new AppError(
        "scope_forbidden",
        "this runtime allows mocks for the runs of a session only (TEST_SCOPE=session): send scope: session",
      );
    }
    const deployment = deploymentFor(live, request);
    refuseUnknownNames(deployment, request);
    refuseConflicts(deployment, request);
    const { testSessions } = limits;
    if (this.openCount >= testSessions) {
      const message = `${testSessions} test sessions are open: close one, or wait for its end`;
      throw new AppError("too_many_sessions", message, { "Retry-After": "5" });
    }
    return deployment;
  }

  async #close(session: TestSession, { waitMs, assertions: more }: CloseOptions): Promise<SessionReport> {
    try {
      session.closed = true;
      clearTimeout(session.timer);
      withdraw(session);
      await session.idle(waitMs);
      const { pending } = session;
      session.disarm();
      const assertions = [...session.request.assertions, ...more];
      const { set, counters, calls, result } = session;
      const assessed = await this.#options.checks.assess({
        assertions,
        targets: set.targets,
        callCounts: counters.callCounts(),
        calls: calls.all().map(({ call, runId }) => ({ ...call, runId })),
        result,
      });
      session.report = sessionReport(session, assertions, assessed, pending);
      return session.report;
    } catch (error) {
      // Its mocks are gone in any case. A second call evaluates the assertions again.
      session.closing = undefined;
      throw error;
    } finally {
      this.#kept.keep(session);
    }
  }

  #expire(session: TestSession): void {
    session.expired = true;
    withdraw(session);
    session.disarm();
    this.#kept.keep(session);
  }

  /** Marks the sessions of a deployment that was replaced: runs under way keep their mocks, no new run joins. */
  #outlive(before: Deployment | undefined): void {
    for (const session of this.#sessions.values()) {
      if (session.deployment !== before || !session.open) continue;
      session.stale = true;
      withdraw(session);
    }
  }

  #find(sessionId: string): TestSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new AppError("not_found", `there is no test session '${shown(sessionId)}', or none any more`);
  }
}

/** No mocks to check: those of the session were checked when it was opened. */
const noMocks = { targets: [], mocks: [] };

function refuseUnlessOpen({ sessionId, refusal }: TestSession): void {
  if (refusal === undefined) return;
  throw new AppError("session_closed", `test session '${sessionId}' takes no runs: ${refusal}; open another one`);
}

function shown(sessionId: string): string {
  return sessionId.slice(0, 100);
}

/** Closed and expired sessions, kept for a while for those who read them again: a bounded number, and a bounded number of bytes of their calls. */
class KeptSessions {
  readonly #limits: Limits;
  readonly #forget: (session: TestSession) => void;
  /** The sessions, the oldest first. */
  readonly #kept = new Set<TestSession>();

  /** `forget` is called with each session that is dropped. */
  constructor(limits: Limits, forget: (session: TestSession) => void) {
    this.#limits = limits;
    this.#forget = forget;
  }

  /** Keeps the session for `testSessionKeptMs` from now on. The newest session is kept in any case; older ones are dropped when they are too many. */
  keep(session: TestSession): void {
    clearTimeout(session.timer);
    session.timer = setTimeout(() => this.#drop(session), this.#limits.testSessionKeptMs).unref();
    this.#kept.delete(session);
    this.#kept.add(session);
    let bytes = 0;
    for (const kept of this.#kept) bytes += kept.bytes;
    for (const oldest of this.#kept) {
      if (oldest === session) return;
      if (this.#kept.size <= this.#limits.testSessions && bytes <= this.#limits.testSessionBytes) return;
      bytes -= oldest.bytes;
      this.#drop(oldest);
    }
  }

  #drop(session: TestSession): void {
    clearTimeout(session.timer);
    this.#kept.delete(session);
    this.#forget(session);
  }
}
