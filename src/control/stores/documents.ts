/** The document stores' contract: value mappings, message mappings, access policies and named connections are kept as they were sent. */
import { refuseCaseClash, refuseId } from "./refusals.ts";

/** Who wrote a document. */
export interface DocumentWriter {
  /** What it was written by: `PUT /_api/auth/orders`, `orders.flow.yaml`. */
  readonly via: string;
  /** The caller, as the audit log names it; absent: there was none. */
  readonly actor?: string | undefined;
}

/** What a store keeps of a document beside its text. */
export interface DocumentNote {
  /** Absent: it is not known. */
  readonly by?: DocumentWriter | undefined;
  /** The set of the deployment that brought the document; absent: it was not brought by one. */
  readonly set?: string | undefined;
}

export interface DocumentVersion extends DocumentNote {
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
  readonly connections: DocumentStore;
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
  /** Stores a new version; the text that is stored already makes none, and the present version is returned. The set of the present version stays. */
  put(id: string, text: string, by?: DocumentWriter): Promise<DocumentVersion>;
  /** Removes the document; false: it did not exist. */
  remove(id: string): Promise<boolean>;
}

/** The versions that exist and the numbers that were used, in memory. */
export class DocumentIndex {
  /** What an id names, for messages: "value mapping". */
  readonly #what: string;
  readonly #versions = new Map<string, DocumentVersion>();
  readonly #broken = new Set<string>();
  /** The highest number that each id ever had. */
  readonly #last = new Map<string, number>();

  constructor(what: string) {
    this.#what = what;
  }

  list(): readonly DocumentVersion[] {
    return [...this.#versions.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): DocumentVersion | undefined {
    return this.#versions.get(id);
  }

  /** Whether the document has a file, even a broken one. */
  has(id: string): boolean {
    return this.#versions.has(id) || this.#broken.has(id);
  }

  last(id: string): number {
    return this.#last.get(id) ?? 0;
  }

  set(version: DocumentVersion): void {
    this.#broken.delete(version.id);
    this.#versions.set(version.id, version);
    this.numbered(version.id, version.revision);
  }

  setBroken({ id }: BrokenDocument): void {
    this.#broken.add(id);
  }

  numbered(id: string, revision: number): void {
    this.#last.set(id, Math.max(revision, this.last(id)));
  }

  /**
   * The next revision number. After a broken file whose number is unknown, it is one that no document of the kind has
   * had.
   */
  next(id: string): number {
    const unknown = this.#broken.has(id) && !this.#last.has(id);
    return 1 + (unknown ? Math.max(0, ...this.#last.values()) : this.last(id));
  }

  delete(id: string): void {
    this.#versions.delete(id);
    this.#broken.delete(id);
  }

  refuse(id: string): void {
    refuseId(id, this.#what);
  }

  refuseClash(id: string): void {
    refuseCaseClash(id, this.#versions.keys(), this.#what);
    refuseCaseClash(id, this.#broken, this.#what);
  }
}
