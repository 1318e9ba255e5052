/** What a deployment of a set answers: what became, or would become, of each part. */
import type { PlannedPolicy, PolicyDocument } from "../access/planned-policy.ts";
import type { ConnectionAdmin } from "../connections/connection-admin.ts";
import type { PlannedConnection } from "../connections/connection-plan.ts";
import type { MappingAdmin } from "../mappings/mapping-admin.ts";
import type { PlannedMapping } from "../mappings/mapping-plan.ts";
import { optionsOf } from "../stores/flow-options.ts";
import { contentHash, type FlowText } from "../stores/stores.ts";
import type {
  ConnectionOutcome,
  FlowOutcome,
  MappingOutcome,
  PolicyOutcome,
  SetAnswer,
  SetWarning,
} from "./set-document.ts";
import type { Committed, PlannedFlow, SetPlan } from "./set-plan.ts";
import { textDiff } from "./text-diff.ts";

export interface AnswerParts {
  readonly mappings: Pick<MappingAdmin, "text">;
  readonly policies: { mask(document: PolicyDocument): PolicyDocument };
  readonly connections: Pick<ConnectionAdmin, "text">;
}

/** `committed`: undefined in a dry run, which has diffs. */
export async function answerOf(
  { mappings, policies, connections }: AnswerParts,
  plan: SetPlan,
  committed: Committed | undefined,
  warnings: readonly SetWarning[],
): Promise<SetAnswer> {
  const dryRun = committed === undefined;
  const ofFlows: FlowOutcome[] = [
    ...plan.flows.map((flow) => flowOutcome(flow, committed)),
    ...plan.removedFlows.map((text) => removedFlow(text, dryRun)),
  ];
  const ofMappings: MappingOutcome[] = [];
  for (const one of plan.mappings) {
    const before = dryRun && one.changed ? await mappings.text(one.kind, one.id) : undefined;
    ofMappings.push(mappingOutcome(one, plan, committed, before));
  }
  const ofPolicies = plan.policies.map((one) => policyOutcome(one, committed, (document) => policies.mask(document)));
  const ofConnections: ConnectionOutcome[] = [];
  for (const one of plan.connections) {
    const before = dryRun && one.changed ? await connections.text(one.name) : undefined;
    ofConnections.push(connectionOutcome(one, plan, committed, before));
  }
  const all = [...ofFlows, ...ofMappings, ...ofPolicies, ...ofConnections];
  return {
    ...(plan.set !== undefined && { set: plan.set }),
    dryRun,
    changed: all.some(({ action }) => action !== "unchanged"),
    flows: ofFlows,
    mappings: ofMappings,
    policies: ofPolicies,
    connections: ofConnections,
    warnings,
  };
}

/** What a flow without a companion file has: no difference is shown when a new flow has none either. */
const noOptions = { params: {}, limits: {} } as const;

function flowOutcome({ order, checked, before, changed }: PlannedFlow, committed: Committed | undefined): FlowOutcome {
  const { flowId: id, yaml } = order;
  const kept = committed?.kept.get(id);
  const diff =
    committed === undefined && changed
      ? joined(
          textDiff(`${id}.yaml`, before?.yaml, yaml),
          textDiff(`${id}.flow.yaml (as JSON)`, json(optionsOf(before?.head ?? noOptions)), json(optionsOf(order))),
        )
      : undefined;
  return {
    id,
    hash: kept?.hash ?? contentHash(yaml),
    action: !changed ? "unchanged" : before === undefined ? "create" : "replace",
    revision: kept?.revision ?? before?.head?.revision ?? 0,
    warnings: checked.diagnostics.map(({ code, message, line, column }) => ({ code, message, line, column })),
    ...(diff !== undefined && { diff }),
  };
}

function removedFlow({ id, hash, yaml, head }: FlowText, dryRun: boolean): FlowOutcome {
  const diff = dryRun ? textDiff(`${id}.yaml`, yaml, undefined) : undefined;
  return {
    id,
    hash,
    action: "remove",
    revision: head?.revision ?? 0,
    warnings: [],
    ...(diff !== undefined && { diff }),
  };
}

function mappingOutcome(
  one: PlannedMapping,
  { losses }: SetPlan,
  committed: Committed | undefined,
  before: string | undefined,
): MappingOutcome {
  const { kind, id, text, changed, warnings } = one;
  const diff =
    committed === undefined && changed
      ? textDiff(`${kind}-mappings/${id}.json`, before && pretty(before), text === null ? undefined : pretty(text))
      : undefined;
  return {
    ...{ kind, id },
    action: actionOf(text, changed, one.before !== undefined),
    revision: committed?.mappings.get(one)?.revision ?? one.before?.version?.revision ?? 0,
    warnings: [...warnings.map(({ code, message }) => ({ code, message })), ...(losses.get(one) ?? [])],
    ...(diff !== undefined && { diff }),
  };
}

function policyOutcome(
  one: PlannedPolicy,
  committed: Committed | undefined,
  mask: AnswerParts["policies"]["mask"],
): PolicyOutcome {
  const { flowId, text, changed, before } = one;
  const shown = (document: PolicyDocument | undefined): string | undefined => document && json(mask(document));
  const after = text === null ? undefined : shown(JSON.parse(text) as PolicyDocument);
  const diff =
    committed === undefined && changed
      ? textDiff(`policies/${flowId}.json`, shown(before?.document), after)
      : undefined;
  return {
    flowId,
    action: actionOf(text, changed, before !== undefined),
    revision: committed?.policies.get(one)?.revision ?? before?.revision ?? 0,
    warnings: one.warnings.map(({ code, message }) => ({ code, message })),
    ...(diff !== undefined && { diff }),
  };
}

function connectionOutcome(
  one: PlannedConnection,
  { losses }: SetPlan,
  committed: Committed | undefined,
  before: string | undefined,
): ConnectionOutcome {
  const { name, text, changed } = one;
  const diff =
    committed === undefined && changed
      ? textDiff(`connections/${name}.json`, before && pretty(before), text === null ? undefined : pretty(text))
      : undefined;
  return {
    name,
    action: actionOf(text, changed, one.before !== undefined),
    revision: committed?.connections.get(one)?.revision ?? one.before?.version?.revision ?? 0,
    warnings: losses.get(one) ?? [],
    ...(diff !== undefined && { diff }),
  };
}

function actionOf(text: string | null, changed: boolean, existed: boolean): FlowOutcome["action"] {
  if (text === null) return "remove";
  if (!changed) return "unchanged";
  return existed ? "replace" : "create";
}

function joined(...diffs: readonly (string | undefined)[]): string | undefined {
  const found = diffs.filter((diff) => diff !== undefined);
  return found.length === 0 ? undefined : found.join("");
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The most characters of a document that the main thread parses, to show it line by line. */
const mostParsed = 64 * 1024;

/** Documents are sent in one line, of which a diff shows nothing. */
function pretty(text: string): string {
  return text.length > mostParsed ? text : json(JSON.parse(text));
}
