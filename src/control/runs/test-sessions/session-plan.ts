/** Which of the flows that are deployed a request for a session means. */
import { AppError } from "../../../shared/errors.ts";
import type { MockTarget } from "../../../shared/mock.ts";
import { didYouMean, listed } from "../../../shared/suggest.ts";
import type { Deployment } from "../../flows/deployment.ts";
import type { LiveFlows } from "../../flows/live-flows.ts";
import type { SessionRequest } from "./test-service.ts";

/** The deployment that is meant. Throws not_found, session_invalid. */
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
  return new AppError("session_invalid", message);
}
