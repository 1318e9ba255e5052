/** Which wall-time limit a run has passed: the one of whoever waits for it. */
import type { LimitName } from "../../shared/limits.ts";
import type { PassedLimit } from "./run-record.ts";
import type { RunningRun } from "./running-run.ts";

export function passedWallTime({ root }: RunningRun): PassedLimit {
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
