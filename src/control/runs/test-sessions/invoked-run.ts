/** Runs that a management call begins and waits for: their message, and the answer to the call. */
import { AppError } from "../../../shared/errors.ts";
import { saysJson } from "../../../shared/http-headers.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { RouteManifest } from "../../../shared/manifest.ts";
import { BodyKind, type InvokeExtra } from "../../../shared/protocol.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { InvocationResult } from "../../threads/invocation.ts";
import { runDetail } from "../run-document.ts";
import type { Runner } from "../runner.ts";
import type { RunningRun, RunRequest } from "../running-run.ts";
import { plainBody, plainHeaders } from "./kept-results.ts";
import { targetName } from "./session-plan.ts";
import type { Invoke, InvokeAnswer } from "./test-service.ts";
import { TestSession } from "./test-session.ts";

interface Ended {
  readonly run: RunningRun;
  readonly result: InvocationResult | undefined;
}

/** Begins the run and resolves when it is over. Rejects with AppError run_timeout for a run that took too long. */
export async function runToEnd(
  runner: Pick<Runner, "start">,
  request: Omit<RunRequest, "ended" | "wholeExchange">,
): Promise<InvokeAnswer> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  runner.start({ ...request, wholeExchange: true, ended: (run, result) => resolve({ run, result }) });
  const ended = await promise;
  if (ended.run.record.status !== "timeout") return answerOf(ended);
  const { kind } = request.trigger;
  const limit = kind === "test" ? "its timeoutMs" : "the flow's limit timerWallMs";
  throw new AppError("run_timeout", `run '${ended.run.runId}' was not over within ${limit}: its record has its steps`);
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

/** Returns the targets whose mocks were called by the run, or by runs that it called. */
function mocksHit({ runId, mocks = [] }: RunningRun): string[] {
  const names = mocks.flatMap((session) => {
    if (!(session instanceof TestSession)) return [];
    const hit = session.calls.all().filter(({ rootId }) => rootId === runId);
    return hit.flatMap(({ call }) => session.set.targets[call.target] ?? []).map(targetName);
  });
  return [...new Set(names)];
}

/** Throws flow_quarantined_locked. */
export function refuseQuarantined({ flowId, pool: { quarantinedMs } }: Deployment): void {
  if (quarantinedMs === 0) return;
  throw new AppError(
    "flow_quarantined_locked",
    `flow '${flowId}' is quarantined, its threads having been killed too often: start it, or wait`,
    { "Retry-After": String(Math.ceil(quarantinedMs / 1000)) },
  );
}

/** Returns the request that begins a route with a webhook or a path: `POST http://.../api/order-in`. */
export function requestOf({ id, trigger }: Pick<RouteManifest, "id" | "trigger">, url: string): string {
  if (trigger.kind !== "http") return `POST ${url}/api/${id}`;
  const { methods, path, prefix } = trigger;
  return `${methods.length === 0 ? "any method" : methods.join(" or ")} to ${url}${path}${prefix ? "..." : ""}`;
}

type InvokedMessage = Pick<RunRequest, "headers" | "bodyKind" | "body" | "extra" | "deadline">;

/** Makes the message of the run. `first`: what the exchange has before the headers of `invoke`. Throws bad_request. */
export function invokedMessage(
  invoke: Omit<Invoke, "endpoint" | "routeId">,
  { webhookWallMs, timerWallMs }: Limits,
  first: InvokeExtra = { pattern: "InOut" },
): InvokedMessage {
  const { headers = {}, timeoutMs = webhookWallMs } = invoke;
  const most = Math.max(webhookWallMs, timerWallMs);
  if (timeoutMs > most) {
    throw new AppError("bad_request", `timeoutMs: a run of this flow may take ${most} ms (its timerWallMs)`);
  }
  // Headers go into `extra`, since a list or an object cannot be written in the text form of request headers.
  const extra: InvokeExtra = { ...first, headers: [...(first.headers ?? []), ...Object.entries(headers)] };
  return { ...bodyOf(invoke), headers: "", extra: JSON.stringify(extra), deadline: Date.now() + timeoutMs };
}

/** Returns the body: a list or an object as JSON; a text as text, which the flow may parse when its Content-Type is JSON. */
export function bodyOf({
  body,
  bodyBase64,
  headers = {},
}: Pick<Invoke, "body" | "bodyBase64" | "headers">): Pick<RunRequest, "bodyKind" | "body"> {
  if (bodyBase64 !== undefined) {
    return { bodyKind: BodyKind.bytes, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
  }
  if (body === undefined || body === null) return { bodyKind: BodyKind.none, body: null };
  if (typeof body === "string") return { bodyKind: saysJson(headers) ? BodyKind.maybeJson : BodyKind.text, body };
  return { bodyKind: typeof body === "object" ? BodyKind.json : BodyKind.value, body: JSON.stringify(body) };
}
