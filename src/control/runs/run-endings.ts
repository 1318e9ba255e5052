/** How a run ends whose thread was killed, or that was ended for a limit. */
import type { ErrorCode } from "../../shared/errors.ts";
import type { LimitName } from "../../shared/limits.ts";
import { Outcome, type WireError } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { KillReason } from "../threads/kill.ts";
import type { PassedLimit, RunOutcome, RunRecord } from "./run-record.ts";

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

/** undefined: the run did not end for its message. */
export function refusedMessage(outcome: Outcome | undefined): RefusedMessage | undefined {
  return outcome === undefined ? undefined : refusals[outcome];
}

interface WaitedFor {
  readonly record: Pick<RunRecord, "trigger" | "startedAt">;
  /** Epoch ms. */
  readonly deadline: number;
  readonly deployment: Pick<Deployment, "limits">;
}

/** `root`: the topmost of the runs that wait for the one that has passed it, or that one itself. */
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
