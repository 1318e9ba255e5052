/** The documents of a test session for the API. */
import type { AssessedAssertion } from "../../../shared/mock.ts";
import type { KeptCall } from "./kept-results.ts";
import { targetName, warningsOf } from "./session-plan.ts";
import type { OpenedSession, RecordedCall, SessionReport, SessionSummary } from "./test-service.ts";
import type { TestSession } from "./test-session.ts";

/** Makes the report. `assessed`: the result of each assertion; undefined: they were not evaluated yet. `pending`: runs that were under way. */
export function sessionReport(
  session: TestSession,
  assertions: readonly unknown[],
  assessed: readonly AssessedAssertion[] | undefined,
  pending: readonly string[],
): SessionReport {
  const { request, counters, calls, unrecorded, runs } = session;
  const counts = counters.callCounts();
  return {
    ...sessionSummary(session),
    notes: request.notes,
    passed: assessed === undefined ? null : assessed.every(({ passed }) => passed),
    recordedCalls: calls.all().map(recordedCall),
    callCounts: Object.fromEntries(request.set.targets.map((target, i) => [targetName(target), counts[i] ?? 0])),
    unrecorded,
    assertions: assertions.map((assertion, i) => ({ ...(assertion as object), ...assessed?.[i] })),
    unusedMocks: counters.unused(),
    runs,
    pending,
  };
}

/** What the report and the list have in common. */
export function sessionSummary(session: TestSession): Omit<SessionSummary, "passed"> {
  const { sessionId, request, deployment, scope, open, expired, stale, expiresAt } = session;
  return {
    sessionId,
    name: request.name ?? null,
    flowId: deployment.flowId,
    hash: deployment.hash,
    scope,
    closed: !open,
    expired,
    stale,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** Makes the answer for a session that was opened. */
export function openedSession(session: TestSession): OpenedSession {
  const { sessionId, ttlMs, expiresAt, scope, request, deployment } = session;
  const { targets, mocks } = request.set;
  return {
    sessionId,
    ttlMs,
    expiresAt: new Date(expiresAt).toISOString(),
    flowId: deployment.flowId,
    hash: deployment.hash,
    scope,
    armed: targets.map((target, i) => {
      const count = mocks.filter((mock) => mock.target === i).length;
      if ("uri" in target) return { uri: target.uri, mocks: count };
      const step = deployment.manifest.steps.find(({ id }) => id === target.stepId);
      return { stepId: target.stepId, routeId: step?.routeId ?? "", mocks: count };
    }),
    header: "X-Test-Session",
    warnings: warningsOf(request, deployment),
  };
}

function recordedCall({ call: { target, at, ...call }, runId, flowId }: KeptCall): RecordedCall {
  return { ...call, runId, flowId, at: new Date(at).toISOString() };
}
