/** How the end of a run is recorded whose thread was killed, or that exceeded a limit or was refused. */
import type { ErrorCode } from "../../shared/errors.ts";
import type { LimitName } from "../../shared/limits.ts";
import { Outcome, type WireError } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { KillReason } from "../threads/kill.ts";
import type { PassedLimit, RunOutcome, RunRecord } from "./run-record.ts";

/** The outcomes of runs that were lost although no run of their thread is to blame. */
export const innocentOutcomes: Partial<Record<KillReason, RunOutcome>> = { redeploy: "redeploy", host: "error" };

/** The outcomes of runs for which their thread was killed. */
export const killOutcomes = {
  cpu_limit: "cpu_limit",
  stuck_loop: "cpu_limit",
  host: "error",
  flood: "error",
  memory_limit: "memory_limit",
  exit: "error",
  redeploy: "redeploy",
} as const satisfies Record<Exclude<KillReason, "timeout">, RunOutcome>;

/** Lists the ids of runs that were lost together, at most ten. */
export function listed(runIds: readonly string[]): string {
  return runIds.length <= 10 ? runIds.join(", ") : `${runIds.slice(0, 10).join(", ")}, ...`;
}

/** Returns the error of a run that was stopped, for a message to be set. It keeps the place of the failure, if there was one. */
export function placeOf(error: WireError | null): WireError {
  return error ?? { type: "RunCancelledException", message: "", stepId: null, line: null };
}

export interface RefusedMessage {
  readonly code: ErrorCode;
  readonly message: string;
}

const refusals: Partial<Record<Outcome, RefusedMessage>> = {
  [Outcome.badJson]: { code: "bad_json", message: "the body is not the JSON that its Content-Type says" },
  [Outcome.badForm]: { code: "bad_request", message: "the form has an escape that is not UTF-8" },
  [Outcome.longForm]: {
    code: "body_too_large",
    message: "the form's fields are more than a message's headers hold",
  },
  [Outcome.bigJson]: {
    code: "body_too_large",
    message: "the values of the JSON document take more memory than the flow's thread has",
  },
};

/** Returns the answer for a message that the thread refused; undefined: it was not refused. */
export function refusedMessage(outcome: Outcome | undefined): RefusedMessage | undefined {
  return outcome === undefined ? undefined : refusals[outcome];
}

interface WaitedFor {
  readonly record: Pick<RunRecord, "trigger" | "startedAt">;
  /** Epoch ms. */
  readonly deadline: number;
  readonly deployment: Pick<Deployment, "limits">;
}

/** Returns the wall-time limit that was exceeded. `root`: the topmost run that waits for the run that has exceeded it, or that run itself. */
export function passedWallTime(root: WaitedFor): PassedLimit {
  const { kind } = root.record.trigger;
  const now = Date.now();
  if (kind === "test") {
    const { startedAt } = root.record;
    return { name: "timeoutMs", allowed: root.deadline - startedAt, used: now - startedAt };
  }
  const name: LimitName = kind === "webhook" || kind === "http" ? "webhookWallMs" : "timerWallMs";
  const allowed = root.deployment.limits[name];
  return { name, allowed, used: now - (root.deadline - allowed) };
}
