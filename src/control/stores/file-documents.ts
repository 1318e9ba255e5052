/** The document store on files: a directory for each kind, a file for each id, and one rename that commits a change. */
import { basename, join } from "node:path";
import type { BackedUp, LeftOut, StoredFile } from "./backed-up.ts";
import {
  type DocumentNames,
  decodeDocument,
  documentName,
  documentNames,
  encodeDocument,
  markNameOf,
  type RemovalMark,
} from "./document-file.ts";
import type {
  BrokenDocument,
  DocumentNote,
  DocumentStore,
  DocumentStores,
  DocumentVersion,
  DocumentWriter,
  StoredDocument,
} from "./documents.ts";
import { DocumentIndex } from "./documents.ts";
import {
  discard,
  draftFile,
  isTempName,
  mostFileBytes,
  OwnDirectory,
  removeFile,
  replaceFile,
} from "./durable-files.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { refuseHalfCharacters } from "./refusals.ts";
import { moveOf, type Staged } from "./staged-change.ts";
import { DamagedError, errorCode, isAbsent, isMisplaced, isRefused, readError, TornWriteError } from "./store-error.ts";
import { StoreGuard } from "./store-guard.ts";
import { contentHash } from "./stores.ts";

export interface FileDocumentsOptions {
  /** The directory of this kind alone. */
  readonly directory: string;
  /** What an id names, for messages: "value mapping". */
  readonly what: string;
  /** The guard that the process's stores share; absent: this store has one of its own. */
  readonly guard?: StoreGuard | undefined;
  readonly fs?: FsPort | undefined;
}

/** Only the runtime's user may read documents: policies may contain confidential data. */
const fileMode = 0o600;
const directoryMode = 0o700;
/** How many files are read at the same time. */
const readTogether = 8;

export class FileDocuments implements DocumentStore, BackedUp {
  readonly #fs: FsPort;
  readonly #own: OwnDirectory;
  readonly #area: string;
  readonly #guard: StoreGuard;
  /** Changes by id in lower case, so that ids that differ only by case wait for each other. */
  readonly #queue = new KeyedQueue();
  readonly #index: DocumentIndex;

  constructor({ directory, what, guard, fs = nodeFs }: FileDocumentsOptions) {
    this.#fs = fs;
    this.#own = new OwnDirectory(fs, directory, directoryMode);
    this.#area = what;
    this.#guard = guard ?? new StoreGuard();
    this.#index = new DocumentIndex(what);
  }

