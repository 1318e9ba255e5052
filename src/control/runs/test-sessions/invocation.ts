/** Begins one run by `test/invoke`: finds the route, makes the message, and returns the answer. */
import { AppError } from "../../../shared/errors.ts";
import type { RouteManifest } from "../../../shared/manifest.ts";
import { didYouMean } from "../../../shared/suggest.ts";
import { isStarted } from "../../flows/deployment.ts";
import type { Runner } from "../runner.ts";
import { invokedMessage, refuseQuarantined, requestOf, runToEnd } from "./invoked-run.ts";
import { directNameOf } from "./session-plan.ts";
import type { Invoke, InvokeAnswer } from "./test-service.ts";
import type { TestSession } from "./test-session.ts";

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
  return runToEnd(runner, {
    ...{ deployment, routeIndex, ...invokedMessage(invoke, deployment.limits) },
    trigger: { kind: "test", uri: deployment.manifest.routes[routeIndex]?.uri ?? "" },
    mocks: [session],
  });
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
  refuseQuarantined(deployment);
  if (isStarted(deployment, index) || replaced.has(route?.id ?? "")) return index;
  throw new AppError("not_invocable", `route '${route?.id}' is ${deployment.states.get(index)}: start it first`);
}

function notInvocable({ sessionId }: TestSession, { id, uri, trigger }: RouteManifest, url: string): AppError {
  const replace = `open the session with "replaceFrom": {"${id}": "direct:${id}"} to begin it by test/invoke`;
  const header = `with the header X-Test-Session: ${sessionId}`;
  const how = {
    webhook: () => `send ${requestOf({ id, trigger }, url)} ${header}, or ${replace}`,
    http: () => `send ${requestOf({ id, trigger }, url)} ${header}, or ${replace}`,
    direct: () => replace,
    timer: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    scheduler: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    quartz: () => `its clock begins it: ${replace}, or send something to ${uri}`,
    source: () => `what its endpoint receives begins it: ${replace}, or send something to ${uri}`,
  }[trigger.kind];
  return new AppError("not_invocable", `route '${id}' (${uri}) is not behind a direct: endpoint: ${how()}`);
}
