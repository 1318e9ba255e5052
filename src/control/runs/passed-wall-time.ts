/** Which wall-time limit a run has passed: the one of whoever waits for it. */
import type { LimitName } from "../../shared/limits.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { PassedLimit, RunRecord } from "./run-record.ts";

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
