/** How a flow's text comes to answer: check, compile, warm, claim, keep, swap, drain. A failure before the swap leaves the old deployment untouched. */
import { roundedMs } from "../../shared/duration.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest, Trigger } from "../../shared/manifest.ts";
import type { DesiredState, FlowStore, Kept } from "../stores/stores.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import type { CompilingFlow, Drained, PooledFlow } from "../threads/pooled-flow.ts";
import { CompileFailure } from "../threads/pooled-flow.ts";
import type { Claims, Reservation } from "./claims.ts";
import { type Deployment, newDeployment } from "./deployment.ts";
import { acceptFlow, type CheckedFlow, type CheckParts, type FlowContent } from "./flow-check.ts";
import type { FlowRegister } from "./flow-register.ts";
import type { Drains, LiveFlows } from "./live-flows.ts";

export interface DeployerParts extends CheckParts {
  readonly pools: FlowPools;
  readonly claims: Claims;
  readonly live: LiveFlows;
  readonly register: FlowRegister;
  readonly drains: Drains;
  readonly store: FlowStore;
  /** Told of every deployment that went live, and of every one that did not. */
  readonly events: DeployerEvents;
}

export interface DeployerEvents {
  deployed(deployment: Deployment, durationMs: number): void;
  failed(flowId: string, reason: string): void;
  /** Of a flow that was loaded at boot, whose warnings nobody is answered. */
  warned(flowId: string, message: string): void;
  stopped(flowId: string): void;
  deleted(flowId: string): void;
}

export interface DeployOrder extends FlowContent {
  /** Present: the boot load has checked it, and what is on the disk stays as it is. */
  readonly checked?: CheckedFlow;
  /** Starts routes whose `autoStartup` is false, too. */
  readonly startAll: boolean;
  /** Milliseconds after which what the deployment before still runs is killed, and waited for; absent: nobody waits for it. */
  readonly drainMs?: number | undefined;
}

export interface Deployed {
  readonly deployment: Deployment;
  readonly checked: CheckedFlow;
  /** ISO 8601, UTC; undefined: no revision was made. */
  readonly lastModified: string | undefined;
  readonly readyMs: number;
  readonly drain: Draining;
}

/** What becomes of the deployment before. */
export interface Draining {
  /** Runs that it had when it was replaced. */
  readonly draining: number;
  /** Present when somebody has waited for its end. */
  readonly drained?: number;
  readonly killed?: number;
}

/** A deployment on its way: what each step has made is what the next one needs. */
interface Checked {
  readonly order: DeployOrder;
  readonly checked: CheckedFlow;
  /** As of `performance.now()`. */
  readonly began: number;
}

interface Compiling extends Checked {
  readonly compiling: CompilingFlow;
}

interface Warm extends Checked {
  readonly pool: PooledFlow;
}

interface Claimed extends Warm {
  readonly names: Reservation;
}

interface Committed extends Claimed {
  readonly kept: Pick<Kept, "revision" | "hash"> & Partial<Kept>;
}

interface Swapped extends Omit<Deployed, "drain"> {
  readonly order: DeployOrder;
  readonly before: Deployment | undefined;
}

export class Deployer {
  readonly parts: DeployerParts;

  constructor(parts: DeployerParts) {
    this.parts = parts;
  }

