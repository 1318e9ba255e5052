/** Resolves a request for a session: finds the flow, checks the names in the request, and refuses what another session mocks already. */
import { extendPointer } from "../../../shared/document-place.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Mock, MockSet, MockTarget } from "../../../shared/mock.ts";
import { type DocumentProblem, InvalidDocument } from "../../../shared/problems.ts";
import { didYouMean, listed } from "../../../shared/suggest.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { LiveFlows } from "../../flows/live-flows.ts";
import type { ArmedMocks } from "../../threads/invocation.ts";
import type { SessionRequest } from "./test-service.ts";
import type { TestSession } from "./test-session.ts";

/** Finds the deployment that the request is for. Throws not_found, session_invalid. */
export function deploymentFor(live: LiveFlows, { flowId, set }: SessionRequest): Deployment {
  if (flowId === undefined) return theOnlyOneWith(live, stepIdsOf(set.targets));
  const deployment = live.get(flowId);
  if (deployment !== undefined) return deployment;
  const near = didYouMean(
    flowId,
    [...live.all()].map((one) => one.flowId),
  );
  throw new AppError("not_found", `no flow '${flowId.slice(0, 200)}' is deployed and started${near}`);
}

function theOnlyOneWith(live: LiveFlows, wanted: readonly string[]): Deployment {
  if (wanted.length === 0) throw invalid("name the flow in flowId: no mock names a step by which it could be found");
  const all = [...live.all()].map((deployment) => ({ deployment, missing: missingIn(deployment, wanted) }));
  const found = all.filter(({ missing }) => missing.length === 0).map(({ deployment }) => deployment);
  if (found.length > 1) {
    const names = listed(found.map(({ flowId }) => `'${flowId}'`));
    throw invalid(`these steps are in several flows (${names}): name the one that you mean in flowId`);
  }
  if (found[0] !== undefined) return found[0];
  const [best] = all.toSorted((a, b) => a.missing.length - b.missing.length);
  if (best !== undefined && best.missing.length < wanted.length) {
    const lacks = listed(best.missing.map((id) => `'${id}'`));
    throw invalid(`no flow has all of these steps: '${best.deployment.flowId}' lacks ${lacks}`);
  }
  const known = all.flatMap(({ deployment }) => deployment.manifest.steps.map(({ id }) => id));
  const [first = ""] = wanted;
  throw invalid(`no flow that is deployed has a step '${first.slice(0, 200)}'${didYouMean(first, known)}`);
}

function stepIdsOf(targets: readonly MockTarget[]): string[] {
  return targets.flatMap((target) => ("stepId" in target ? [target.stepId] : []));
}

function missingIn({ manifest }: Deployment, wanted: readonly string[]): string[] {
  const steps = new Set(manifest.steps.map(({ id }) => id));
  return wanted.filter((id) => !steps.has(id));
}

function invalid(message: string): AppError {
  return new InvalidDocument("session_invalid", [{ pointer: "", message }]);
}

/** Throws mock_conflict when another session mocks the same targets for the whole deployment. */
export function refuseConflicts({ mocks = [] }: Deployment, { scope, set, replaceFrom }: SessionRequest): void {
  if (scope !== "deployment") return;
  for (const other of mocks) {
    for (const target of set.targets) {
      if (other.set.targets.some((taken) => sameTarget(taken, target))) {
        throw conflict(`${"stepId" in target ? "step" : "endpoints"} '${targetName(target)}'`, other);
      }
    }
    const route = Object.keys(replaceFrom).find((routeId) => other.replaced.has(routeId));
    if (route !== undefined) throw conflict(`the trigger of route '${route}'`, other);
  }
}

/** Takes a session off its deployment: runs that begin from now on are not in it. */
export function withdraw(session: TestSession): void {
  const { deployment } = session;
  const rest = deployment.mocks?.filter((other) => other !== session) ?? [];
  deployment.mocks = rest.length === 0 ? undefined : rest;
}

type Target = ArmedMocks["set"]["targets"][number];

function sameTarget(a: Target, b: Target): boolean {
  return "stepId" in a === "stepId" in b && targetName(a) === targetName(b);
}

function conflict(what: string, { sessionId }: ArmedMocks): AppError {
  return new AppError(
    "mock_conflict",
    `${what} is mocked for the whole deployment by session '${sessionId}' already: close that one, or send scope: session`,
  );
}

/** Throws InvalidDocument for names that the flow does not have or that are ambiguous, and for endpoints of `replaceFrom` that it has already. */
export function refuseUnknownNames(deployment: Deployment, request: SessionRequest): void {
  const problems = [
    ...unknownSteps(deployment, request),
    ...sharedNames(request),
    ...wrongReplacements(deployment, request),
    ...wrongInvoke(deployment, request),
  ];
  if (problems.length > 0) throw new InvalidDocument("session_invalid", problems);
}

function unknownSteps({ manifest, flowId }: Deployment, request: SessionRequest): DocumentProblem[] {
  const steps = new Set(manifest.steps.map(({ id }) => id));
  return request.set.targets.flatMap((target, index) => {
    if (!("stepId" in target) || steps.has(target.stepId)) return [];
    const message = `flow '${flowId}' has no step '${shown(target.stepId)}'${didYouMean(target.stepId, steps)}`;
    return { pointer: placeOf(index, request), message };
  });
}

/** Returns the place of the first mock that has the target. */
function placeOf(target: number, { set, places }: SessionRequest): string {
  return places[set.mocks.findIndex((mock) => mock.target === target)] ?? "";
}

