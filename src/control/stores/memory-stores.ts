/** The stores in memory, for tests and for runs that need not last; they behave as those on files. */
import type { BrokenDocument, DocumentStore, DocumentVersion, DocumentWriter, StoredDocument } from "./documents.ts";
import { DocumentIndex } from "./documents.ts";
import { companionName, flowFileNames, policyFileName } from "./file-names.ts";
import { reconcile, stateOf } from "./flow-loader.ts";
import { noSuchFlow, refuseCaseClash, refuseContent, refuseHalfCharacters, refuseId } from "./refusals.ts";
import {
  type CompanionText,
  contentHash,
  type DesiredState,
  type FilesBeside,
  type FlowFile,
  type FlowStore,
  type FlowText,
  incarnationOf,
  type Kept,
  type PreparedRevision,
  type RemoveOptions,
  type RevisionContent,
  revisionsKept,
  type StoredFlow,
  type StoredRevision,
  type StoreStatus,
} from "./stores.ts";

interface MemoryFile {
  readonly yaml: string;
  readonly hash: string;
  readonly lastModified: string;
}

interface History {
  readonly head: {
    readonly revision: number;
    readonly last: number;
    readonly state: DesiredState;
    readonly deleted: boolean;
    readonly incarnation: number;
    readonly keepsState?: boolean | undefined;
  };
  /** The revisions' records, in ascending order. */
  readonly records: readonly StoredRevision[];
}

export class MemoryFlowStore implements FlowStore {
  /** The YAML files by their names. */
  readonly #files = new Map<string, MemoryFile>();
  readonly #histories = new Map<string, History>();
  readonly #mostBytes: number;

  /** `flowYamlBytes`: the most bytes that a flow's YAML may have. */
  constructor({ flowYamlBytes }: { readonly flowYamlBytes: number }) {
    this.#mostBytes = flowYamlBytes;
  }

  /** Acts as an editor: a file of this name appears or changes (null: it is deleted), and no revision is made. */
  edit(file: string, yaml: string | null): void {
    if (yaml === null) this.#files.delete(file);
    else this.#files.set(file, fileOf(yaml));
  }

