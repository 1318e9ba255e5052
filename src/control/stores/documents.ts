/** Documents that are kept as they were sent, by id: value mappings, message mappings, access policies. */

export interface DocumentVersion {
  readonly id: string;
  /** Begins at 1 and never restarts, not even after a removal. */
  readonly revision: number;
  /** Lower-case hexadecimal SHA-256 of the text's UTF-8 bytes. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly lastModified: string;
  readonly bytes: number;
}

export interface StoredDocument extends DocumentVersion {
  readonly text: string;
}

/** A file that exists and cannot be read as a document. */
export interface BrokenDocument {
  readonly id: string;
  /** What is wrong, without a path. */
  readonly problem: string;
}

/** The document stores, one for each kind. */
export interface DocumentStores {
  readonly valueMappings: DocumentStore;
  readonly messageMappings: DocumentStore;
  /** Policies by the id of their flow. */
  readonly policies: DocumentStore;
}

/**
 * A promise that fulfils means: the change is on the disk and survives a loss of power. One that rejects with
 * `disk_full` or `store_failed` means: what was stored before still is. Other refusals are AppErrors too (`bad_id`,
 * `id_case_clash`). Changes of one id are made one after the other.
 */
export interface DocumentStore {
  /** Called once, at boot: removes what an interrupted write left. A broken file is left as it is. */
  load(): Promise<{ readonly documents: readonly StoredDocument[]; readonly broken: readonly BrokenDocument[] }>;
  /** The current versions from memory, in the order of their ids. */
  list(): readonly DocumentVersion[];
  read(id: string): Promise<StoredDocument | undefined>;
  /** Stores a new version; the text that is stored already makes none, and the present version is returned. */
  put(id: string, text: string): Promise<DocumentVersion>;
  /** Removes the document; false: it did not exist. */
  remove(id: string): Promise<boolean>;
}
