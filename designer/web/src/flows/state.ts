/** The state of a flow: what the workspace has, what a runtime has, and what was deployed from here. */
import type { Deployed, FailedDeployment, FlowEntry } from "../../../shared/wire.ts";

export const flowStates = ["Draft", "Saved", "Deployed", "Modified", "Drifted", "Failed"] as const;
/**
 * - Draft: new, not saved by its author yet.
 * - Saved: on the disk, and not on this runtime.
 * - Deployed: the runtime has what the disk has.
 * - Modified: changed here since it was deployed; the runtime still has what was deployed.
 * - Drifted: the runtime has something that was not deployed from here.
 * - Failed: the runtime could not start it, or has refused to take what the disk has.
 */
export type FlowState = (typeof flowStates)[number];

/** What counts of an entry of the workspace. */
export type Kept = Pick<FlowEntry, "draft" | "hash" | "optionsHash">;

/** What counts of the runtime's entry for the flow. */
export interface Running {
  readonly state: string;
  /** Of the file in the runtime's folder. */
  readonly hash: string;
  /** Of what runs; null: nothing of it does. */
  readonly deployedHash: string | null;
  readonly revision: number | null;
}

interface Sides {
  readonly kept: Kept;
  /** Absent: the runtime does not have the flow. `unknown`: it does not answer, and the records of this side decide. */
  readonly running: Running | "unknown" | undefined;
  /** What was deployed from here to that runtime at last. */
  readonly deployed: Deployed | undefined;
  /** What that runtime has refused at last. */
  readonly failed?: FailedDeployment | undefined;
  /** The editor has changes that are not on the disk. */
  readonly isUnsaved?: boolean;
}

export function stateOf(sides: Sides): FlowState {
  const { kept, running, failed, isUnsaved = false } = sides;
  if (running !== undefined && running !== "unknown" && running.state === "Failed") return "Failed";
  const state = comparedState(sides);
  return state !== "Deployed" && !isUnsaved && isRefused(kept, failed) ? "Failed" : state;
}

/** Whether what the disk has is what was refused. */
export function isRefused({ hash, optionsHash }: Kept, failed: FailedDeployment | undefined): boolean {
  return failed !== undefined && failed.hash === hash && failed.optionsHash === optionsHash;
}

function comparedState({ kept, running, deployed, isUnsaved = false }: Sides): FlowState {
  if (running === undefined || (running === "unknown" && deployed === undefined))
    return kept.draft && deployed === undefined ? "Draft" : "Saved";
  const isChanged =
    isUnsaved || (deployed !== undefined && (kept.hash !== deployed.hash || kept.optionsHash !== deployed.optionsHash));
  if (running === "unknown") return isChanged ? "Modified" : "Deployed";
  const hash = running.deployedHash ?? running.hash;
  // The file in the runtime's folder was edited by hand: its next start deploys that.
  if (running.state === "Changed") return "Drifted";
  if (deployed === undefined || deployed.hash !== hash) {
    // Somebody else has deployed: the same text is no drift. Its options are those that were deployed from here, or unknown.
    if (hash !== kept.hash) return "Drifted";
    return isUnsaved || (deployed !== undefined && deployed.optionsHash !== kept.optionsHash) ? "Modified" : "Deployed";
  }
  // The text is as it was deployed. A later revision has other options, or was rolled back to.
  if (running.revision !== null && running.revision !== deployed.revision) return "Drifted";
  return isChanged ? "Modified" : "Deployed";
}
