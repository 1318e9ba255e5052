/**
 * Checks the names that a flow's routes claim: paths (only its own place under /api, each method of a path once) and
 * `direct:` names (one consumer each).
 */

import { externalDirect } from "../../shared/external-direct.ts";
import { parseHttpPath, sharedMethod } from "../../shared/http-path.ts";
import type { HttpTrigger } from "../../shared/manifest.ts";
import { foreignPathProblem } from "../../shared/reserved-path.ts";
import type { FoundEndpoint } from "./context.ts";
import { place } from "./ids.ts";
import type { Report } from "./report.ts";
import type { ReadRoute } from "./route.ts";

interface Claim {
  readonly trigger: HttpTrigger;
  readonly key: string;
  readonly routeId: string;
  readonly found: FoundEndpoint;
}

/** Called when routes have their ids. */
export function checkClaimedPaths(
  routes: readonly ReadRoute[],
  endpoints: readonly FoundEndpoint[],
  report: Report,
): void {
  const claims: Claim[] = [];
  for (const { trigger, endpoint, draft } of routes) {
    const found = endpoints.find(({ model }) => model === endpoint);
    if (trigger?.kind !== "http" || found === undefined) continue;
    const scope = { route: draft };
    const problem = foreignPathProblem(trigger.path, draft.id, { prefix: trigger.prefix });
    if (problem !== undefined) report.error("foreign_path", problem, found.uri, scope);
    const path = parseHttpPath(trigger.path, trigger.prefix);
    if (problem !== undefined || "problem" in path) continue;
    const claim: Claim = { trigger, key: path.key, routeId: draft.id, found };
    const other = claims.find(
      ({ key, trigger: { methods } }) => key === path.key && sharedMethod(methods, trigger.methods),
    );
    if (other !== undefined) {
      const method = sharedMethod(other.trigger.methods, trigger.methods);
      const message = `${method} of '${trigger.path}' is already answered by route '${other.routeId}' at ${place(other.found.uri)}: tell them apart by path or httpMethodRestrict`;
      report.error("duplicate_path", message, found.uri, scope);
    } else claims.push(claim);
  }
}

/** Refuses a second consumer of a name; warns of targets without a consumer in the flow. */
export function checkDirects(routes: readonly ReadRoute[], endpoints: readonly FoundEndpoint[], report: Report): void {
  const consumers = new Map<string, FoundEndpoint>();
  const found = endpoints.filter(({ role }) => role === "consumer");
  for (const { trigger, endpoint, draft } of routes) {
    if (trigger?.kind !== "direct") continue;
    const own = found.find(({ model }) => model === endpoint);
    const first = consumers.get(trigger.name);
    if (own === undefined) continue;
    if (first === undefined) consumers.set(trigger.name, own);
    else {
      const other = first.scope.route?.id ?? "";
      const message = `'direct:${trigger.name}' is already consumed by route '${other}' at ${place(first.uri)}: a name has one consumer`;
      report.error("duplicate_direct", message, own.uri, { route: draft });
    }
  }
  for (const { model, role, uri, scope } of endpoints) {
    if (role !== "producer" || model.scheme !== "direct") continue;
    const name = model.uri.slice("direct:".length).split("?")[0] as string;
    if (consumers.has(name)) continue;
    const { code, message } = externalDirect(name);
    report.warning(code, message, uri, scope);
  }
}