/** Returns a problem for each pattern that is also the id of a mocked step: calls are counted by these names. */
function sharedNames(request: SessionRequest): DocumentProblem[] {
  const { targets } = request.set;
  const steps = new Set(targets.map((target) => ("stepId" in target ? target.stepId : undefined)));
  return targets.flatMap((target, index) => {
    if (!("uri" in target) || !steps.has(target.uri)) return [];
    const message = `'${shown(target.uri)}' is a step and a pattern of endpoints here: write the pattern in another way, such as with * at its end`;
    return { pointer: placeOf(index, request), message };
  });
}

function wrongReplacements(deployment: Deployment, { replaceFrom }: SessionRequest): DocumentProblem[] {
  const routes = routeIds(deployment);
  const directs = directNames(deployment);
  return Object.entries(replaceFrom).flatMap(([routeId, endpoint]) => {
    const pointer = extendPointer("/replaceFrom", routeId);
    const name = directNameOf(endpoint);
    if (!routes.includes(routeId)) {
      return { pointer, message: `flow '${deployment.flowId}' has no such route${didYouMean(routeId, routes)}` };
    }
    if (name === undefined || !directs.includes(name)) return [];
    return { pointer, message: `the flow has a route behind direct:${name} already: give another name` };
  });
}

/** Returns a problem when `test/invoke` could not find or begin the route of `invoke`. */
function wrongInvoke(deployment: Deployment, { invoke = {}, replaceFrom }: SessionRequest): DocumentProblem[] {
  const { endpoint, routeId } = invoke;
  const { flowId, manifest } = deployment;
  if (endpoint !== undefined) {
    const name = directNameOf(endpoint);
    const known = [...directNames(deployment).map((one) => `direct:${one}`), ...Object.values(replaceFrom)];
    if (name !== undefined && known.includes(`direct:${name}`)) return [];
    const why = name === undefined ? "it is no direct: endpoint" : `flow '${flowId}' has no route behind it`;
    const near = didYouMean(endpoint, known);
    const message = `'${shown(endpoint)}': ${why}, and replaceFrom gives it to none${near}`;
    return [{ pointer: "/invoke/endpoint", message }];
  }
  if (routeId === undefined) return [];
  const pointer = "/invoke/routeId";
  const route = manifest.routes.find(({ id }) => id === routeId);
  if (route === undefined) {
    const near = didYouMean(routeId, routeIds(deployment));
    return [{ pointer, message: `flow '${flowId}' has no route '${shown(routeId)}'${near}` }];
  }
  if (route.trigger.kind === "direct" || Object.hasOwn(replaceFrom, routeId)) return [];
  const replace = `"replaceFrom": {"${routeId}": "direct:${routeId}"}`;
  return [{ pointer, message: `route '${routeId}' is not behind a direct: endpoint: add ${replace}` }];
}

function routeIds({ manifest }: Deployment): string[] {
  return manifest.routes.map(({ id }) => id);
}

function directNames({ manifest }: Deployment): string[] {
  return manifest.routes.flatMap(({ trigger }) => (trigger.kind === "direct" ? [trigger.name] : []));
}

/** Returns the name in `direct:name` or `direct://name`, with or without options; undefined for any other endpoint. */
export function directNameOf(endpoint: string): string | undefined {
  return /^direct:(?:\/\/)?([^?\s]+)(?:\?.*)?$/.exec(endpoint)?.[1];
}

function shown(name: string): string {
  return name.slice(0, 200);
}

/** Returns the name of a target in reports and counts: the step's id, or the pattern. */
export function targetName(target: MockTarget): string {
  return "stepId" in target ? target.stepId : target.uri;
}

/** Returns warnings about what the caller probably did not intend. */
export function warningsOf({ set, places, recordedFrom }: SessionRequest, deployment: Deployment): string[] {
  return [
    ...unreachable(set, places),
    ...set.mocks.flatMap((mock, i) => statuses(mock, places[i])),
    ...ambiguous(set, deployment),
    ...(recordedFrom === undefined || recordedFrom.hash === deployment.hash
      ? []
      : [
          `run '${recordedFrom.runId}' was recorded with another version of the flow (${recordedFrom.hash.slice(0, 12)}): steps and answers may have changed since`,
        ]),
  ];
}

/** Warns of mocks that are never tried, since an earlier mock takes all calls. */
function unreachable({ mocks, targets }: MockSet, places: readonly string[]): string[] {
  const hiding = new Map<number, number>();
  return mocks.flatMap((mock, i) => {
    const by = hiding.get(mock.target);
    if (by === undefined && mock.when === undefined && (mock.times === 0 || mock.after !== "passthrough")) {
      hiding.set(mock.target, i);
    }
    const target = targets[mock.target];
    if (by === undefined || target === undefined) return [];
    return [`${places[i]} is never tried: ${places[by]} takes all calls of '${targetName(target)}'`];
  });
}

function statuses({ actions }: Mock, place = ""): string[] {
  const status = actions
    .flatMap((action) => (action.kind === "respond" ? [action.status ?? 0] : []))
    .find((s) => s >= 300);
  if (status === undefined) return [];
  return [
    `${place}: respond.status ${status} sets CamelHttpResponseCode and does not fail the step: to fail as an HTTP endpoint does, use throw with type HttpOperationFailedException and statusCode ${status}`,
  ];
}

function ambiguous({ targets }: MockSet, { manifest }: Deployment): string[] {
  return targets.flatMap((target) => {
    if (!("stepId" in target)) return [];
    // A clause's steps stand in the table once for each of its routes.
    const places = manifest.steps.flatMap(({ id, at }) => (id === target.stepId ? `${at.line}:${at.column}` : []));
    const times = new Set(places).size;
    return times < 2 ? [] : [`the flow has ${times} steps '${target.stepId}': the mocks are for all of them`];
  });
}
