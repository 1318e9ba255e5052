/**
 * Warns of flows that deploy but probably fail their purpose: redelivery that never waits, and a call that the caller's
 * own path controls.
 */

import type { EndpointModel, ErrorsModel, RedeliveryModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { namePattern } from "../engine/name-pattern.ts";
import type { StepDraft } from "./context.ts";
import type { Report } from "./report.ts";

const timing: readonly (keyof RedeliveryModel)[] = [
  "redeliveryDelay",
  "maximumRedeliveryDelay",
  "useExponentialBackOff",
  "backOffMultiplier",
  "useCollisionAvoidance",
  "collisionAvoidanceFactor",
  "delayPattern",
];

/**
 * Warns of settings of a redeliveryPolicy that have no effect, because no step is tried again or no delay is waited. A
 * policy counts as used if it has an effect in one of several routes, or in a clause that inherits it.
 */
export function warnOfIdleRedelivery(routes: readonly RouteModel[], report: Report): void {
  const used = new Set<RedeliveryModel>();
  const found = new Map<RedeliveryModel, ErrorsModel["handler"]["at"]>();
  for (const { errors } of routes) {
    if (errors === undefined) continue;
    const { handler, clauses } = errors;
    const retries = repeats(handler.redelivery);
    if (handler.redelivery !== undefined) {
      found.set(handler.redelivery, handler.at);
      if (retries) used.add(handler.redelivery);
    }
    for (const { redelivery, retryWhile, at } of clauses) {
      if (redelivery !== undefined) found.set(redelivery, at);
      const own = redelivery?.maximumRedeliveries === undefined ? retries : repeats(redelivery);
      if (!own && retryWhile === undefined) continue;
      if (redelivery !== undefined) used.add(redelivery);
      if (handler.redelivery !== undefined) used.add(handler.redelivery);
    }
  }
  for (const [policy, at] of found) {
    const idle = used.has(policy) ? undefined : timing.find((name) => policy[name] !== undefined);
    if (idle === undefined) continue;
    const message = `'${idle}' of this redeliveryPolicy has no effect: nothing is tried again without maximumRedeliveries`;
    report.warning("no_effect", message, { at, pointer: "" });
  }
}

function repeats(policy: RedeliveryModel | undefined): boolean {
  return (policy?.maximumRedeliveries ?? 0) !== 0 && policy?.disableRedelivery !== true;
}

/** Warns of state that is kept under a generated id: another step of the type before it changes the id, and so the state. */
export function warnOfGeneratedNames({ state = [] }: FlowManifest, steps: readonly StepDraft[], report: Report): void {
  for (const { name, stepId } of state) {
    const own = name === stepId || name === `aggregate:${stepId}`;
    const draft = own ? steps.find(({ model }) => model.id === stepId) : undefined;
    if (draft === undefined || draft.idAt !== undefined) continue;
    const { model, route } = draft;
    const message = `what the step keeps is found under its generated id '${name}', which changes with the steps before it: give the step an id`;
    report.warning("generated_state_name", message, { at: model.at, pointer: "" }, { route, step: model });
  }
}

/** Headers that change the target of a call; either is enough. */
const steering = ["camelhttpuri", "camelhttppath"] as const;

/**
 * In a platform-http route the caller's path and query are headers that control an http endpoint (CamelHttpPath,
 * CamelHttpUri, CamelHttpQuery), as in Camel. A call in such a route therefore goes to another place than its URI.
 * Warns of the first call in each route that gets these headers, also over `direct:` within the flow.
 */
export function warnOfCallerPaths(routes: readonly RouteModel[], report: Report): void {
  const directs = new Map(routes.map((route) => [route.from.endpoint.uri, route]));
  for (const route of routes) {
    const { scheme, options } = route.from.endpoint;
    if (scheme !== "platform-http" || options["path"] === undefined) continue;
    const found = firstCall(route.steps, { directs, seen: new Set(), left: new Set(steering) });
    if (found === undefined || found === "removed") continue;
    const message =
      `the caller's path and query go into the call of '${found.id}', as in Camel: the headers CamelHttpPath, CamelHttpUri and ` +
      `CamelHttpQuery of 'from' in route '${route.id}' come before its URI. Write 'removeHeaders: CamelHttp*' before it, or bridgeEndpoint=true`;
    report.warning("caller_path", message, { at: found.at, pointer: "" });
  }
}

type Found = StepModel | "removed" | undefined;

interface Walk {
  readonly directs: ReadonlyMap<string, RouteModel>;
  readonly seen: Set<RouteModel>;
  /** The headers that no step has removed yet. */
  readonly left: Set<string>;
}

function firstCall(steps: readonly StepModel[], walk: Walk): Found {
  const { directs, seen, left } = walk;
  for (const step of steps) {
    for (const name of left) if (removes(step, name)) left.delete(name);
    if (left.size === 0) return "removed";
    const endpoint = (step.options as { readonly endpoint?: EndpointModel }).endpoint;
    if (step.type === "to" && endpoint !== undefined && isSteered(endpoint)) return step;
    const called = endpoint === undefined ? undefined : directs.get(endpoint.uri);
    const inner = called === undefined || seen.has(called) ? stepsIn(step.options) : called.steps;
    if (called !== undefined) seen.add(called);
    const found = firstCall(inner, walk);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSteered({ scheme, options }: EndpointModel): boolean {
  return /^https?$/.test(scheme) && options["bridgeEndpoint"] !== true && options["skipControlHeaders"] !== true;
}

/** Whether the step removes the header. */
function removes({ type, options }: StepModel, header: string): boolean {
  const { pattern, name, excludePattern } = options as Readonly<Record<string, unknown>>;
  if (type === "removeHeader") return String(name).toLowerCase() === header;
  if (type !== "removeHeaders" || typeof pattern !== "string" || excludePattern !== undefined) return false;
  return namePattern(pattern)(header);
}

/** Lists the steps directly inside a step, in any of its clauses. */
function stepsIn(value: unknown): readonly StepModel[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "steps" && Array.isArray(inner)) return inner as StepModel[];
    return Array.isArray(inner) ? inner.flatMap(stepsIn) : stepsIn(inner);
  });
}
