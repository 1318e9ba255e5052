/** The current mappings in memory: which ones a flow gets and may use, which ones the API lists, and lookups in them. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingData, MappingFacts, MappingKind, MappingUse, MappingVersion } from "../../shared/mapping.ts";
import { ValueTable } from "../../shared/value-table.ts";
import type { DocumentVersion } from "../stores/documents.ts";
import type { Current } from "../stores/refusals.ts";

/** The kinds as messages name them; the address of one is `/_api/<this with a dash>s/<id>`. */
export const kindNames: Readonly<Record<MappingKind, string>> = { value: "value mapping", message: "message mapping" };

export function nameOf(kind: MappingKind, id: string): string {
  return `${kindNames[kind]} '${id}'`;
}

export interface HeldMapping {
  readonly id: string;
  readonly version: DocumentVersion;
  readonly data: MappingData;
  readonly facts: MappingFacts;
  readonly problem?: undefined;
}

/** No flow gets it: a run that asks for it fails. */
export interface BrokenMapping {
  readonly id: string;
  readonly problem: string;
  /** undefined: the file cannot be read. */
  readonly version?: DocumentVersion | undefined;
}

export type KnownMapping = HeldMapping | BrokenMapping;

/** What the entity tag of a mapping is made of; undefined: there is none. */
export function currentOf(known: KnownMapping | undefined): Current | undefined {
  return known && { hash: known.version?.hash ?? "", revision: known.version?.revision ?? null };
}

export class MappingRegister {
  readonly #known: Readonly<Record<MappingKind, Map<string, KnownMapping>>> = { value: new Map(), message: new Map() };
  readonly #tables = new WeakMap<MappingData, ValueTable>();

  /** A register with the same mappings, which changes by itself. */
  copy(): MappingRegister {
    const copy = new MappingRegister();
    for (const kind of ["value", "message"] as const) for (const known of this.all(kind)) copy.set(kind, known);
    return copy;
  }

  get(kind: MappingKind, id: string): KnownMapping | undefined {
    return this.#known[kind].get(id);
  }

  /** Returns undefined when there is none, or it is broken. */
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

  /** Sorted by id. */
  all(kind: MappingKind): readonly KnownMapping[] {
    return [...this.#known[kind].values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Returns the mappings that a flow names, as far as they exist and its group may use them, with the value mappings that its message mappings use. */
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

  /** Returns the table, which is opened once for each version. */
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

/** What decides who may use a mapping: `team-a.codes` is for flows of group `team-a`, or for all flows when it is shared; one without a dot is for all. */
export interface Owned {
  readonly id: string;
  readonly shared: boolean;
}

export function ownedBy({
  id,
  facts: { shared },
}: {
  readonly id: string;
  readonly facts: Pick<MappingFacts, "shared">;
}): Owned {
  return { id, shared };
}

/** `group`: the group of the flow; "": it has none. */
export function mayUse(group: string, { id, shared }: Owned): boolean {
  const owner = groupOf(id);
  return shared || owner === "" || owner === group;
}

/** A flow gets the value mappings of its message mapping, so all flows that may use the message mapping must be allowed to use these. */
export function mayBring(message: Owned, value: Owned): boolean {
  const audience = message.shared ? "" : groupOf(message.id);
  return mayUse(audience, value);
}
