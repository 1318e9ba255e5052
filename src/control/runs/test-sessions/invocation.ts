/** Begins one run by `test/invoke`: finds the route, makes the message, and returns the answer. */
import { AppError } from "../../../shared/errors.ts";
import { saysJson } from "../../../shared/http-headers.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { HttpTrigger, RouteManifest } from "../../../shared/manifest.ts";
import { BodyKind, type InvokeExtra } from "../../../shared/protocol.ts";
import { didYouMean } from "../../../shared/suggest.ts";
import { isStarted } from "../../flows/deployment.ts";
import type { InvocationResult } from "../../threads/invocation.ts";
import { runDetail } from "../run-document.ts";
import type { Runner } from "../runner.ts";
import type { RunningRun, RunRequest } from "../running-run.ts";
import { plainBody, plainHeaders } from "./kept-results.ts";
import { directNameOf, targetName } from "./session-plan.ts";
import type { Invoke, InvokeAnswer } from "./test-service.ts";
import { TestSession } from "./test-session.ts";

interface Ended {
  readonly run: RunningRun;
  readonly result: InvocationResult | undefined;
}

/** Runs the invocation in the session. Throws bad_request, not_found, not_invocable, flow_quarantined_locked, and run_timeout for a run that took too long. */
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

/** Fills in the `invoke` of the session when the invocation names no route. */
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

/** Returns the targets whose mocks were called by the run, or by runs that it called. */
function mocksHit({ runId, mocks = [] }: RunningRun): string[] {
  const names = mocks.flatMap((session) => {
    if (!(session instanceof TestSession)) return [];
    const hit = session.calls.all().filter(({ rootId }) => rootId === runId);
    return hit.flatMap(({ call }) => session.set.targets[call.target] ?? []).map(targetName);
  });
  return [...new Set(names)];
}

/** Returns the index of the invoked route. Throws bad_request, not_found, not_invocable, flow_quarantined_locked. `url`: where this runtime listens. */
export function invokedRoute(session: TestSession, { endpoint, routeId }: Invoke, url: string): number {
  if (endpoint !== undefined) return byEndpoint(session, endpoint, url);
  if (routeId !== undefined) return byRoute(session, routeId, url);
  throw new AppError("bad_request", "name what is invoked: endpoint (direct:name) or routeId");
}

function byEndpoint(session: TestSession, endpoint: string, url: string): number {
  const { manifest, flowId } = session.deployment;
  const name = directNameOf(endpoint);
  const replaced = Object.entries(session.request.replaceFrom);
  if (name !== undefined) {
    const routeId = replaced.find(([, uri]) => directNameOf(uri) === name)?.[0];
    const index = manifest.routes.findIndex(
      ({ id, trigger }) =>
        id === routeId || (routeId === undefined && trigger.kind === "direct" && trigger.name === name),
    );
    if (index >= 0) return started(session, index);
  }
  const other = manifest.routes.find(({ uri }) => uri === endpoint || uri.split("?")[0] === endpoint.split("?")[0]);
  if (other !== undefined) throw notInvocable(session, other, url);
  const known = [
    ...manifest.routes.filter(({ trigger }) => trigger.kind === "direct").map(({ uri }) => uri),
    ...replaced.map(([, uri]) => uri),
  ];
  const near = didYouMean(endpoint, known);
  throw new AppError("not_found", `no route of flow '${flowId}' is behind '${endpoint.slice(0, 200)}'${near}`);
}

function byRoute(session: TestSession, routeId: string, url: string): number {
  const { routes } = session.deployment.manifest;
  const index = routes.findIndex(({ id }) => id === routeId);
  const route = routes[index];
  if (route === undefined) {
    const near = didYouMean(
      routeId,
      routes.map(({ id }) => id),
    );
    throw new AppError(
      "not_found",
      `flow '${session.deployment.flowId}' has no route '${routeId.slice(0, 200)}'${near}`,
    );
  }
  if (route.trigger.kind !== "direct" && !session.replaced.has(routeId)) throw notInvocable(session, route, url);
  return started(session, index);
}

/** Checks that the route runs. A route whose trigger the session replaces can be invoked even if it is stopped. */
function started({ deployment, replaced }: TestSession, index: number): number {
  const route = deployment.manifest.routes[index];
  const { quarantinedMs } = deployment.pool;
  if (quarantinedMs > 0) {
    throw new AppError(
      "flow_quarantined_locked",
      `flow '${deployment.flowId}' is quarantined, its threads having been killed too often: start it, or wait`,
      { "Retry-After": String(Math.ceil(quarantinedMs / 1000)) },
    );
  }
  if (isStarted(deployment, index) || replaced.has(route?.id ?? "")) return index;
  throw new AppError("not_invocable", `route '${route?.id}' is ${deployment.states.get(index)}: start it first`);
}

function notInvocable({ sessionId }: TestSession, { id, uri, trigger }: RouteManifest, url: string): AppError {
  const replace = `open the session with "replaceFrom": {"${id}": "direct:${id}"} to begin it by test/invoke`;
  const header = `with the header X-Test-Session: ${sessionId}`;
  const how = {
    webhook: () => `send POST ${url}/api/${id} ${header}, or ${replace}`,
    http: () => `send ${requestOf(trigger as HttpTrigger, url)} ${header}, or ${replace}`,
    direct: () => replace,
    timer: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    scheduler: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    quartz: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    source: () => `what its endpoint receives begins it: ${replace}, or send something to ${uri}`,
  }[trigger.kind];
  return new AppError("not_invocable", `route '${id}' (${uri}) is not behind a direct: endpoint: ${how()}`);
}

function requestOf({ methods, path, prefix }: HttpTrigger, url: string): string {
  return `${methods.length === 0 ? "any method" : methods.join(" or ")} to ${url}${path}${prefix ? "..." : ""}`;
}

type InvokedMessage = Pick<RunRequest, "headers" | "bodyKind" | "body" | "extra" | "deadline">;

/** Makes the message of the run. Throws bad_request. */
export function invokedMessage(invoke: Invoke, { webhookWallMs, timerWallMs }: Limits): InvokedMessage {
  const { headers = {}, timeoutMs = webhookWallMs } = invoke;
  const most = Math.max(webhookWallMs, timerWallMs);
  if (timeoutMs > most) {
    throw new AppError("bad_request", `timeoutMs: a run of this flow may take ${most} ms (its timerWallMs)`);
  }
  // Headers go into `extra`, since a list or an object cannot be written in the text form of request headers.
  const extra: InvokeExtra = { pattern: "InOut", headers: Object.entries(headers) };
  return { ...bodyOf(invoke), headers: "", extra: JSON.stringify(extra), deadline: Date.now() + timeoutMs };
}

/** Returns the body: a list or an object as JSON; a text as text, which the flow may parse when its Content-Type is JSON. */
function bodyOf({ body, bodyBase64, headers = {} }: Invoke): Pick<RunRequest, "bodyKind" | "body"> {
  if (bodyBase64 !== undefined) {
    return { bodyKind: BodyKind.bytes, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
  }
  if (body === undefined || body === null) return { bodyKind: BodyKind.none, body: null };
  if (typeof body === "string") return { bodyKind: saysJson(headers) ? BodyKind.maybeJson : BodyKind.text, body };
  return { bodyKind: typeof body === "object" ? BodyKind.json : BodyKind.value, body: JSON.stringify(body) };
}
