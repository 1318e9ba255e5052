/** The mappings as they are now, in memory: what flows are given, what the API lists. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingData, MappingFacts, MappingKind, MappingUse, MappingVersion } from "../../shared/mapping.ts";
import { ValueTable } from "../../shared/value-table.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import { mayUse, ownedBy } from "./mapping-groups.ts";

export interface HeldMapping {
  readonly id: string;
  readonly version: DocumentVersion;
  readonly data: MappingData;
  readonly facts: MappingFacts;
  readonly problem?: undefined;
}

/** Flows do not have it: a run that asks for it fails. */
export interface BrokenMapping {
  readonly id: string;
  readonly problem: string;
  /** undefined: its file cannot be read. */
  readonly version?: DocumentVersion | undefined;
}

export type KnownMapping = HeldMapping | BrokenMapping;

export class MappingRegister {
  readonly #known: Readonly<Record<MappingKind, Map<string, KnownMapping>>> = { value: new Map(), message: new Map() };
  readonly #tables = new WeakMap<MappingData, ValueTable>();

  get(kind: MappingKind, id: string): KnownMapping | undefined {
    return this.#known[kind].get(id);
  }

  /** undefined: there is none, or it is broken. */
  held(kind: MappingKind, id: string): HeldMapping | undefined {
    const known = this.get(kind, id);
    return known?.problem === undefined ? known : undefined;
  }

  set(kind: MappingKind, mapping: KnownMapping): void {
    this.#known[kind].set(mapping.id, mapping);
  }

  delete(kind: MappingKind, id: string): void {
    this.#known[kind].delete(id);
  }

  /** In the order of their ids. */
  all(kind: MappingKind): readonly KnownMapping[] {
    return [...this.#known[kind].values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Those of the mappings that a flow uses that are there and that its group may use, with the value mappings that its message mappings use. */
  closure(flowId: string, uses: readonly MappingUse[]): readonly MappingData[] {
    const found = new Set<MappingData>();
    const group = groupOf(flowId);
    const add = (kind: MappingKind, id: string): void => {
      const held = this.held(kind, id);
      if (held === undefined || !mayUse(group, ownedBy(held))) return;
      found.add(held.data);
      if (kind === "message") for (const used of held.facts.uses) add("value", used);
    };
    for (const { kind, id } of uses) add(kind, id);
    return [...found];
  }

  /** Opened once for each version. */
  table({ data }: HeldMapping): ValueTable {
    let table = this.#tables.get(data);
    if (table === undefined) {
      table = new ValueTable(data.data);
      this.#tables.set(data, table);
    }
    return table;
  }
}

export function dataOf(kind: MappingKind, { id, revision, hash }: DocumentVersion, data: Uint8Array): MappingData {
  return { ...({ kind, id, revision, hash } satisfies MappingVersion), data };
}
