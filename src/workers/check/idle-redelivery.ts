/** Settings of a redeliveryPolicy that nothing ever asks for: no step is tried again, so no delay is waited. */
import type { ErrorsModel, RedeliveryModel, RouteModel } from "../../shared/flow-model.ts";
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

/** A policy may be of use to one route of several, and a handler's to a clause that inherits it. */
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
