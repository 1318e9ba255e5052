/**
 * Deploys sets: everything is checked together and compiled, then kept in one piece, which is the commit point, then put into service in
 * the order in which its parts depend on each other. When one part does not pass, nothing has changed.
 */
import { availableParallelism } from "node:os";
import type { Limits } from "../../shared/limits.ts";
import type { Policies } from "../access/policies.ts";
import type { ConnectionAdmin } from "../connections/connection-admin.ts";
import type { ChangeQueue } from "../flows/change-queue.ts";
import type { CheckPool } from "../flows/check-pool.ts";
import type { Reservation } from "../flows/claims.ts";
import type { Deployer, PreparedFlow } from "../flows/deployer.ts";
import { forgetState } from "../flows/flow-teardown.ts";
import type { MappingAdmin } from "../mappings/mapping-admin.ts";
import { optionsOf } from "../stores/flow-options.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import type { DocumentKind, SetChange, SetCommitted, SetStore } from "../stores/sets.ts";
import { Gate } from "../threads/waiting.ts";
import { answerOf } from "./set-answer.ts";
import type { SetAnswer, SetDocument, SetOptions, SetService, SetWarning, SplitSet } from "./set-document.ts";
import { type Committed, type PlannedFlow, planSet, type SetPlan } from "./set-plan.ts";
import { noRemovals, type Removals, refuseRemovals, removalsOf } from "./set-removals.ts";
import { splitSet } from "./split-set.ts";

export interface SetParts {
  readonly deployer: Deployer;
  readonly changes: ChangeQueue;
  readonly mappings: MappingAdmin;
  readonly policies: Policies;
  readonly connections: ConnectionAdmin;
  readonly sets: SetStore;
  readonly checks: CheckPool;
  readonly limits: Limits;
  /** Called when flows have changed: files that could not be loaded may have been repaired. */
  readonly changed: () => Promise<void>;
}

/** How many flows are compiled at the same time. */
const compiledTogether = availableParallelism();

const kindOf = { value: "valueMappings", message: "messageMappings" } as const satisfies Record<string, DocumentKind>;

export class SetDeployer implements SetService {
  readonly #parts: SetParts;
  readonly #queue = new KeyedQueue();

  constructor(parts: SetParts) {
    this.#parts = parts;
  }

  split(body: Uint8Array): Promise<SplitSet> {
    return splitSet(this.#parts.checks, this.#parts.limits, body);
  }

  /** Runs work between two deployments, which wait for its end. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run("", work);
  }

  async deploy(document: SetDocument, options: SetOptions): Promise<SetAnswer> {
    // One after the other: what a set removes depends on what others have brought.
    return this.#queue.run("", async () => {
      const { changes, mappings, policies, connections, deployer } = this.#parts;
      const { register } = deployer.parts;
      await mappings.loaded;
      const { set } = document;
      const removals =
        options.prune && set !== undefined
          ? removalsOf({ register, mappings, policies, connections }, { ...document, set })
          : noRemovals;
      refuseRemovals(removals, options);
      const flowIds = [...document.flows.map(({ id }) => id), ...removals.flows];
      const guarded = [...document.policies.map(({ flowId }) => flowId), ...removals.policies];
      return changes.hold(flowIds, () =>
        mappings.hold([...document.mappings, ...removals.mappings], () =>
          policies.hold(guarded, () => connections.hold(() => this.#deploy(document, removals, options))),
        ),
      );
    });
  }

  async #deploy(document: SetDocument, removals: Removals, options: SetOptions): Promise<SetAnswer> {
    const { deployer, mappings, policies, connections } = this.#parts;
    const parts = { deployer: deployer.parts, mappings, policies, connections };
    const plan = await planSet(parts, document, removals, options);
    const changed = plan.flows.filter((flow) => flow.changed);
    const names = deployer.parts.claims.reserveAll(
      changed.map(({ order, checked }) => ({ flowId: order.flowId, manifest: checked.flow.manifest })),
      plan.removedFlows.map(({ id }) => id),
    );
    if (options.dryRun) {
      names.release();
      return answerOf(this.#parts, plan, undefined, []);
    }
    const prepared = await this.#prepare(changed).catch((error: unknown) => {
      names.release();
      throw error;
    });
    let committed: Committed;
    try {
      committed = await this.#commit(plan, changed, options);
    } catch (error) {
      names.release();
      await abandon(deployer, prepared);
      throw error;
    }
    const warnings = await this.#serve(plan, prepared, names, committed, options);
    await this.#parts.changed();
    return answerOf(this.#parts, plan, committed, warnings);
  }

  /** Compiles all flows, so that none can fail after the commit. */
  async #prepare(flows: readonly PlannedFlow[]): Promise<readonly PreparedFlow[]> {
    const { deployer } = this.#parts;
    const gate = new Gate(compiledTogether);
    let failed = false;
    const all = await Promise.allSettled(
      flows.map(({ order, checked }) =>
        gate.pass(async () => {
          if (failed) throw new Error("another flow of the set does not start");
          return deployer.prepare({ ...order, checked, onCall: true }).catch((error: unknown) => {
            failed = true;
            throw error;
          });
        }),
      ),
    );
    const rejected = all.filter((one) => one.status === "rejected");
    const prepared = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    if (rejected[0] === undefined) return prepared;
    await abandon(deployer, prepared);
    const { reason } = rejected.find((one) => one.reason instanceof Error && "code" in one.reason) ?? rejected[0];
    throw reason;
  }

