/** Changes of several flows and documents that are made all or none. */
import type { DocumentNote, DocumentStores, DocumentVersion } from "./documents.ts";
import type { FlowStore, Kept, RevisionContent } from "./stores.ts";

export type DocumentKind = keyof DocumentStores;

export interface FlowChange {
  readonly id: string;
  /** null: the flow is removed; its revisions stay. */
  readonly content: RevisionContent | null;
  /** Of a flow that is removed: what it keeps between messages stays, for a flow that is made again under the id. */
  readonly keepState?: boolean | undefined;
}

export interface DocumentChange extends DocumentNote {
  readonly kind: DocumentKind;
  readonly id: string;
  /** null: the document is removed. */
  readonly text: string | null;
}

export interface SetChange {
  readonly flows: readonly FlowChange[];
  readonly documents: readonly DocumentChange[];
}

/** In the order of the changes; undefined for what was removed. */
export interface SetCommitted {
  readonly flows: readonly (Kept | undefined)[];
  readonly documents: readonly (DocumentVersion | undefined)[];
}

/**
 * A promise that fulfils means: all changes are on the disk and survive a loss of power. One that rejects means: nothing has changed,
 * unless the stores are read-only from then on, which the message says. Callers make changes of one id one after the other, and hold
 * their turns for all ids of a set.
 */
export interface SetStore {
  /** Called once, at boot, before the other stores load: completes a set whose commit was cut off. Returns what was completed, for the log. */
  recover(): Promise<string | undefined>;
  commit(change: SetChange): Promise<SetCommitted>;
}

/** For stores in memory, which no crash cuts off. */
export class PlainSets implements SetStore {
  readonly #flows: FlowStore;
  readonly #documents: DocumentStores;

  constructor(flows: FlowStore, documents: DocumentStores) {
    this.#flows = flows;
    this.#documents = documents;
  }

  async recover(): Promise<undefined> {}

  async commit({ flows, documents }: SetChange): Promise<SetCommitted> {
    const kept: (Kept | undefined)[] = [];
    const versions: (DocumentVersion | undefined)[] = [];
    for (const { kind, id, text, by } of documents) {
      const store = this.#documents[kind];
      if (text === null) await store.remove(id);
      versions.push(text === null ? undefined : await store.put(id, text, by));
    }
    for (const { id, content, keepState } of flows) {
      if (content === null) await this.#flows.remove(id, { keepState });
      kept.push(content === null ? undefined : await this.#flows.keep(id, content));
    }
    return { flows: kept, documents: versions };
  }
}
