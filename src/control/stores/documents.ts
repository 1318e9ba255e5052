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

/** A file that is there and cannot be read as a document. */
export interface BrokenDocument {
  readonly id: string;
  /** What is wrong, without a path. */
  readonly problem: string;
}

/** One of each kind. */
export interface DocumentStores {
  readonly valueMappings: DocumentStore;
  readonly messageMappings: DocumentStore;
  /** By flow. */
  readonly policies: DocumentStore;
}

/**
 * A promise that fulfils means: it is on the disk, and a loss of power does not take it back. One that rejects with `disk_full` or
 * `store_failed` means: what was there before is there still. Other refusals are AppErrors too (`bad_id`, `id_case_clash`).
 * Changes of one id follow each other.
 */
export interface DocumentStore {
  /** Once, at boot: removes what an interrupted write left. A broken file is left alone. */
  load(): Promise<{ readonly documents: readonly StoredDocument[]; readonly broken: readonly BrokenDocument[] }>;
  /** In the order of the ids; from memory. */
  list(): readonly DocumentVersion[];
  read(id: string): Promise<StoredDocument | undefined>;
  /** The text that is there already makes no new version: the present one is returned. */
  put(id: string, text: string): Promise<DocumentVersion>;
  /** false: there was none. */
  remove(id: string): Promise<boolean>;
}