  async #commit(plan: SetPlan, changed: readonly PlannedFlow[], { actor, keepState }: SetOptions): Promise<Committed> {
    const { set } = plan;
    const by = { via: `POST /_api/deployments${set === undefined ? "" : ` (set '${set}')`}`, actor };
    const flows = [
      ...changed.map(({ order }) => ({
        id: order.flowId,
        content: {
          ...{ yaml: order.yaml, ...optionsOf(order), state: "started" as const },
          ...(order.set !== undefined && { set: order.set }),
        },
      })),
      ...plan.removedFlows.map(({ id }) => ({ id, content: null, keepState })),
    ];
    const moves = (from: string | undefined): boolean => set !== undefined && from !== set;
    const mappings = plan.mappings.filter(({ changed, before }) => changed || moves(before?.version?.set));
    const policies = plan.policies.filter(({ changed, before }) => changed || moves(before?.set));
    const connections = plan.connections.filter(({ changed, before }) => changed || moves(before?.version?.set));
    const documents = [
      ...mappings.map(({ kind, id, text, before }) => ({
        ...{ kind: kindOf[kind], id, text, by },
        set: set ?? before?.version?.set,
      })),
      ...policies.map(({ flowId: id, text, before }) => ({
        ...{ kind: "policies" as const, id, text, by },
        set: set ?? before?.set,
      })),
      ...connections.map(({ name: id, text, before }) => ({
        ...{ kind: "connections" as const, id, text, by },
        set: set ?? before?.version?.set,
      })),
    ];
    const change: SetChange = {
      flows,
      documents,
    };
    const none = { flows: [], documents: [] };
    const empty = change.flows.length + change.documents.length === 0;
    const done: SetCommitted = empty ? none : await this.#parts.sets.commit(change);
    return {
      kept: new Map(flows.map(({ id }, index) => [id, done.flows[index]])),
      mappings: new Map(mappings.map((one, index) => [one, done.documents[index]])),
      policies: new Map(policies.map((one, index) => [one, done.documents[mappings.length + index]])),
      connections: new Map(
        connections.map((one, index) => [one, done.documents[mappings.length + policies.length + index]]),
      ),
    };
  }

  /** Mappings and connections first, then the policies and the flows in one turn of the event loop. Nothing in it can fail. */
  async #serve(
    plan: SetPlan,
    prepared: readonly PreparedFlow[],
    names: Reservation,
    committed: Committed,
    { keepState }: SetOptions,
  ): Promise<readonly SetWarning[]> {
    const { deployer, mappings } = this.#parts;
    const stay = plan.mappings.filter(({ text, changed }) => text !== null && changed);
    for (const one of stay) one.install(committed.mappings.get(one));
    const late = stay.length > 0 ? [...(await mappings.spread())] : [];
    late.push(...(await this.#putConnections(plan, committed, false)));
    for (const one of plan.policies) if (one.text !== null) one.install(committed.policies.get(one));
    // A name that goes from one flow to another is given up before it is taken.
    const before = deployer.displace([...names.givers, ...plan.removedFlows.map(({ id }) => id)]);
    for (const flow of prepared) {
      const { flowId } = flow.order;
      const kept = committed.kept.get(flowId);
      if (kept !== undefined) deployer.putInService(flow, kept, before.get(flowId));
    }
    for (const { id, head } of plan.removedFlows) {
      const over = deployer.forget(id, before.get(id));
      // The runs that are under way may still change what the flow keeps.
      if (!keepState) void over.then(() => forgetState(deployer, id, head?.incarnation));
    }
    names.commit();
    for (const one of plan.policies) if (one.text === null) one.install(undefined);
    const gone = plan.mappings.filter(({ text, changed }) => text === null && changed);
    for (const one of gone) one.install(undefined);
    if (gone.length > 0) await mappings.spread();
    await this.#putConnections(plan, committed, true);
    return late;
  }

  /** Puts the connections of the set in force, or removes those that are `gone`. */
  async #putConnections(plan: SetPlan, committed: Committed, gone: boolean): Promise<readonly SetWarning[]> {
    const changed = plan.connections.filter((one) => one.changed && (one.text === null) === gone);
    for (const one of changed) one.install(committed.connections.get(one));
    return changed.length === 0 ? [] : this.#parts.connections.spread(changed.map(({ name }) => name));
  }
}

async function abandon(deployer: Deployer, prepared: readonly PreparedFlow[]): Promise<void> {
  await Promise.all(prepared.map((flow) => deployer.abandon(flow)));
}