  async load(): Promise<{ readonly documents: readonly StoredDocument[]; readonly broken: readonly BrokenDocument[] }> {
    const documents: StoredDocument[] = [];
    const broken: BrokenDocument[] = [];
    const { files, marks } = await this.#names();
    for (const { id, revision } of marks) this.#index.numbered(id, revision);
    for (let from = 0; from < files.length; from += readTogether) {
      const batch = files.slice(from, from + readTogether);
      for (const found of await Promise.all(batch.map((file) => this.#load(file)))) {
        if ("problem" in found) broken.push(found);
        else documents.push(found);
      }
    }
    for (const { text: _, ...version } of documents) this.#index.set(version);
    for (const one of broken) this.#index.setBroken(one);
    await this.#forgetMarks(marks);
    return { documents, broken };
  }

  list(): readonly DocumentVersion[] {
    return this.#index.list();
  }

  async read(id: string): Promise<StoredDocument | undefined> {
    const version = this.#index.get(id);
    if (version === undefined) return undefined;
    try {
      return await this.#read(id);
    } catch (error) {
      // The document was removed meanwhile.
      if (isAbsent(error) && this.#index.get(id) === undefined) return undefined;
      throw readError(error);
    }
  }

  async put(id: string, text: string, by?: DocumentWriter): Promise<DocumentVersion> {
    this.#index.refuse(id);
    refuseHalfCharacters(text);
    return this.#change(id, async () => {
      this.#index.refuseClash(id);
      const now = this.#index.get(id);
      const { version, bytes } = encodeDocument(id, this.#index.next(id), text, { by, set: now?.set });
      if (now?.hash === version.hash) return now;
      await this.#own.ensure();
      await replaceFile(this.#fs, this.#path(id), bytes, fileMode);
      const marked = this.#index.get(id) === undefined ? this.#index.last(id) : 0;
      this.#index.set(version);
      if (marked > 0) await discard(this.#fs, this.#pathOf(markNameOf(id, marked)));
      return version;
    });
  }

  async remove(id: string): Promise<boolean> {
    this.#index.refuse(id);
    return this.#change(id, async () => {
      if (!this.#index.has(id)) return false;
      const last = this.#index.last(id);
      if (last > 0) await this.#mark(markNameOf(id, last));
      await removeFile(this.#fs, this.#path(id), fileMode);
      this.#index.delete(id);
      return true;
    });
  }

  async survey(): Promise<{ readonly ids: readonly string[]; readonly leftOut: readonly LeftOut[] }> {
    const { files, marks } = await this.#listed();
    const kept = files.filter(({ problem }) => problem === undefined);
    const leftOut = files.flatMap(({ file, problem }) =>
      problem === undefined ? [] : [{ name: this.#archived(file), reason: problem }],
    );
    return { ids: [...new Set([...kept, ...marks].map(({ id }) => id))].sort(), leftOut };
  }

  /** Waits for the changes of the id that are under way; later ones wait for it. */
  files(id: string): Promise<readonly StoredFile[]> {
    return this.#queue.run(id.toLowerCase(), async () => {
      const files: StoredFile[] = [];
      for (const name of [documentName(id), markNameOf(id, this.#index.last(id))]) {
        try {
          files.push({ path: this.#archived(name), content: await this.#fs.read(this.#pathOf(name), mostFileBytes) });
        } catch (error) {
          if (!isAbsent(error) && !isMisplaced(error)) throw readError(error);
        }
      }
      return files;
    });
  }

  async #listed(): Promise<DocumentNames> {
    try {
      return documentNames(await this.#fs.names(this.#own.path));
    } catch (error) {
      if (isAbsent(error)) return { files: [], marks: [] };
      throw readError(error);
    }
  }

  #archived(name: string): string {
    return `data/${basename(this.#own.path)}/${name}`;
  }

  /** Prepares a new text (null: the removal) as one of the changes of a set. The text that is stored already keeps its revision. */
  async stage(id: string, text: string | null, note: DocumentNote = {}): Promise<Staged<DocumentVersion | undefined>> {
    this.#index.refuse(id);
    if (text === null) return this.#stageRemoval(id);
    refuseHalfCharacters(text);
    this.#index.refuseClash(id);
    const now = this.#index.get(id);
    const same = now !== undefined && now.hash === contentHash(text);
    const revision = same ? now.revision : this.#index.next(id);
    const { version, bytes } = encodeDocument(id, revision, text, same ? { by: now.by, set: note.set } : note);
    await this.#own.ensure();
    const draft = await draftFile(this.#fs, this.#path(id), bytes, fileMode);
    const marked = now === undefined ? this.#index.last(id) : 0;
    return {
      moves: [moveOf(draft)],
      discard: draft.discard,
      finish: () => {
        this.#index.set(version);
        return version;
      },
      settle: async () => {
        if (marked > 0) await discard(this.#fs, this.#pathOf(markNameOf(id, marked)));
      },
    };
  }

  async #stageRemoval(id: string): Promise<Staged<undefined>> {
    const last = this.#index.last(id);
    // A boot removes a mark whose document is there.
    if (this.#index.has(id) && last > 0) await this.#mark(markNameOf(id, last));
    return {
      moves: this.#index.has(id) ? [{ unlink: this.#path(id) }] : [],
      discard: () => discard(this.#fs, this.#pathOf(markNameOf(id, last))),
      finish: () => {
        this.#index.delete(id);
        return undefined;
      },
      settle: async () => undefined,
    };
  }

  #change<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(id.toLowerCase(), () => this.#guard.change(this.#area, change));
  }

  /** Writes the mark of a removal: it keeps the number before the document is deleted. */
  async #mark(name: string): Promise<void> {
    try {
      const mark = await this.#fs.create(this.#pathOf(name), fileMode);
      await mark.close();
    } catch (error) {
      // A removal that failed later has left the mark.
      if (errorCode(error) !== "EEXIST") throw error;
    }
    await this.#own.sync();
  }

  /**
   * Deletes marks of documents that exist again, and older marks of an id, which a loss of power may have brought back.
   */
  async #forgetMarks(marks: readonly RemovalMark[]): Promise<void> {
    for (const { file, id, revision } of marks) {
      if (revision === this.#index.last(id) && this.#index.get(id) === undefined) continue;
      await discard(this.#fs, this.#pathOf(file));
    }
  }

  /** Syncs first: what is found then survives a loss of power, even if a killed process did not get to its sync. */
  async #names(): Promise<DocumentNames> {
    try {
      const names = await this.#fs.names(this.#own.path);
      for (const name of names) if (isTempName(name)) await discard(this.#fs, this.#pathOf(name));
      await this.#settle();
      return documentNames(names);
    } catch (error) {
      if (isAbsent(error)) return { files: [], marks: [] };
      throw readError(error);
    }
  }

  async #settle(): Promise<void> {
    try {
      await this.#own.sync();
    } catch (error) {
      if (!isRefused(error)) this.#guard.torn(new TornWriteError(error));
    }
  }

  async #load({ id, problem }: DocumentNames["files"][number]): Promise<StoredDocument | BrokenDocument> {
    if (problem !== undefined) return { id, problem };
    try {
      return await this.#read(id);
    } catch (error) {
      const damaged = error instanceof DamagedError;
      return { id, problem: damaged ? `${error.message}: send it again` : `it cannot be read (${errorCode(error)})` };
    }
  }

  async #read(id: string): Promise<StoredDocument> {
    const file = await this.#fs.read(this.#path(id), mostFileBytes).catch((error: unknown) => {
      throw isMisplaced(error) ? new DamagedError("its file in the data directory is damaged") : error;
    });
    return decodeDocument(id, file, (revision) => this.#index.numbered(id, revision));
  }

  #path(id: string): string {
    return this.#pathOf(documentName(id));
  }

  #pathOf(name: string): string {
    return join(this.#own.path, name);
  }
}

/** The document stores of a process: a directory for each kind in its data directory. */
export function fileDocuments(
  directory: string,
  guard: StoreGuard,
  fs?: FsPort,
): { readonly [Kind in keyof DocumentStores]: FileDocuments } {
  const of = (name: string, what: string) => new FileDocuments({ directory: join(directory, name), what, guard, fs });
  return {
    valueMappings: of("value-mappings", "value mapping"),
    messageMappings: of("message-mappings", "message mapping"),
    policies: of("policies", "flow"),
    connections: of("connections", "connection"),
  };
}
