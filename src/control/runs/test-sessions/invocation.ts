/** One run that `test/invoke` begins, and its answer. */
import { AppError } from "../../../shared/errors.ts";
import type { InvocationResult } from "../../threads/invocation.ts";
import { runDetail } from "../run-document.ts";
import type { Runner } from "../runner.ts";
import type { RunningRun } from "../running-run.ts";
import { invokedRoute } from "./invocable.ts";
import { invokedMessage } from "./invoke-message.ts";
import { plainBody, plainHeaders } from "./run-answer.ts";
import { targetName } from "./target-name.ts";
import type { Invoke, InvokeAnswer } from "./test-service.ts";
import { TestSession } from "./test-session.ts";

interface Ended {
  readonly run: RunningRun;
  readonly result: InvocationResult | undefined;
}

/** Throws bad_request, not_found, not_invocable, flow_quarantined_locked; run_timeout for a run that took too long. */
export async function invokeIn(
  session: TestSession,
  runner: Pick<Runner, "start">,
  given: Invoke,
  url: string,
): Promise<InvokeAnswer> {
  const { deployment } = session;
  const invoke = withDefaults(given, session.request.invoke);
  const routeIndex = invokedRoute(session, invoke, url);
  const message = invokedMessage(invoke, deployment.limits);
  const { promise, resolve } = Promise.withResolvers<Ended>();
  runner.start({
    ...{ deployment, routeIndex, ...message },
    trigger: { kind: "test", uri: deployment.manifest.routes[routeIndex]?.uri ?? "" },
    mocks: [session],
    wholeExchange: true,
    ended: (run, result) => resolve({ run, result }),
  });
  const ended = await promise;
  if (ended.run.record.status !== "timeout") return answerOf(ended);
  throw new AppError(
    "run_timeout",
    `run '${ended.run.runId}' was not over within its timeoutMs: its record has its steps`,
  );
}

/** What the session was opened with stands in for an invocation that names no route. */
function withDefaults(given: Invoke, base: Invoke | undefined): Invoke {
  if (base === undefined || given.endpoint !== undefined || given.routeId !== undefined) return given;
  const own = given.body !== undefined || given.bodyBase64 !== undefined ? given : base;
  return {
    endpoint: base.endpoint,
    routeId: base.routeId,
    body: own.body,
    bodyBase64: own.bodyBase64,
    headers: given.headers ?? base.headers,
    timeoutMs: given.timeoutMs ?? base.timeoutMs,
  };
}

function answerOf({ run, result }: Ended): InvokeAnswer {
  const { status, durationMs, error, stepRuns } = runDetail(run.record);
  return {
    runId: run.runId,
    status,
    ...plainBody(result),
    headers: plainHeaders(result),
    durationMs,
    error,
    steps: stepRuns,
    mocksHit: mocksHit(run),
  };
}

/** By the run and those that it called. */
function mocksHit({ runId, mocks = [] }: RunningRun): string[] {
  const names = mocks.flatMap((session) => {
    if (!(session instanceof TestSession)) return [];
    const hit = session.calls.all().filter(({ rootId }) => rootId === runId);
    return hit.flatMap(({ call }) => session.set.targets[call.target] ?? []).map(targetName);
  });
  return [...new Set(names)];
}
