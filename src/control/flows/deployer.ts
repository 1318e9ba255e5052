/**
 * Deploys a flow's text in seven steps: check, compile, warm, claim, keep, swap, drain. A failure before the swap leaves the old deployment
 * untouched. What keep writes before its commit is written while threads compile the flow.
 */
import { roundedMs } from "../../shared/duration.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest, Trigger } from "../../shared/manifest.ts";
import type { StateStore } from "../state/state-store.ts";
import { optionsOf } from "../stores/flow-options.ts";
import type { DesiredState, FlowStore, Kept, PreparedRevision } from "../stores/stores.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import type { CompilingFlow, Drained, PooledFlow } from "../threads/pooled-flow.ts";
import { CompileFailure } from "../threads/pooled-flow.ts";
import type { Claims, Reservation } from "./claims.ts";
import { type Deployment, newDeployment } from "./deployment.ts";
import { acceptFlow, type CheckedFlow, type CheckParts, type FlowContent } from "./flow-check.ts";
import { aboutOf, type FlowRegister } from "./flow-register.ts";
import type { Drains, LiveFlows } from "./live-flows.ts";

export interface DeployerParts extends CheckParts {
  readonly pools: FlowPools;
  readonly claims: Claims;
  readonly live: LiveFlows;
  readonly register: FlowRegister;
  readonly drains: Drains;
  readonly store: FlowStore;
  readonly state: Pick<StateStore, "owners">;
  /** true: the data was restored from a backup, and routes that begin runs by themselves wait. */
  readonly held: boolean;
  /** Notified of every deployment that went live, and of every one that failed. */
  readonly events: DeployerEvents;
}

export interface DeployerEvents {
  deployed(deployment: Deployment, durationMs: number): void;
  failed(flowId: string, reason: string): void;
  /** The flow has a warning that no answer carries: of its load at boot, or of what comes behind an answer. */
  warned(flowId: string, message: string): void;
  stopped(flowId: string): void;
  deleted(flowId: string): void;
}

export interface DeployOrder extends FlowContent {
  /** Present: the boot load has checked the text, and nothing on the disk changes. */
  readonly checked?: CheckedFlow;
  /** Also starts routes whose `autoStartup` is false. */
  readonly startAll: boolean;
  /** How long (ms) deploy() waits for the runs of the previous deployment before it kills them; absent: it does not wait. */
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

/** What becomes of the previous deployment. */
export interface Draining {
  /** The number of runs that it had when it was replaced. */
  readonly draining: number;
  /** Present when deploy() has waited for its end. */
  readonly drained?: number;
  readonly killed?: number;
}

/** The state of a deployment between its steps: each step returns what the next one needs. */
interface Checked {
  readonly order: DeployOrder;
  readonly checked: CheckedFlow;
  /** As of `performance.now()`. */
  readonly began: number;
}

interface Compiling extends Checked {
  readonly compiling: CompilingFlow;
  /** undefined: no revision is made. */
  readonly preparing: Preparing | undefined;
}

interface Warm extends Checked {
  readonly pool: PooledFlow;
  readonly preparing: Preparing | undefined;
}

/** The writing of a revision, which becomes the flow with its commit. */
interface Preparing {
  readonly revision: Promise<PreparedRevision>;
  /** Resolves when nothing of it is left. */
  abandon(): Promise<void>;
}

interface Claimed extends Warm {
  readonly names: Reservation;
}

interface Committed extends Claimed {
  readonly kept: Pick<Kept, "revision" | "hash" | "incarnation"> & Partial<Kept>;
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

  /** Takes the flow out of service: no deployment answers for it from here on, and its runs may finish within the limit. */
  unroute(flowId: string, drainMs: number | undefined): { readonly draining: number; readonly done: Promise<Drained> } {
    const before = this.parts.live.swap(flowId, undefined);
    return this.#letGo(before, drainMs);
  }

  async #check(order: DeployOrder): Promise<Checked> {
    const began = performance.now();
    return { order, checked: order.checked ?? (await acceptFlow(this.parts, order)), began };
  }

  /** Throws AppError flow_failed for a resource that the flow cannot get. */
  async #compile(checked: Checked): Promise<Compiling> {
    const { flow, limits, record, isolation } = checked.checked;
    const { network, files, mappings, secrets } = flow.manifest;
    const request = { model: flow.model, limits, record, isolation, network, files, mappings, secrets };
    // A flow that is loaded at boot and starts by calls only takes a thread with its first call.
    const later = checked.order.checked !== undefined && beginsByCall(flow.manifest) && { later: flow.manifest };
    const compiling = await refusable(this.parts.pools.compile({ ...request, ...later }));
    return { ...checked, compiling, preparing: this.#prepare(checked.order) };
  }

  #prepare(order: DeployOrder): Preparing | undefined {
    const { flowId, yaml, stored } = order;
    if (stored !== undefined) return undefined;
    const revision = this.parts.store.prepare(flowId, { yaml, ...optionsOf(order), state: deployedState });
    const abandon = () =>
      revision.then(
        (prepared) => prepared.discard(),
        () => undefined,
      );
    // It may fail before anybody waits for it.
    revision.catch(() => undefined);
    return { revision, abandon };
  }

  /** Throws AppError flow_failed when the thread rejects the flow. */
  async #warm({ compiling, ...checked }: Compiling): Promise<Warm> {
    try {
      return { ...checked, pool: await refusable(compiling.warm()) };
    } catch (error) {
      await checked.preparing?.abandon();
      throw error;
    }
  }

  async #claim(warm: Warm): Promise<Claimed> {
    const { order, pool } = warm;
    try {
      return { ...warm, names: this.parts.claims.reserve(order.flowId, pool.manifest) };
    } catch (error) {
      await Promise.all([pool.drain(0), warm.preparing?.abandon()]);
      throw error;
    }
  }

  /** Stores the revision: the commit point. */
  async #keep(claimed: Claimed): Promise<Committed> {
    try {
      const kept = await this.#commit(claimed);
      claimed.checked.remember();
      return { ...claimed, kept };
    } catch (error) {
      claimed.names.release();
      await claimed.pool.drain(0);
      throw error;
    }
  }

  async #commit({ order: { flowId, stored, checked }, preparing }: Claimed): Promise<Committed["kept"]> {
    if (preparing !== undefined) return (await preparing.revision).commit();
    if (checked === undefined) await this.parts.store.setState(flowId, deployedState);
    return stored as Committed["kept"];
  }

  /** Runs in one turn of the event loop, and nothing in it can fail. */
  #swap({ order, checked, pool, names, kept, began }: Committed): Swapped {
    const { flowId, startAll } = order;
    const { revision, hash, lastModified, incarnation } = kept;
    pool.incarnation = incarnation;
    const { live, register, events } = this.parts;
    const deployment = newDeployment(
      {
        ...{ flowId, hash, revision, pool, startAll, held: this.parts.held },
        ...{ logHandled: checked.logHandled, keepFailed: checked.keepFailed },
      },
      live.get(flowId),
    );
    const before = live.swap(flowId, deployment);
    const { manifest } = deployment;
    const about = aboutOf(order);
    register.update(flowId, { state: "Started", hash, revision, manifest, deployment, about, error: undefined });
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

const deployedState: DesiredState = "started";

/** Returns true when only calls start runs of the flow, so that it needs no thread before the first one. */
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

/** Turns a rejection by the thread into AppError flow_failed; other errors pass unchanged. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof CompileFailure)) return error;
  return new AppError("flow_failed", `the flow was accepted but does not start: ${error.message}`);
}
