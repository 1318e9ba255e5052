/** The state of a mapping: what the workspace has, what a runtime has, and what was installed from here. */
import { type MappingKind, type MappingUse, mappingKinds } from "../../../shared/mapping-uses.ts";
import type { MappingEntry } from "../../../shared/wire.ts";
import type { MappingUser, MessageSummary, ValueSummary } from "../api/runtime-mappings.ts";
import { type FlowState, stateOf } from "../flows/state.ts";

export type MappingSummary = ValueSummary | MessageSummary;

/** Those of flows; Deployed is Installed here. None is Failed: what the runtime refuses is not kept. */
export type MappingState = Exclude<FlowState, "Failed">;

/** Both sides, as they were seen at last; undefined: one does not answer. */
export interface Mappings {
  readonly target: string | undefined;
  readonly entries: readonly MappingEntry[] | undefined;
  readonly installed: Readonly<Record<MappingKind, readonly MappingSummary[] | undefined>>;
}

export interface MappingRow extends MappingUse {
  readonly name: string;
  /** undefined: it is on the runtime only, or nowhere. */
  readonly state: MappingState | undefined;
  readonly entry: MappingEntry | undefined;
  readonly summary: MappingSummary | undefined;
}

export function mappingRows(mappings: Mappings, kind: MappingKind): readonly MappingRow[] {
  const ids = [...(mappings.entries ?? []).filter((entry) => entry.kind === kind), ...(mappings.installed[kind] ?? [])];
  return [...new Set(ids.map(({ id }) => id))].map((id) => mappingRow(mappings, { kind, id }));
}

export function mappingRow(mappings: Mappings, { kind, id }: MappingUse, isUnsaved = false): MappingRow {
  const entry = mappings.entries?.find((one) => one.kind === kind && one.id === id);
  const list = mappings.installed[kind];
  const summary = list?.find((one) => one.id === id);
  const known = summary?.name === undefined || summary.name === "" ? id : summary.name;
  return { kind, id, name: entry?.name ?? known, state: entry && state(), entry, summary };

  function state(): MappingState {
    const { draft = false, hash = "" } = entry ?? {};
    const deployed = mappings.target === undefined ? undefined : entry?.deployed[mappings.target];
    // The list of a runtime has no revisions: the texts decide.
    const running = summary && { state: "Started", hash: summary.hash, deployedHash: summary.hash, revision: null };
    const kept = { draft, hash, optionsHash: deployed?.optionsHash ?? "" };
    const found = stateOf({ kept, running: list === undefined ? "unknown" : running, deployed, isUnsaved });
    return found === "Failed" ? "Drifted" : found;
  }
}

/** The mappings that are named, and the value mappings that the message mappings among them name; each once, value mappings first. */
export function involved(mappings: Mappings, uses: readonly MappingUse[]): readonly MappingUse[] {
  const inner = uses.filter(({ kind }) => kind === "message").flatMap(({ id }) => usesOf(mappings, id));
  const all = new Map([...uses, ...inner].map((use) => [`${use.kind} ${use.id}`, use]));
  return mappingKinds.flatMap((kind) => [...all.values()].filter((use) => use.kind === kind));
}

function usesOf({ entries, installed }: Mappings, id: string): readonly MappingUse[] {
  const entry = entries?.find((one) => one.kind === "message" && one.id === id);
  if (entry !== undefined) return entry.uses;
  const users = (installed.value ?? []).filter(({ usedBy }) =>
    usedBy.some((user) => "mapping" in user && user.mapping === id),
  );
  return users.map((one): MappingUse => ({ kind: "value", id: one.id }));
}

/** What the mappings of a flow make of its state: of one that is deployed, but whose mappings are not installed as they are here. */
export function stateWith(state: FlowState, mappings: Mappings, uses: readonly MappingUse[]): FlowState {
  if (state !== "Deployed" || uses.length === 0) return state;
  const states = involved(mappings, uses).map((use) => mappingRow(mappings, use).state);
  if (states.includes("Drifted")) return "Drifted";
  return states.some((one) => one !== undefined && one !== "Deployed") ? "Modified" : "Deployed";
}

/** The flows and message mappings that use a mapping, without one flow. */
export function otherUsers(users: readonly MappingUser[], flowId: string): readonly string[] {
  const names = users.map((user) => ("mapping" in user ? user.mapping : user.flowId));
  return [...new Set(names)].filter((name) => name !== flowId);
}
