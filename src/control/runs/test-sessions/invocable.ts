/** Which route an invocation begins, or which call begins it instead. */
import { AppError } from "../../../shared/errors.ts";
import type { HttpTrigger, RouteManifest } from "../../../shared/manifest.ts";
import { didYouMean } from "../../../shared/suggest.ts";
import { isStarted } from "../../flows/deployment.ts";
import { directNameOf } from "./session-names.ts";
import type { Invoke } from "./test-service.ts";
import type { TestSession } from "./test-session.ts";

/** Index of the route. Throws bad_request, not_found, not_invocable, flow_quarantined_locked; `url`: where this runtime listens. */
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

/** A route that is begun in place of its trigger runs whether that does or not. */
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
