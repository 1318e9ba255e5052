/** What a document store knows without its disk: the versions that exist, and the numbers that were used. */
import type { BrokenDocument, DocumentVersion } from "./documents.ts";
import { refuseCaseClash, refuseId } from "./refusals.ts";

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
