/** Whether a flow has what a session names: steps, routes, endpoints. */
import { extendPointer } from "../../../shared/document-place.ts";
import { AppError } from "../../../shared/errors.ts";
import { listProblems } from "../../../shared/problems.ts";
import { didYouMean } from "../../../shared/suggest.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { SessionRequest } from "./test-service.ts";

/** Throws session_invalid for names that the flow does not have, that mean two things, and for endpoints of `replaceFrom` that it has already. */
export function refuseUnknownNames(deployment: Deployment, request: SessionRequest): void {
  const problems = [
    ...unknownSteps(deployment, request),
    ...sharedNames(request),
    ...wrongReplacements(deployment, request),
    ...wrongInvoke(deployment, request),
  ];
  if (problems.length > 0) throw new AppError("session_invalid", listProblems(problems));
}

function unknownSteps({ manifest, flowId }: Deployment, { set }: SessionRequest): string[] {
  const steps = new Set(manifest.steps.map(({ id }) => id));
  return set.targets.flatMap((target) => {
    if (!("stepId" in target) || steps.has(target.stepId)) return [];
    return `flow '${flowId}' has no step '${shown(target.stepId)}'${didYouMean(target.stepId, steps)}`;
  });
}

/** Calls are counted by them. */
function sharedNames({ set: { targets } }: SessionRequest): string[] {
  const steps = new Set(targets.map((target) => ("stepId" in target ? target.stepId : undefined)));
  return targets.flatMap((target) => {
    if (!("uri" in target) || !steps.has(target.uri)) return [];
    return `'${shown(target.uri)}' is a step and a pattern of endpoints here: write the pattern in another way, such as with * at its end`;
  });
}

function wrongReplacements(deployment: Deployment, { replaceFrom }: SessionRequest): string[] {
  const routes = routeIds(deployment);
  const directs = directNames(deployment);
  return Object.entries(replaceFrom).flatMap(([routeId, endpoint]) => {
    const where = extendPointer("/replaceFrom", routeId);
    const name = directNameOf(endpoint);
    if (!routes.includes(routeId)) {
      return `${where}: flow '${deployment.flowId}' has no such route${didYouMean(routeId, routes)}`;
    }
    if (name === undefined || !directs.includes(name)) return [];
    return `${where}: the flow has a route behind direct:${name} already: give another name`;
  });
}

/** What `test/invoke` would not find, or could not begin, later on. */
function wrongInvoke(deployment: Deployment, { invoke = {}, replaceFrom }: SessionRequest): string[] {
  const { endpoint, routeId } = invoke;
  const { flowId, manifest } = deployment;
  if (endpoint !== undefined) {
    const name = directNameOf(endpoint);
    const known = [...directNames(deployment).map((one) => `direct:${one}`), ...Object.values(replaceFrom)];
    if (name !== undefined && known.includes(`direct:${name}`)) return [];
    const why = name === undefined ? "it is no direct: endpoint" : `flow '${flowId}' has no route behind it`;
    const near = didYouMean(endpoint, known);
    return [`/invoke/endpoint: '${shown(endpoint)}': ${why}, and replaceFrom gives it to none${near}`];
  }
  if (routeId === undefined) return [];
  const route = manifest.routes.find(({ id }) => id === routeId);
  if (route === undefined) {
    const near = didYouMean(routeId, routeIds(deployment));
    return [`/invoke/routeId: flow '${flowId}' has no route '${shown(routeId)}'${near}`];
  }
  if (route.trigger.kind === "direct" || Object.hasOwn(replaceFrom, routeId)) return [];
  const replace = `"replaceFrom": {"${routeId}": "direct:${routeId}"}`;
  return [`/invoke/routeId: route '${routeId}' is not behind a direct: endpoint: add ${replace}`];
}

function routeIds({ manifest }: Deployment): string[] {
  return manifest.routes.map(({ id }) => id);
}

function directNames({ manifest }: Deployment): string[] {
  return manifest.routes.flatMap(({ trigger }) => (trigger.kind === "direct" ? [trigger.name] : []));
}

/** Of `direct:name`, `direct://name`, with options or without; undefined for anything else. */
export function directNameOf(endpoint: string): string | undefined {
  return /^direct:(?:\/\/)?([^?\s]+)(?:\?.*)?$/.exec(endpoint)?.[1];
}

function shown(name: string): string {
  return name.slice(0, 200);
}
