/** What a pruned deployment of a set removes: what an earlier deployment of the same set has brought, and nothing else. */
import { AppError } from "../../shared/errors.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { Policies } from "../access/policies.ts";
import type { ConnectionAdmin } from "../connections/connection-admin.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import type { MappingAdmin } from "../mappings/mapping-admin.ts";
import type { SetDocument, SetOptions } from "./set-document.ts";

export interface Removals {
  readonly flows: readonly string[];
  readonly mappings: readonly { readonly kind: MappingKind; readonly id: string }[];
  /** By their flow, which may be among those that are removed. */
  readonly policies: readonly string[];
  readonly connections: readonly string[];
}

export const noRemovals: Removals = { flows: [], mappings: [], policies: [], connections: [] };

export interface RemovalParts {
  readonly register: Pick<FlowRegister, "all">;
  readonly mappings: Pick<MappingAdmin, "ofSet">;
  readonly policies: Pick<Policies, "ofSet">;
  readonly connections: Pick<ConnectionAdmin, "ofSet">;
}

/** How many removals need no confirmation by their number. */
const mostUnconfirmed = 10;

export function removalsOf(
  { register, mappings, policies, connections }: RemovalParts,
  { set, ...document }: SetDocument & { readonly set: string },
): Removals {
  const flows = new Set(document.flows.map(({ id }) => id));
  const held = new Set(document.mappings.map(({ kind, id }) => `${kind} ${id}`));
  const named = new Set(document.connections.map(({ name }) => name));
  const guarded = new Set(document.policies.map(({ flowId }) => flowId));
  return {
    flows: [...register.all()].filter((flow) => flow.set === set && !flows.has(flow.id)).map(({ id }) => id),
    mappings: mappings.ofSet(set).filter(({ kind, id }) => !held.has(`${kind} ${id}`)),
    policies: policies.ofSet(set).filter((flowId) => !guarded.has(flowId)),
    connections: connections.ofSet(set).filter((name) => !named.has(name)),
  };
}

/** Throws removals_refused. The policy of a flow that is removed goes with it, and is not counted. */
export function refuseRemovals(
  { flows, mappings, policies, connections }: Removals,
  { expectRemovals }: Pick<SetOptions, "expectRemovals">,
): void {
  const alone = policies.filter((flowId) => !flows.includes(flowId));
  const count = flows.length + mappings.length + alone.length + connections.length;
  if (expectRemovals === undefined ? count <= mostUnconfirmed : count === expectRemovals) return;
  const expected = expectRemovals === undefined ? "" : `, not ${expectRemovals}`;
  throw new AppError(
    "removals_refused",
    `the deployment would remove ${flows.length} flows, ${mappings.length} mappings, ${alone.length} policies and ${connections.length} connections${expected}: look ` +
      `at them with dryRun=true, and send expectRemovals=${count} if they are to go`,
  );
}
