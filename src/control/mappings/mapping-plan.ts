/** Checks the mappings of a set against each other, as they will be together, before any of them is in force. */
import { AppError } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import type { MappingFacts, MappingKind, MappingUse, MappingWarning } from "../../shared/mapping.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { MappingAccess } from "../flows/flow-check.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import { assertPreconditions } from "../stores/refusals.ts";
import { contentHash } from "../stores/stores.ts";
import { invalid, type MappingChecks } from "./mapping-checks.ts";
import {
  currentOf,
  dataOf,
  type HeldMapping,
  type KnownMapping,
  kindNames,
  type MappingRegister,
  mayUse,
  nameOf,
  ownedBy,
} from "./mapping-register.ts";
import { bringProblems, warnOfStrangers } from "./mapping-users.ts";

/** A mapping of a set, or one that it removes. */
export interface MappingOrder {
  readonly kind: MappingKind;
  readonly id: string;
  /** JSON; null: the mapping is removed. */
  readonly bytes: Uint8Array | null;
  /** Which version it replaces, as the headers of a PUT say it; without them any. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PlannedMapping {
  readonly kind: MappingKind;
  readonly id: string;
  readonly text: string | null;
  /** The mapping as it is; undefined: there is none. */
  readonly before: KnownMapping | undefined;
  /** false: the mapping is the one that is in force. */
  readonly changed: boolean;
  readonly warnings: readonly MappingWarning[];
  /** Puts it in force. `version`: what the store has made of it; undefined: it was removed. */
  install(version: DocumentVersion | undefined): void;
}

export interface MappingPlan {
  readonly mappings: readonly PlannedMapping[];
  /** What a run of the flow gets once the set is in force. */
  access(flowId: string, kind: MappingKind, id: string): MappingAccess;
  /** Warns of flows and message mappings that use a mapping of the set, and may not once it is in force. */
  strangers(
    mapping: PlannedMapping,
    flows: Iterable<Pick<Deployment, "flowId" | "manifest">>,
  ): readonly MappingWarning[];
  /** The uses of message mappings that stay, or come with the set. */
  messageUses(): readonly { readonly mapping: string; readonly uses: readonly string[] }[];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `checksOf` makes checks that find value mappings in a register. Throws AppErrors: precondition_failed, mapping_invalid, bad_json. */
export async function planMappings(
  register: MappingRegister,
  orders: readonly MappingOrder[],
  checksOf: (register: MappingRegister) => MappingChecks,
): Promise<MappingPlan> {
  for (const { kind, id, ifMatch, ifNoneMatch } of orders)
    assertPreconditions(currentOf(register.get(kind, id)), ifMatch, ifNoneMatch, nameOf(kind, id));
  const next = register.copy();
  const checks = checksOf(next);
  for (const { kind, id, bytes } of orders) if (bytes === null) next.delete(kind, id);
  const planned: PlannedMapping[] = [];
  // Value mappings first: message mappings are checked, and tested, with them.
  for (const kind of ["value", "message"] as const) {
    const ofKind = orders.filter((order) => order.kind === kind);
    planned.push(...(await Promise.all(ofKind.map((order) => planMapping(order, register, next, checks)))));
  }
  return {
    mappings: planned,
    access(flowId, kind, id) {
      const held = next.held(kind, id);
      if (held === undefined) return "missing";
      return mayUse(groupOf(flowId), ownedBy(held)) ? "given" : "other_group";
    },
    strangers({ kind, id, text, changed }, flows) {
      const held = text !== null && changed ? next.held(kind, id) : undefined;
      return held === undefined ? [] : warnOfStrangers(kind, held, flows, next);
    },
    messageUses: () =>
      next
        .all("message")
        .filter((known): known is HeldMapping => known.problem === undefined)
        .map(({ id, facts: { uses } }) => ({ mapping: id, uses })),
  };
}

async function planMapping(
  { kind, id, bytes }: MappingOrder,
  register: MappingRegister,
  next: MappingRegister,
  checks: MappingChecks,
): Promise<PlannedMapping> {
  const before = register.get(kind, id);
  if (bytes === null) {
    const install = (): void => register.delete(kind, id);
    return { kind, id, text: null, before, changed: before !== undefined, warnings: [], install };
  }
  const { data, facts, warnings, kept } = await checks.check({ kind, id, media: "json", bytes, stored: false });
  const problems = kind === "message" ? bringProblems(ownedBy({ id, facts }), facts.uses, next) : [];
  if (problems.length > 0) throw invalid(nameOf(kind, id), problems);
  const text = kept ?? utf8.decode(bytes);
  next.set(kind, heldOf(kind, { id, revision: 0, hash: "", lastModified: "", bytes: 0 }, facts, data));
  const changed = before?.problem !== undefined || before?.version?.hash !== contentHash(text);
  return {
    ...{ kind, id, text, before, changed, warnings },
    install(version) {
      if (version !== undefined) register.set(kind, heldOf(kind, version, facts, data));
    },
  };
}

function heldOf(kind: MappingKind, version: DocumentVersion, facts: MappingFacts, data: Uint8Array): HeldMapping {
  return { id: version.id, version, facts, data: dataOf(kind, version, data) };
}

/** Throws mapping_in_use when a mapping that the set removes is used by a flow or a message mapping that stays. */
export function refuseUsed(
  { mappings, messageUses }: MappingPlan,
  flows: Iterable<{ readonly flowId: string; readonly mappings: readonly MappingUse[] }>,
): void {
  const gone = mappings.filter(({ text }) => text === null);
  if (gone.length === 0) return;
  const left = messageUses();
  const all = [...flows];
  for (const { kind, id } of gone) {
    const flow = all.find((one) => one.mappings.some((use) => use.kind === kind && use.id === id));
    const message = kind === "value" ? left.find(({ uses }) => uses.includes(id)) : undefined;
    const user = flow !== undefined ? `the flow '${flow.flowId}'` : message && nameOf("message", message.mapping);
    if (user === undefined) continue;
    throw new AppError(
      "mapping_in_use",
      `the ${kindNames[kind]} '${id}' is not in the set any more, and ${user} uses it: change that first, or leave out prune`,
    );
  }
}
