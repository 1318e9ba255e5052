/** What a pruned deployment of a set removes: what an earlier deployment of the same set has brought, and nothing else. */
import { AppError } from "../../shared/errors.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { Policies } from "../access/policies.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import type { MappingAdmin } from "../mappings/mapping-admin.ts";
import type { SetDocument, SetOptions } from "./set-document.ts";

export interface Removals {
  readonly flows: readonly string[];
  readonly mappings: readonly { readonly kind: MappingKind; readonly id: string }[];
  /** By their flow, which may be among those that are removed. */
  readonly policies: readonly string[];
}

export const noRemovals: Removals = { flows: [], mappings: [], policies: [] };

export interface RemovalParts {
  readonly register: Pick<FlowRegister, "all">;
  readonly mappings: Pick<MappingAdmin, "ofSet">;
  readonly policies: Pick<Policies, "ofSet">;
}

/** How many removals need no confirmation by their number. */
const mostUnconfirmed = 10;

export function removalsOf(
  { register, mappings, policies }: RemovalParts,
  { set, ...document }: SetDocument,
): Removals {
  const flows = new Set(document.flows.map(({ id }) => id));
  const held = new Set(document.mappings.map(({ kind, id }) => `${kind} ${id}`));
  const guarded = new Set(document.policies.map(({ flowId }) => flowId));
  return {
    flows: [...register.all()].filter((flow) => flow.set === set && !flows.has(flow.id)).map(({ id }) => id),
    mappings: mappings.ofSet(set).filter(({ kind, id }) => !held.has(`${kind} ${id}`)),
    policies: policies.ofSet(set).filter((flowId) => !guarded.has(flowId)),
  };
}

/** Throws removals_refused. The policy of a flow that is removed goes with it, and is not counted. */
export function refuseRemovals(
  { flows, mappings, policies }: Removals,
  { expectRemovals }: Pick<SetOptions, "expectRemovals">,
): void {
  const alone = policies.filter((flowId) => !flows.includes(flowId));
  const count = flows.length + mappings.length + alone.length;
  if (expectRemovals === undefined ? count <= mostUnconfirmed : count === expectRemovals) return;
  const expected = expectRemovals === undefined ? "" : `, not ${expectRemovals}`;
  throw new AppError(
    "removals_refused",
    `the deployment would remove ${flows.length} flows, ${mappings.length} mappings and ${alone.length} policies${expected}: look ` +
      `at them with dryRun=true, and send expectRemovals=${count} if they are to go`,
  );
}
