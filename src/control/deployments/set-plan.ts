/** What a deployment of a set would do: everything is checked as it will be together, and nothing is changed. */
import { AppError } from "../../shared/errors.ts";
import type { PlannedPolicy } from "../access/planned-policy.ts";
import type { Policies } from "../access/policies.ts";
import type { ConnectionAdmin } from "../connections/connection-admin.ts";
import type { ConnectionPlan, PlannedConnection } from "../connections/connection-plan.ts";
import type { DeployOrder } from "../flows/deploy-order.ts";
import type { DeployerParts } from "../flows/deployer.ts";
import { acceptFlow, type CheckedFlow } from "../flows/flow-check.ts";
import { isOwnFile, refuseOtherFile } from "../flows/flow-files.ts";
import { isSame } from "../flows/flow-put.ts";
import { refuseMissingConnections } from "../flows/missing-connections.ts";
import { withoutFound } from "../flows/missing-target.ts";
import type { MappingAdmin } from "../mappings/mapping-admin.ts";
import { type MappingPlan, type PlannedMapping, refuseUsed } from "../mappings/mapping-plan.ts";
import { assertPreconditions, currentOf } from "../stores/refusals.ts";
import type { SetCommitted } from "../stores/sets.ts";
import type { FlowText } from "../stores/stores.ts";
import type { SetDocument, SetFlow, SetOptions, SetWarning } from "./set-document.ts";
import type { Removals } from "./set-removals.ts";

export interface PlannedFlow {
  readonly order: DeployOrder;
  readonly checked: CheckedFlow;
  /** The flow's file; undefined: there is none. */
  readonly before: FlowText | undefined;
  /** false: the flow runs as the set has it. */
  readonly changed: boolean;
}

export interface SetPlan {
  readonly set: string | undefined;
  /** In the order in which they are put into service. */
  readonly flows: readonly PlannedFlow[];
  readonly removedFlows: readonly FlowText[];
  /** Those of the set, and those that are removed. */
  readonly mappings: readonly PlannedMapping[];
  readonly policies: readonly PlannedPolicy[];
  readonly connections: readonly PlannedConnection[];
  /** What mappings and connections of the set take from flows, those of other sets included. */
  readonly losses: ReadonlyMap<PlannedMapping | PlannedConnection, readonly SetWarning[]>;
}

/** What the store has made of each part that was new. */
export interface Committed {
  readonly kept: ReadonlyMap<string, SetCommitted["flows"][number]>;
  readonly mappings: ReadonlyMap<SetPlan["mappings"][number], SetCommitted["documents"][number]>;
  readonly policies: ReadonlyMap<SetPlan["policies"][number], SetCommitted["documents"][number]>;
  readonly connections: ReadonlyMap<SetPlan["connections"][number], SetCommitted["documents"][number]>;
}

export interface PlanParts {
  readonly deployer: DeployerParts;
  readonly mappings: MappingAdmin;
  readonly policies: Policies;
  readonly connections: ConnectionAdmin;
}

/** Called while the turns of all that is concerned are held. Throws the AppError of the first thing that does not pass. */
export async function planSet(
  { deployer, mappings, policies, connections }: PlanParts,
  document: SetDocument,
  removals: Removals,
  { strict }: SetOptions,
): Promise<SetPlan> {
  const gone = removals.mappings.map((one) => ({ ...one, bytes: null }));
  const mappingPlan = await mappings.plan([...document.mappings, ...gone]);
  if (strict) refuseWarnings(mappingPlan);
  const plannedPolicies = [
    ...document.policies.map(({ flowId, document: sent }) => policies.plan(flowId, sent, strict)),
    ...removals.policies.map((flowId) => policies.plan(flowId, null)),
  ];
  const goneConnections = removals.connections.map((name) => ({ name, document: null }));
  const connectionPlan = connections.plan([...document.connections, ...goneConnections]);
  const flows = await checkFlows(deployer, document, mappingPlan, connectionPlan);
  const removedFlows: FlowText[] = [];
  for (const id of removals.flows) {
    const text = await deployer.store.read(id);
    if (text !== undefined && isOwnFile(text)) removedFlows.push(text);
  }
  const stay = [...flowsThatStay(deployer, flows, removals)];
  refuseUsed(
    mappingPlan,
    stay.map(({ flowId, manifest: { mappings: used } }) => ({ flowId, mappings: used })),
  );
  connectionPlan.refuseUsed(stay);
  const losses = new Map<PlannedMapping | PlannedConnection, readonly SetWarning[]>([
    ...mappingPlan.mappings.map((one) => [one, mappingPlan.strangers(one, stay)] as const),
    ...connectionPlan.connections.map((one) => [one, connectionPlan.losses(one, stay)] as const),
  ]);
  return {
    ...{
      set: document.set,
      flows: inOrder(withTargets(deployer, flows, removals)),
      removedFlows,
      policies: plannedPolicies,
      losses,
    },
    ...{ mappings: mappingPlan.mappings, connections: connectionPlan.connections },
  };
}

