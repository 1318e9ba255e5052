/**
 * Deploys what the store holds: checked in parallel, names claimed in the order of ids, compiled as cores allow. Flows that
 * need no thread before their first call are compiled last.
 */
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../shared/errors.ts";
import type { StoredFlow } from "../stores/stores.ts";
import { Gate } from "../threads/waiting.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { DeployOrder } from "./deploy-order.ts";
import type { Deployer } from "./deployer.ts";
import type { Deployment } from "./deployment.ts";
import { type CheckedFlow, checkFlow, missingMappingsMessage } from "./flow-check.ts";
import { aboutOf } from "./flow-register.ts";
import { startFailure } from "./start-failure.ts";

/** Takes note of flows that have not started. */
export interface UnstartedFlows {
  note(flowId: string, error: unknown): void;
}

/** How many kept checks are read at the same time; more would only wait for the threads of the file system. */
const readTogether = 16;

/** How many texts are checked at the same time: one core is left for the threads that compile flows. */
const checkedTogether = Math.max(1, availableParallelism() - 1);

/**
 * A flow that does not load is listed as Failed with its reason; the others are not held up. Opens the queue of changes as
 * soon as all names are claimed: nobody takes a stored flow's names while it waits for its turn.
 */
export async function bootLoad(
  deployer: Deployer,
  changes: ChangeQueue,
  flows: readonly StoredFlow[],
  retries: UnstartedFlows,
  together = checkedTogether,
): Promise<void> {
  const { register } = deployer.parts;
  const failed = ({ id }: StoredFlow, error: unknown): void => {
    reportFailed(deployer, id, error);
    retries.note(id, error);
  };
  for (const flow of flows) {
    const { id, hash, revision, set } = flow;
    register.update(id, { state: "Starting", hash, revision, set, about: aboutOf(flow) });
  }
  const files = new Gate(readTogether);
  const gate = new Gate(together);
  const checks = flows.map((flow) => settle(files.pass(() => checkFlow(deployer.parts, orderOf(flow), gate))));
  const starts: Promise<void>[] = [];
  for (const [index, flow] of flows.entries()) {
    const checked = await (checks[index] as (typeof checks)[number]);
    if (changes.closed) break;
    if (!checked.ok) failed(flow, checked.error);
    else if (claim(deployer, flow, checked.value) && flow.state !== "stopped")
      starts.push(changes.boot(flow.id, () => start(deployer, flow, checked.value, retries)));
  }
  changes.open();
  await Promise.all(starts);
}

/** Claims the flow's names. A flow that is stopped, or does not start, keeps them as long as its file is there. */
function claim(deployer: Deployer, flow: StoredFlow, checked: CheckedFlow): boolean {
  const { manifest } = checked.flow;
  try {
    deployer.parts.claims.reserve(flow.id, manifest).commit();
    const state = flow.state === "stopped" ? "Stopped" : "Starting";
    // A deployment calls this itself.
    if (state === "Stopped") checked.remember();
    deployer.parts.register.update(flow.id, { manifest, state });
    return true;
  } catch (error) {
    reportFailed(deployer, flow.id, error);
    return false;
  }
}

/** Deploys what is stored, and nothing changes on the disk. Does not reject: a flow that does not start is listed as Failed. */
export async function start(
  deployer: Deployer,
  flow: StoredFlow,
  checked: CheckedFlow,
  retries: UnstartedFlows,
): Promise<void> {
  const { events, mappingAccess } = deployer.parts;
  try {
    const { deployment } = await deployer.deploy({ ...orderOf(flow), checked });
    const missing = missingMappingsMessage(flow.id, deployment.manifest, mappingAccess);
    if (missing !== undefined) events.warned(flow.id, missing);
  } catch (error) {
    listFailed(deployer, flow.id, error);
    retries.note(flow.id, error);
  }
}

export function orderOf(flow: StoredFlow): DeployOrder {
  return { flowId: flow.id, ...flow, stored: flow, startAll: false };
}

/** Lists the flow as Failed with its reason, and logs it. */
function reportFailed(deployer: Deployer, id: string, error: unknown): void {
  listFailed(deployer, id, error);
  deployer.parts.events.failed(id, error instanceof Error ? error.message : String(error));
}

export function listFailed({ parts }: Deployer, id: string, error: unknown): void {
  // An unforeseen error may name paths: only the log gets its message.
  const shown = error instanceof AppError ? error.message : "an internal error, which the log has";
  parts.register.update(id, { state: "Failed", deployment: undefined, error: shown });
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function settle<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value): Settled<T> => ({ ok: true, value }),
    (error: unknown): Settled<T> => ({ ok: false, error }),
  );
}

/** How long the first calls after a start have the machine to themselves. */
const quietMs = 1000;
/** All flows are compiled within this time, if the machine can; a few flows take at most half of a core. */
const withinMs = 50_000;
const leastPauseMs = 2;
/** How long a flow yields to calls that wait for a thread: calls without end must not delay a report for ever. */
const mostYieldMs = 1000;
const lookMs = 20;

export interface LateStartParts {
  readonly deployer: Deployer;
  readonly changes: ChangeQueue;
  /** Returns true while a call waits for a thread. */
  readonly busy: () => boolean;
  readonly retries: UnstartedFlows;
}

/**
 * Compiles each flow that was loaded without a thread once, behind everything else, so that one that cannot start is reported
 * within a minute and not at its first call. Resolves when all have been compiled or reported, or `stopped` is aborted.
 */
export async function startLate(
  { deployer, changes, busy, retries }: LateStartParts,
  stopped: AbortSignal,
): Promise<void> {
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
      retries.note(flowId, startFailure(error));
    }
    const tookMs = performance.now() - began;
    await pause(Math.max(leastPauseMs, Math.min(tookMs, slotMs - tookMs)), stopped);
  }
}

/** Lists the flow as one that did not start at boot, unless it was changed meanwhile. */
function giveUp(deployer: Deployer, deployment: Deployment, error: unknown): void {
  const { flowId } = deployment;
  if (deployer.parts.live.get(flowId) !== deployment) return;
  deployer.unroute(flowId, 0);
  reportFailed(deployer, flowId, error);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
