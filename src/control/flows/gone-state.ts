/** Removes what flows had kept that are gone, where their DELETE did not come to it. */
import type { Owner } from "../state/operations.ts";
import type { StateStore } from "../state/state-store.ts";
import type { FlowStore } from "../stores/stores.ts";
import type { LiveFlows } from "./live-flows.ts";

interface Parts {
  readonly state: Pick<StateStore, "owners">;
  readonly store: Pick<FlowStore, "incarnation">;
  readonly live: Pick<LiveFlows, "get">;
}

/** `owners`: those that a group's file has something of. What cannot be decided or removed stays until the file is opened again. */
export async function forgetGone(owners: readonly Owner[], { state, store, live }: Parts): Promise<void> {
  for (const owner of owners) {
    const { flowId, incarnation } = owner;
    if (live.get(flowId)?.pool.incarnation === incarnation) continue;
    try {
      const current = await store.incarnation(flowId);
      if (current !== undefined && current > incarnation) await state.owners.forget(owner);
    } catch {
      // The next opening tries again.
    }
  }
}
