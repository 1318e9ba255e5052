/** How a run ends whose thread was killed, or that was ended for a limit. */
import type { WireError } from "../../shared/protocol.ts";
import type { KillReason } from "../threads/kill.ts";
import type { RunOutcome } from "./run-record.ts";

/** Of runs that no run of their thread is to blame for. */
export const innocentOutcomes: Partial<Record<KillReason, RunOutcome>> = { redeploy: "redeploy", host: "error" };

export const killOutcomes = {
  cpu_limit: "cpu_limit",
  stuck_loop: "cpu_limit",
  host: "error",
  flood: "error",
  memory_limit: "memory_limit",
  exit: "error",
  redeploy: "redeploy",
} as const satisfies Record<Exclude<KillReason, "timeout">, RunOutcome>;

/** The first of the runs that were lost together, for people. */
export function listed(runIds: readonly string[]): string {
  return runIds.length <= 10 ? runIds.join(", ") : `${runIds.slice(0, 10).join(", ")}, ...`;
}

/** The error of a run that was ended, whose message is still to be written: its place is that of the failure, when there is one. */
export function placeOf(error: WireError | null): WireError {
  return error ?? { type: "RunCancelledException", message: "", stepId: null, line: null };
}