  /** Throws AppError: flow_invalid, limit_not_allowed, flow_failed, route_taken, direct_taken, path_taken, disk_full, store_failed. */
  async deploy(order: DeployOrder): Promise<Deployed> {
    try {
      const checked = await this.#check(order);
      const compiling = await this.#compile(checked);
      const warm = await this.#warm(compiling);
      const claimed = await this.#claim(warm);
      const kept = await this.#keep(claimed);
      const swapped = this.#swap(kept);
      return await this.#drain(swapped);
    } catch (error) {
      this.parts.events.failed(order.flowId, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  /** Nothing answers for the flow from here on; what runs may finish within the limit. */
  unroute(flowId: string, drainMs: number | undefined): { readonly draining: number; readonly done: Promise<Drained> } {
    const before = this.parts.live.swap(flowId, undefined);
    return this.#letGo(before, drainMs);
  }

  async #check(order: DeployOrder): Promise<Checked> {
    const began = performance.now();
    return { order, checked: order.checked ?? (await acceptFlow(this.parts, order)), began };
  }

  /** Throws AppError flow_failed for what the flow cannot be given. */
  async #compile(checked: Checked): Promise<Compiling> {
    const { flow, limits, record, isolation } = checked.checked;
    const { network, files, mappings, secrets } = flow.manifest;
    const request = { model: flow.model, limits, record, isolation, network, files, mappings, secrets };
    // A flow that is loaded at boot takes a thread when something begins in it.
    const later = checked.order.checked !== undefined && beginsByCall(flow.manifest) && { later: flow.manifest };
    return { ...checked, compiling: await refusable(this.parts.pools.compile({ ...request, ...later })) };
  }

  /** Throws AppError flow_failed for what its thread has against the flow. */
  async #warm({ compiling, ...checked }: Compiling): Promise<Warm> {
    return { ...checked, pool: await refusable(compiling.warm()) };
  }

  async #claim(warm: Warm): Promise<Claimed> {
    const { order, pool } = warm;
    try {
      return { ...warm, names: this.parts.claims.reserve(order.flowId, pool.manifest) };
    } catch (error) {
      await pool.drain(0);
      throw error;
    }
  }

  /** The commit point. */
  async #keep(claimed: Claimed): Promise<Committed> {
    try {
      const kept = await this.#commit(claimed.order);
      claimed.checked.remember();
      return { ...claimed, kept };
    } catch (error) {
      claimed.names.release();
      await claimed.pool.drain(0);
      throw error;
    }
  }

  async #commit({ flowId, yaml, params, limits, stored, checked }: DeployOrder): Promise<Committed["kept"]> {
    const state: DesiredState = "started";
    if (stored === undefined) return this.parts.store.keep(flowId, { yaml, params, limits, state });
    if (checked === undefined) await this.parts.store.setState(flowId, state);
    return stored;
  }

  /** One turn of the loop, and nothing in it can fail. */
  #swap({ order, checked, pool, names, kept, began }: Committed): Swapped {
    const { flowId, startAll } = order;
    const { revision, hash, lastModified } = kept;
    const { live, register, events } = this.parts;
    const deployment = newDeployment(
      { flowId, hash, revision, pool, startAll, logHandled: checked.logHandled },
      live.get(flowId),
    );
    const before = live.swap(flowId, deployment);
    const { manifest } = deployment;
    register.update(flowId, { state: "Started", hash, revision, manifest, deployment, error: undefined });
    names.commit();
    const readyMs = roundedMs(performance.now() - began);
    events.deployed(deployment, readyMs);
    return { order, deployment, before, checked, lastModified, readyMs };
  }

  async #drain({ before, order, ...deployed }: Swapped): Promise<Deployed> {
    const { draining, done } = this.#letGo(before, order.drainMs);
    return { ...deployed, drain: { draining, ...(order.drainMs !== undefined && (await done)) } };
  }

  #letGo(before: Deployment | undefined, drainMs: number | undefined): { draining: number; done: Promise<Drained> } {
    if (before === undefined) return { draining: 0, done: Promise.resolve({ drained: 0, killed: 0 }) };
    const draining = before.pool.inflight + before.pool.queued;
    return { draining, done: this.parts.drains.begin(before, drainMs ?? before.limits.drainMs) };
  }
}

/** Whether nothing ever begins in the flow but by a call: it then needs no thread before. */
function beginsByCall({ routes, stateful, lifecycle }: FlowManifest): boolean {
  return !stateful && !lifecycle && routes.every(({ trigger: { kind } }) => byCall.has(kind));
}

const byCall: ReadonlySet<Trigger["kind"]> = new Set(["webhook", "http", "direct"]);

async function refusable<T>(starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw startFailure(error);
  }
}

/** What a thread has against the flow is the AppError flow_failed; all else stays as it is. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof CompileFailure)) return error;
  return new AppError("flow_failed", `the flow was accepted but does not start: ${error.message}`);
}
