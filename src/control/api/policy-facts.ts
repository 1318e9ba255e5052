/** What answers about a flow have of its access policy. */
import type { InForce } from "../access/planned-policy.ts";
import type { Warning } from "../flows/flow-service.ts";
import type { Services } from "./services.ts";

type KnownPolicies = Pick<Services["policies"], "inForce">;

/** Null: the flow has none. */
export function policyFacts(policies: KnownPolicies, flowId: string) {
  const found = policies.inForce(flowId);
  if (found === undefined) return null;
  const { hash, revision, policy } = found;
  return { hash, revision, mode: policy.mode, understood: policy.understood, writtenBy: writtenBy(found) };
}

export function writtenBy({ writtenBy }: Pick<InForce, "writtenBy">) {
  return writtenBy ?? null;
}

/** The warnings of the policy in force. */
export function policyWarnings(policies: KnownPolicies, flowId: string): readonly Warning[] {
  const { warnings = [] } = policies.inForce(flowId)?.policy ?? {};
  return warnings.map(({ code, message }) => ({ code, message: `policy: ${message}`, line: null, column: null }));
}
