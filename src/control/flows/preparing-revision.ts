/** The writing of a revision while the flow is checked and compiled. */
import { optionsOf } from "../stores/flow-options.ts";
import type { DesiredState, FlowStore, PreparedRevision, RevisionContent } from "../stores/stores.ts";
import type { DeployOrder } from "./deploy-order.ts";

/** The state that every deployment has kept. */
export const deployedState: DesiredState = "started";

/** The writing of a revision, which becomes the flow with its commit. */
export interface Preparing {
  readonly revision: Promise<PreparedRevision>;
  /** Resolves when nothing of it is left. */
  abandon(): Promise<void>;
}

export function prepareRevision(store: FlowStore, flowId: string, content: RevisionContent): Preparing {
  const revision = store.prepare(flowId, content);
  const abandon = () =>
    revision.then(
      (prepared) => prepared.discard(),
      () => undefined,
    );
  // It may fail before anybody waits for it.
  revision.catch(() => undefined);
  return { revision, abandon };
}

/** Returns what a deployment keeps. */
export function contentOf(order: DeployOrder): RevisionContent {
  const { yaml, set } = order;
  return { yaml, ...optionsOf(order), ...(set !== undefined && { set }), state: deployedState };
}