async function checkFlows(
  parts: DeployerParts,
  { set, flows }: Pick<SetDocument, "set" | "flows">,
  mappingPlan: MappingPlan,
  { access: connections }: ConnectionPlan,
): Promise<readonly PlannedFlow[]> {
  const around = { ...parts, mappingAccess: mappingPlan.access, connections };
  const checks = await Promise.allSettled(flows.map((flow) => checkFlow(around, set, flow)));
  const failed = checks.filter((one) => one.status === "rejected").map(({ reason }) => reason as unknown);
  const [first] = failed;
  if (first === undefined) return checks.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (!(first instanceof AppError) || failed.length === 1) throw first;
  throw new AppError(first.code, `${first.message}; ${failed.length - 1} more flows of the set do not pass`);
}

async function checkFlow(
  parts: DeployerParts,
  named: string | undefined,
  { id, yaml, options, ifMatch, ifNoneMatch }: SetFlow,
): Promise<PlannedFlow> {
  const before = await parts.store.read(id);
  refuseOtherFile(id, before);
  assertPreconditions(currentOf(before), ifMatch, ifNoneMatch, `flow '${id}'`);
  const head = before?.head ?? undefined;
  const set = named ?? head?.set;
  const { connections } = parts;
  const order: DeployOrder = { flowId: id, yaml, ...options, set, connections, startAll: false };
  const entry = parts.register.get(id);
  const same = head !== undefined && before !== undefined && isSame(head, before, order) && head.set === set;
  const runs = entry?.state === "Started" && entry.deployment?.pool.quarantinedMs === 0 && entry.hash === head?.hash;
  const content = same ? { ...order, stored: head } : order;
  const refused = (error: unknown): never => {
    throw withName(id, error);
  };
  const checked = await acceptFlow(parts, content).catch(refused);
  await refuseMissingConnections(id, checked.flow.manifest, connections).catch(refused);
  return { order, checked, before, changed: !same || !runs };
}

/** Diagnostics name the file already. */
function withName(id: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.message.startsWith(`${id}.yaml:`)) return error;
  return new AppError(error.code, `flow '${id}': ${error.message}`);
}

function refuseWarnings({ mappings }: MappingPlan): void {
  for (const { kind, id, warnings } of mappings) {
    const [first] = warnings;
    if (first !== undefined) throw new AppError("mapping_invalid", `${kind} mapping '${id}': ${first.message}`);
  }
}

function* flowsThatStay({ live }: DeployerParts, flows: readonly PlannedFlow[], removals: Removals) {
  const others = new Set([...flows.map(({ order }) => order.flowId), ...removals.flows]);
  for (const { flowId, manifest } of live.all()) if (!others.has(flowId)) yield { flowId, manifest };
  for (const { order, checked } of flows) yield { flowId: order.flowId, manifest: checked.flow.manifest };
}

/** Leaves out warnings of `direct:` targets that other flows of the set consume, or flows that stay. */
function withTargets(
  { register }: DeployerParts,
  flows: readonly PlannedFlow[],
  removals: Removals,
): readonly PlannedFlow[] {
  const own = flows.map(({ order, checked }) => ({ id: order.flowId, manifest: checked.flow.manifest }));
  const others = new Set([...own.map(({ id }) => id), ...removals.flows]);
  const all = () => [...own, ...[...register.all()].filter(({ id }) => !others.has(id))];
  return flows.map((flow) => {
    const diagnostics = withoutFound(flow.checked.diagnostics, flow.order.flowId, all);
    return { ...flow, checked: { ...flow.checked, diagnostics } };
  });
}

/** Flows that are called by `direct:` come before those that call them. */
function inOrder(flows: readonly PlannedFlow[]): readonly PlannedFlow[] {
  const owners = new Map<string, PlannedFlow>();
  for (const flow of flows)
    for (const { trigger } of flow.checked.flow.manifest.routes)
      if (trigger.kind === "direct") owners.set(trigger.name, flow);
  const ordered = new Set<PlannedFlow>();
  const entered = new Set<PlannedFlow>();
  const visit = (flow: PlannedFlow): void => {
    // Flows that call each other have no order.
    if (entered.has(flow)) return;
    entered.add(flow);
    for (const name of flow.checked.flow.manifest.externalDirects) {
      const callee = owners.get(name);
      if (callee !== undefined) visit(callee);
    }
    ordered.add(flow);
  };
  for (const flow of flows) visit(flow);
  return [...ordered];
}
