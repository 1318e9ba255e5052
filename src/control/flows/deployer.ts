/**
 * Deploys a flow's text in seven steps: check, compile, warm, claim, keep, swap, drain. A failure before the swap leaves the old deployment
 * untouched. What keep writes before its commit is written while the flow is checked and compiled: nothing refers to it yet.
 */

import { roundedMs } from "../../shared/duration.ts";
import type { FlowManifest, Trigger } from "../../shared/manifest.ts";
import type { StateStore } from "../state/state-store.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import type { SetStore } from "../stores/sets.ts";
import type { FlowStore, Kept } from "../stores/stores.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import type { CompilingFlow, Drained, PooledFlow } from "../threads/pooled-flow.ts";
import type { Claims, Reservation } from "./claims.ts";
import type { Alongside, Deployed, DeployerEvents, DeployOrder, Preparing } from "./deploy-order.ts";
import { contentOf, deployedState, prepareRevision } from "./deploy-order.ts";
import { type Deployment, newDeployment } from "./deployment.ts";
import { acceptFlow, type CheckedFlow, type CheckParts } from "./flow-check.ts";
import { aboutOf, type FlowRegister } from "./flow-register.ts";
import { refuseForeignGroups } from "./kept-groups.ts";
import type { Drains, LiveFlows } from "./live-flows.ts";
import { refuseMissingConnections } from "./missing-connections.ts";
import { refusable } from "./start-failure.ts";

export interface DeployerParts extends CheckParts {
  readonly pools: FlowPools;
  readonly claims: Claims;
  readonly live: LiveFlows;
  readonly register: FlowRegister;
  readonly drains: Drains;
  readonly store: FlowStore;
  readonly state: Pick<StateStore, "owners"> & { readonly groups: Pick<StateStore["groups"], "foreign"> };
  /** true: the data was restored from a backup, and routes that begin runs by themselves wait. */
  readonly held: boolean;
  readonly sets: SetStore;
  /** Notified of every deployment that went live, and of every one that failed. */
  readonly events: DeployerEvents;
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
}

/** A flow that compiles, and is not in service. */
export interface PreparedFlow extends Checked {
  readonly pool: PooledFlow;
  /** undefined: no revision is made. */
  readonly preparing: Preparing | undefined;
}

interface Claimed extends PreparedFlow {
  readonly names: Reservation;
}

type KeptRevision = Pick<Kept, "revision" | "hash" | "incarnation"> & Partial<Kept>;

interface Committed extends Claimed {
  readonly kept: KeptRevision;
  /** Of the documents that were kept alongside. */
  readonly versions: readonly (DocumentVersion | undefined)[];
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

  /** Throws AppError: flow_invalid, limit_not_allowed, connection_missing, flow_failed, route_taken, direct_taken, path_taken, state_in_use, disk_full, store_failed. */
  async deploy(order: DeployOrder): Promise<Deployed> {
    try {
      const claimed = await this.#claim(await this.#prepare(order));
      const kept = await this.#keep(claimed);
      const swapped = this.#swap(kept);
      return await this.#drain(swapped);
    } catch (error) {
      this.parts.events.failed(order.flowId, error instanceof Error ? error.message : String(error), order.reported);
      throw error;
    }
  }

  /** Checks the flow and has its threads compile it. Throws AppError as `deploy` does, and nothing is left of the flow then. */
  async prepare(order: DeployOrder): Promise<PreparedFlow> {
    try {
      return await this.#prepare(order);
    } catch (error) {
      this.parts.events.failed(order.flowId, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async abandon({ pool, preparing }: Pick<PreparedFlow, "pool" | "preparing">): Promise<void> {
    await Promise.all([pool.drain(0), preparing?.abandon()]);
  }

  /** Takes flows out of service, in the turn in which `putInService` or `forget` follows. Returns their deployments. */
  displace(flowIds: readonly string[]): ReadonlyMap<string, Deployment | undefined> {
    return new Map(flowIds.map((id) => [id, this.parts.live.swap(id, undefined)]));
  }

  /** Runs in one turn of the event loop, and nothing in it can fail. The flow's names are reserved; `displaced`: its deployment, if it was displaced. */
  putInService(prepared: PreparedFlow, kept: KeptRevision, displaced: Deployment | undefined): void {
    prepared.checked.remember();
    const { before } = this.#putInService(prepared, kept, displaced);
    this.parts.drains.begin(before, undefined, "replaced", this.parts.events.warned);
  }

  /** Forgets a flow whose file is removed; its names are the caller's to free. Resolves when none of its runs is under way any more. */
  forget(flowId: string, displaced: Deployment | undefined): Promise<Drained> {
    const { checks, register, events } = this.parts;
    checks.forget(flowId);
    register.delete(flowId);
    events.deleted(flowId);
    return this.parts.drains.begin(displaced, undefined, "ends", events.warned).done;
  }

  /** Keeps a document without a revision, and puts it in force. */
  async keepAlongside({ documents, install }: Alongside): Promise<void> {
    if (documents.length === 0) return;
    install((await this.parts.sets.commit({ flows: [], documents })).documents);
  }

  /** Takes the flow out of service: no deployment answers for it from here on, and its runs may finish within the limit. */
  unroute(flowId: string, drainMs: number | undefined): { readonly draining: number; readonly done: Promise<Drained> } {
    const before = this.parts.live.swap(flowId, undefined);
    return this.parts.drains.begin(before, drainMs, "ends", this.parts.events.warned);
  }

  async #prepare(order: DeployOrder): Promise<PreparedFlow> {
    const preparing = this.#writeAhead(order);
    let prepared: PreparedFlow;
    try {
      prepared = { ...(await this.#warm(await this.#compile(await this.#check(order)))), preparing };
    } catch (error) {
      await preparing?.abandon();
      throw error;
    }
    if (order.onCall === true && !prepared.pool.compiled) {
      try {
        await refusable(prepared.pool.compileOnce());
      } catch (error) {
        await this.abandon(prepared);
        throw error;
      }
    }
    return prepared;
  }

  async #check(order: DeployOrder): Promise<Checked> {
    const began = performance.now();
    const checked = order.checked ?? (await acceptFlow(this.parts, order));
    await refuseMissingConnections(order.flowId, checked.flow.manifest, order.connections ?? this.parts.connections);
    await refuseForeignGroups(this.parts, order.flowId, checked.flow.manifest);
    return { order, checked, began };
  }

  /** Throws AppError flow_failed for a resource that the flow cannot get. */
  async #compile(checked: Checked): Promise<Compiling> {
    const { flow, limits, record, isolation, keepFailed: keeps } = checked.checked;
    const { network, files, mappings, secrets, connections = [] } = flow.manifest;
    const keepFailed = keeps !== false;
    const given = { network, files, mappings, secrets, connections };
    const request = { model: flow.model, limits, record, keepFailed, isolation, ...given };
    // A flow that is loaded at boot and starts by calls only takes a thread with its first call.
    const later = this.#startsLate(checked.order) && beginsByCall(flow.manifest) && { later: flow.manifest };
    const compiling = await refusable(this.parts.pools.compile({ ...request, ...later }));
    return { ...checked, compiling };
  }

  /** What is kept with other things is written with them. */
  #writeAhead(order: DeployOrder): Preparing | undefined {
    const { flowId, stored, onCall, alongside } = order;
    const alone = onCall !== true && (alongside?.documents.length ?? 0) === 0;
    if (stored !== undefined || !alone) return undefined;
    return prepareRevision(this.parts.store, flowId, contentOf(order));
  }

  /** Throws AppError flow_failed when the thread rejects the flow. */
  async #warm({ compiling, ...checked }: Compiling): Promise<Omit<PreparedFlow, "preparing">> {
    return { ...checked, pool: await refusable(compiling.warm()) };
  }

