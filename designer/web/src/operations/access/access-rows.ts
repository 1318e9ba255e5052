/** Which flows of a runtime have an access policy. */
import type { Schemas } from "../../api/runtime.ts";

export const guards = ["open", "report", "enforce", "closed", "unused"] as const;
/**
 * - open: no policy, so everybody may call it.
 * - report: calls that its policy denies are logged, and let through.
 * - enforce: its policy decides.
 * - closed: its policy is not understood, so only the deploy token gets in.
 * - unused: a policy of a flow that the runtime does not have.
 */
export type Guard = (typeof guards)[number];

export interface AccessRow {
  readonly flowId: string;
  readonly guard: Guard;
  readonly routes: readonly string[];
  readonly policy: Schemas["InstalledPolicy"] | undefined;
}

type Flow = Pick<Schemas["FlowSummary"], "id" | "routes">;

/** Sorted by the flow's id. */
export function accessRows(
  flows: readonly Flow[],
  policies: readonly Schemas["InstalledPolicy"][],
): readonly AccessRow[] {
  const known = new Map(policies.map((policy) => [policy.flowId, policy]));
  const routes = new Map(flows.map((flow) => [flow.id, flow.routes.map(({ id }) => id)]));
  return [...new Set([...routes.keys(), ...known.keys()])].sort().map((flowId) => {
    const policy = known.get(flowId);
    return { flowId, guard: guardOf(policy, routes.has(flowId)), routes: routes.get(flowId) ?? [], policy };
  });
}

function guardOf(policy: Schemas["InstalledPolicy"] | undefined, isThere: boolean): Guard {
  if (policy === undefined) return "open";
  if (!isThere) return "unused";
  if (!policy.understood) return "closed";
  return policy.mode;
}
