/** Whether a revision can go on with the groups that earlier revisions of its flow have begun. */
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { foreignGroups } from "../state/group-operations.ts";
import { StateFailure } from "../state/operations.ts";
import type { StateStore } from "../state/state-store.ts";
import type { FlowStore } from "../stores/stores.ts";

interface Parts {
  readonly state: { readonly groups: Pick<StateStore["groups"], "foreign"> };
  readonly store: Pick<FlowStore, "incarnation">;
}

/** Throws AppError state_in_use when an `aggregate` step has changed in a way that its groups cannot follow. */
export async function refuseForeignGroups(
  { state, store }: Parts,
  flowId: string,
  manifest: FlowManifest,
): Promise<void> {
  const kept = manifest.state?.filter(({ kind }) => kind === "aggregation") ?? [];
  if (kept.length === 0) return;
  const incarnation = await store.incarnation(flowId);
  if (incarnation === undefined) return;
  for (const { name, fingerprint = "" } of kept) {
    const count = await state.groups.foreign({ flowId, incarnation }, name, fingerprint).catch(unknown);
    if (count > 0) throw new AppError("state_in_use", foreignGroups(count, flowId, name));
  }
}

/** A store that fails is reported by its users, and does not keep a flow from being deployed. */
function unknown(error: unknown): number {
  if (error instanceof StateFailure) return 0;
  throw error;
}
