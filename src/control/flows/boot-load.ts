/** Deploys what the store holds: checked in parallel, names claimed in the order of ids, compiled as cores allow. */
import { availableParallelism } from "node:os";
import { AppError } from "../../shared/errors.ts";
import type { StoredFlow } from "../stores/stores.ts";
import { Gate } from "../threads/waiting.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { Deployer, DeployOrder } from "./deployer.ts";
import { type CheckedFlow, checkFlow } from "./flow-check.ts";
import { toldOfMissing } from "./missing-mappings.ts";

/** Checks that were kept and are read at the same time; more would only wait for the threads of the file system. */
const readTogether = 16;

/** One core is left for the threads that flows are compiled in. */
const checkedTogether = Math.max(1, availableParallelism() - 1);

/**
 * A flow that does not load is listed as Failed with its reason; the others are not held up. Opens the queue of changes as
 * soon as all names are claimed: nobody takes a stored flow's names while it waits for its turn.
 */
export async function bootLoad(
  deployer: Deployer,
  changes: ChangeQueue,
  flows: readonly StoredFlow[],
  together = checkedTogether,
): Promise<void> {
  const { register } = deployer.parts;
  for (const { id, hash, revision } of flows) register.update(id, { state: "Starting", hash, revision });
  const files = new Gate(readTogether);
  const gate = new Gate(together);
  const checks = flows.map((flow) => settle(files.pass(() => checkFlow(deployer.parts, orderOf(flow), gate))));
  const starts: Promise<void>[] = [];
  for (const [index, flow] of flows.entries()) {
    const checked = await (checks[index] as (typeof checks)[number]);
    if (changes.closed) break;
    if (!checked.ok) reportFailed(deployer, flow.id, checked.error);
    else if (claim(deployer, flow, checked.value) && flow.state !== "stopped")
      starts.push(changes.boot(flow.id, () => start(deployer, flow, checked.value)));
  }
  changes.open();
  await Promise.all(starts);
}

/** The names of a flow that is stopped, or does not start, stay its own as long as its file is there. */
function claim(deployer: Deployer, flow: StoredFlow, checked: CheckedFlow): boolean {
  const { manifest } = checked.flow;
  try {
    deployer.parts.claims.reserve(flow.id, manifest).commit();
    const state = flow.state === "stopped" ? "Stopped" : "Starting";
    // A deployment remembers it by itself.
    if (state === "Stopped") checked.remember();
    deployer.parts.register.update(flow.id, { manifest, state });
    return true;
  } catch (error) {
    reportFailed(deployer, flow.id, error);
    return false;
  }
}

async function start(deployer: Deployer, flow: StoredFlow, checked: CheckedFlow): Promise<void> {
  const { events, mappingAccess } = deployer.parts;
  try {
    const { deployment } = await deployer.deploy({ ...orderOf(flow), checked });
    const missing = toldOfMissing(flow.id, deployment.manifest, mappingAccess);
    if (missing !== undefined) events.warned(flow.id, missing);
  } catch (error) {
    listFailed(deployer, flow.id, error);
  }
}

function orderOf(flow: StoredFlow): DeployOrder {
  return { flowId: flow.id, ...flow, stored: flow, startAll: false };
}

/** The flow is listed as Failed with its reason, and the log has it. */
export function reportFailed(deployer: Deployer, id: string, error: unknown): void {
  listFailed(deployer, id, error);
  deployer.parts.events.failed(id, error instanceof Error ? error.message : String(error));
}

function listFailed({ parts }: Deployer, id: string, error: unknown): void {
  // What nobody foresaw may name paths: it is for the log alone.
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