  #startsLate({ flowId, checked, onCall }: DeployOrder): boolean {
    if (onCall === true) return (this.parts.live.get(flowId)?.pool.threads ?? 0) === 0;
    return checked !== undefined;
  }

  async #claim(prepared: PreparedFlow): Promise<Claimed> {
    const { order, pool } = prepared;
    try {
      return { ...prepared, names: this.parts.claims.reserve(order.flowId, pool.manifest) };
    } catch (error) {
      await this.abandon(prepared);
      throw error;
    }
  }

  /** Stores the revision: the commit point. */
  async #keep(claimed: Claimed): Promise<Committed> {
    try {
      const committed = await this.#commit(claimed);
      claimed.checked.remember();
      return { ...claimed, ...committed };
    } catch (error) {
      claimed.names.release();
      await claimed.pool.drain(0);
      throw error;
    }
  }

  async #commit({ order, preparing }: Claimed): Promise<Pick<Committed, "kept" | "versions">> {
    const { flowId: id, stored, checked, alongside: { documents } = { documents: [] } } = order;
    if (preparing !== undefined) return { kept: await (await preparing.revision).commit(), versions: [] };
    const { store, sets } = this.parts;
    if (stored !== undefined && checked === undefined) await store.setState(id, deployedState);
    if (stored !== undefined && documents.length === 0) return { kept: stored, versions: [] };
    const flows = stored === undefined ? [{ id, content: contentOf(order) }] : [];
    const committed = await sets.commit({ flows, documents });
    return { kept: stored ?? (committed.flows[0] as Kept), versions: committed.documents };
  }

  /** Runs in one turn of the event loop, and nothing in it can fail. */
  #swap({ names, kept, versions, ...prepared }: Committed): Swapped {
    prepared.order.alongside?.install(versions);
    const swapped = this.#putInService(prepared, kept, undefined);
    names.commit();
    return swapped;
  }

  #putInService(
    { order, checked, pool, began }: PreparedFlow,
    kept: KeptRevision,
    displaced: Deployment | undefined,
  ): Swapped {
    const { flowId, startAll, set } = order;
    const { revision, hash, lastModified, incarnation } = kept;
    pool.incarnation = incarnation;
    pool.revision = revision;
    pool.keepsFailed = checked.keepFailed !== false;
    const { live, register, events } = this.parts;
    const deployment = newDeployment(
      {
        ...{ flowId, hash, revision, pool, startAll, held: this.parts.held },
        ...{ logHandled: checked.logHandled, keepFailed: checked.keepFailed },
      },
      displaced ?? live.get(flowId),
    );
    const before = live.swap(flowId, deployment) ?? displaced;
    const { manifest } = deployment;
    const about = aboutOf(order);
    register.update(flowId, { state: "Started", hash, revision, manifest, deployment, about, set, error: undefined });
    const readyMs = roundedMs(performance.now() - began);
    events.deployed(deployment, readyMs);
    return { order, deployment, before, checked, lastModified, readyMs };
  }

  async #drain({ before, order, ...deployed }: Swapped): Promise<Deployed> {
    const { drains, events } = this.parts;
    const { draining, done } = drains.begin(before, order.drainMs, "replaced", events.warned);
    return { ...deployed, drain: { draining, ...(order.drainMs !== undefined && (await done)) } };
  }
}

/** Returns true when only calls start runs of the flow, so that it needs no thread before the first one. */
function beginsByCall({ routes, stateful, lifecycle }: FlowManifest): boolean {
  return !stateful && !lifecycle && routes.every(({ trigger: { kind } }) => byCall.has(kind));
}

const byCall: ReadonlySet<Trigger["kind"]> = new Set(["webhook", "http", "direct"]);