  async load(): Promise<readonly StoredFlow[]> {
    const flows: StoredFlow[] = [];
    for (const { id, file, problem } of await this.list()) {
      const content = this.#files.get(file);
      if (problem === undefined && content !== undefined) flows.push(this.#reconcile(id, content));
    }
    return flows;
  }

  async list(): Promise<readonly FlowFile[]> {
    return flowFileNames([...this.#files.keys()]).flatMap((named) => {
      const content = this.#files.get(named.file);
      if (content === undefined) return [];
      const bytes = Buffer.byteLength(content.yaml);
      const problem = named.problem ?? this.#problem(bytes);
      const { hash, lastModified } = content;
      return { id: named.id, file: named.file, lastModified, hash, bytes, ...(problem !== undefined && { problem }) };
    });
  }

  async read(id: string): Promise<FlowText | undefined> {
    const file = (await this.list()).find((other) => other.id === id);
    if (file === undefined) return undefined;
    if (file.problem !== undefined) return { ...file, yaml: "", head: null };
    const history = this.#histories.get(id);
    const record = history?.head.deleted ? undefined : history && recordOf(history, history.head.revision);
    const head = history && record ? { ...record, ...stateOf(history.head) } : null;
    return { ...file, yaml: this.#files.get(file.file)?.yaml ?? "", head };
  }

  async beside(id: string): Promise<FilesBeside> {
    const read = (name: string): CompanionText | undefined => {
      const file = this.#files.get(name);
      return file && { text: file.yaml, hash: file.hash };
    };
    return { companion: read(companionName(id)), policy: read(policyFileName(id)) };
  }

  async revisions(id: string): Promise<readonly StoredRevision[]> {
    refuseId(id);
    return this.#histories.get(id)?.records.toReversed() ?? [];
  }

  async keep(id: string, content: RevisionContent): Promise<Kept> {
    return (await this.prepare(id, content)).commit();
  }

  async prepare(id: string, content: RevisionContent): Promise<PreparedRevision> {
    refuseId(id);
    refuseContent(content, this.#mostBytes);
    const names = [...this.#files.keys()].filter((name) => name.endsWith(".yaml"));
    refuseCaseClash(
      id,
      names.map((name) => name.slice(0, -".yaml".length)),
    );
    const commit = async (): Promise<Kept> => {
      const file = fileOf(content.yaml);
      this.#files.set(`${id}.yaml`, file);
      const { revision, hash, incarnation } = this.#commit(id, content, file);
      return { revision, hash, lastModified: file.lastModified, incarnation };
    };
    return { commit, discard: () => Promise.resolve() };
  }

  async setState(id: string, state: DesiredState): Promise<void> {
    refuseId(id);
    const history = this.#histories.get(id);
    if (history === undefined || history.head.deleted) {
      if (state === "started" && this.#files.has(`${id}.yaml`)) return;
      throw noSuchFlow(id);
    }
    this.#histories.set(id, { ...history, head: { ...history.head, state } });
  }

  async remove(id: string, { purge = false, keepState = false, keepFile = false }: RemoveOptions = {}): Promise<void> {
    refuseId(id);
    const history = this.#histories.get(id);
    const file = `${id}.yaml`;
    const existed = keepFile ? this.#files.has(file) : this.#files.delete(file);
    if (!existed && !(purge && history !== undefined && history.records.length > 0)) throw noSuchFlow(id);
    if (history === undefined) return;
    const { keepsState: kept = false, ...before } = history.head;
    const keepsState = keepState || (before.deleted && kept && !purge);
    const head = { ...before, state: "started", deleted: true, ...(keepsState && { keepsState }) } as const;
    this.#histories.set(id, { head, records: purge ? [] : history.records });
  }

  async incarnation(id: string): Promise<number | undefined> {
    const head = this.#histories.get(id)?.head;
    return head && incarnationOf(head, undefined, head.last + 1);
  }

  status(): StoreStatus {
    return { writable: true };
  }

  #reconcile(id: string, file: MemoryFile): StoredFlow {
    const history = this.#histories.get(id);
    const found = reconcile(file, history?.head, history?.records ?? []);
    const { lastModified } = file;
    if (found.kind === "edited") return { id, lastModified, ...this.#commit(id, found.content, file) };
    this.#histories.set(id, { head: found.head, records: history?.records ?? [] });
    return { id, lastModified, ...found.record, ...stateOf(found.head) };
  }

  #commit(id: string, content: RevisionContent, { hash }: MemoryFile): StoredRevision {
    const history = this.#histories.get(id);
    const revision = (history?.head.last ?? 0) + 1;
    const incarnation = incarnationOf(history?.head, undefined, revision);
    const record = { ...structuredClone(content), revision, hash, savedAt: new Date().toISOString(), incarnation };
    const records = [...(history?.records ?? []), record].slice(-revisionsKept);
    this.#histories.set(id, {
      head: { revision, last: revision, state: content.state, deleted: false, incarnation },
      records,
    });
    return record;
  }

  #problem(bytes: number): string | undefined {
    if (bytes === 0) return "it is empty";
    if (bytes <= this.#mostBytes) return undefined;
    return `it has ${bytes} bytes, more than LIMIT_FLOW_YAML_BYTES (${this.#mostBytes})`;
  }
}

function fileOf(yaml: string): MemoryFile {
  return { yaml, hash: contentHash(yaml), lastModified: new Date().toISOString() };
}

function recordOf({ records }: History, revision: number): StoredRevision | undefined {
  return records.find((record) => record.revision === revision);
}

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

  async put(id: string, text: string, by?: DocumentWriter): Promise<DocumentVersion> {
    this.#index.refuse(id);
    refuseHalfCharacters(text);
    this.#index.refuseClash(id);
    const lastModified = new Date().toISOString();
    const facts = { hash: contentHash(text), bytes: Buffer.byteLength(text), lastModified };
    const now = this.#index.get(id);
    if (now?.hash === facts.hash) return now;
    const version = { id, revision: this.#index.next(id), ...facts, ...(by !== undefined && { by }) };
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
