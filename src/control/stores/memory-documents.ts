/** The document store in memory, for tests and for runs that need not last; it behaves as the one on files. */
import { contentHash } from "./content-hash.ts";
import { DocumentIndex } from "./document-index.ts";
import type { BrokenDocument, DocumentStore, DocumentVersion, StoredDocument } from "./documents.ts";
import { refuseHalfCharacters } from "./refusals.ts";

export class MemoryDocuments implements DocumentStore {
  readonly #index: DocumentIndex;
  readonly #texts = new Map<string, string>();

  /** `what`: what an id names, for messages. */
  constructor(what = "document") {
    this.#index = new DocumentIndex(what);
  }

  async load(): Promise<{ readonly documents: readonly StoredDocument[]; readonly broken: readonly BrokenDocument[] }> {
    const documents = this.#index.list().map((version) => ({ ...version, text: this.#texts.get(version.id) ?? "" }));
    return { documents, broken: [] };
  }

  list(): readonly DocumentVersion[] {
    return this.#index.list();
  }

  async read(id: string): Promise<StoredDocument | undefined> {
    const version = this.#index.get(id);
    return version && { ...version, text: this.#texts.get(id) ?? "" };
  }

  async put(id: string, text: string): Promise<DocumentVersion> {
    this.#index.refuse(id);
    refuseHalfCharacters(text);
    this.#index.refuseClash(id);
    const lastModified = new Date().toISOString();
    const facts = { hash: contentHash(text), bytes: Buffer.byteLength(text), lastModified };
    const now = this.#index.get(id);
    if (now?.hash === facts.hash) return now;
    const version = { id, revision: this.#index.next(id), ...facts };
    this.#texts.set(id, text);
    this.#index.set(version);
    return version;
  }

  async remove(id: string): Promise<boolean> {
    this.#index.refuse(id);
    this.#index.delete(id);
    return this.#texts.delete(id);
  }
}
