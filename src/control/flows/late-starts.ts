/**
 * Flows that were loaded at boot without a thread: each is compiled once, behind everything else, so that one that cannot start is
 * reported within a minute and not at its first call.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { reportFailed } from "./boot-load.ts";
import type { ChangeQueue } from "./change-queue.ts";
import { type Deployer, startFailure } from "./deployer.ts";
import type { Deployment } from "./deployment.ts";

/** The first calls after a start come before this. */
const quietMs = 1000;
/** All of them are compiled within this, if the machine can; few flows leave half of a core to others. */
const withinMs = 50_000;
const leastPauseMs = 2;
/** A call that waits for a thread goes first, but calls without end hold up no report. */
const mostYieldMs = 1000;
const lookMs = 20;

export interface LateStartParts {
  readonly deployer: Deployer;
  readonly changes: ChangeQueue;
  /** A call waits for a thread. */
  readonly busy: () => boolean;
}

/** Resolves when all have been compiled or reported, or `stopped` is aborted. */
export async function startLate({ deployer, changes, busy }: LateStartParts, stopped: AbortSignal): Promise<void> {
  const waiting = [...deployer.parts.live.all()].filter(({ pool }) => !pool.compiled);
  if (waiting.length > 0) await pause(quietMs, stopped);
  const slotMs = withinMs / waiting.length;
  for (const deployment of waiting) {
    const { flowId, pool } = deployment;
    for (let yielded = 0; busy() && yielded < mostYieldMs && !stopped.aborted; yielded += lookMs)
      await pause(lookMs, stopped);
    if (stopped.aborted) return;
    if (pool.compiled || deployer.parts.live.get(flowId) !== deployment) continue;
    const began = performance.now();
    try {
      await pool.compileOnce();
    } catch (error) {
      await changes.boot(flowId, async () => giveUp(deployer, deployment, startFailure(error)));
    }
    const tookMs = performance.now() - began;
    await pause(Math.max(leastPauseMs, Math.min(tookMs, slotMs - tookMs)), stopped);
  }
}

/** As a flow is that did not start at boot. Unless it was changed meanwhile. */
function giveUp(deployer: Deployer, deployment: Deployment, error: unknown): void {
  const { flowId } = deployment;
  if (deployer.parts.live.get(flowId) !== deployment) return;
  deployer.unroute(flowId, 0);
  reportFailed(deployer, flowId, error);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
