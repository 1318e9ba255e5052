/** Makes backups of all that lasts while the runtime runs: each resource as of one moment, between two of its changes. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { openAuditCopy } from "../audit/audit-copy.ts";
import type { BackedUp, LeftOut, StoredFile } from "../stores/backed-up.ts";
import { dataVersion } from "../stores/data-version.ts";
import { type AddFile, packArchive } from "./archive.ts";
import { archiveFormat, type BackupHead, type BackupManifest, headName, manifestName } from "./manifest.ts";

export interface BackupSources {
  readonly flows: BackedUp;
  /** By the id of their flow. */
  readonly policies: BackedUp;
  /** Other documents, a store for each kind. */
  readonly documents: readonly BackedUp[];
  readonly auditDirectory: string;
  /** The path of the key that the data directory has made for itself, if it has. */
  readonly ownKey: string;
}

export interface BackupOptions {
  readonly sources: BackupSources;
  /** Copies the files of the state store, each as of one moment. */
  state(): AsyncIterable<FileCopy>;
  /** Copies the embedded databases, each as of one moment. */
  databases(): AsyncIterable<FileCopy>;
  /** The version of the runtime. */
  readonly runtime: string;
  /** Runs work between two changes of a flow. */
  between<T>(flowId: string, work: () => Promise<T>): Promise<T>;
  /** Runs work between two deployments of sets, which wait for its end. */
  betweenSets<T>(work: () => Promise<T>): Promise<T>;
  /** A reader that takes nothing for this long ends the backup. */
  readonly stallMs: number;
  /** Returns why the directories may not be read: another process may have them; undefined: they may. */
  refusal(): string | undefined;
  log(level: "INFO" | "WARN", message: string): void;
}

export interface Backup {
  readonly at: Date;
  /** The archive; whoever has it reads or cancels it. */
  readonly archive: ReadableStream<Uint8Array>;
}

interface Progress {
  readonly files: BackupManifest["files"];
  readonly leftOut: LeftOut[];
  readonly add: AddFile;
}

const noOwnKey =
  "this runtime has made no key for itself, since its operator has given one (DATA_KEY): back it up without the key, and keep that one";

/** Deployments of sets wait at most this long for the reader of a backup, which is broken off then. */
const mostHeldMs = 10 * 60_000;

export class Backups {
  readonly #options: BackupOptions;
  #underWay = false;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  /**
   * Begins a backup, with the data directory's own key if it is asked for. Throws AppErrors `too_many_in_flight` while another one is under
   * way, `lock_lost`, and `not_found` for a key that is not there.
   */
  begin(withKey: boolean): Backup {
    const refused = this.#options.refusal();
    if (refused !== undefined) throw new AppError("lock_lost", refused);
    if (withKey && !existsSync(this.#options.sources.ownKey)) throw new AppError("not_found", noOwnKey);
    if (this.#underWay)
      throw new AppError("too_many_in_flight", "a backup is under way: wait for its end", { "Retry-After": "10" });
    this.#underWay = true;
    const at = new Date();
    const write = (add: AddFile) => this.#write({ add, files: [], leftOut: [] }, at, withKey);
    return { at, archive: packArchive(at, write, this.#options.stallMs) };
  }

  async #write(progress: Progress, at: Date, withKey: boolean): Promise<void> {
    const { log } = this.#options;
    const { files, leftOut } = progress;
    try {
      await this.#writeAll(progress, at, withKey);
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const without = leftOut.length === 0 ? "" : `, without ${leftOut.map(({ name }) => name).join(", ")}`;
      log("INFO", `a backup of ${files.length} files with ${bytes} bytes was made${without}`);
    } catch (error) {
      log("WARN", `a backup was broken off: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    } finally {
      this.#underWay = false;
    }
  }

  async #writeAll(progress: Progress, at: Date, withKey: boolean): Promise<void> {
    const { sources, runtime, betweenSets } = this.#options;
    const { add, files, leftOut } = progress;
    const head: BackupHead = { format: archiveFormat, runtime, dataVersion, at: at.toISOString() };
    await addDocument(add, headName, head);
    if (withKey)
      await addFiles(progress, [{ path: `data/${basename(sources.ownKey)}`, content: await readFile(sources.ownKey) }]);
    // Before the flows: state of a flow that is made again later must not be in it, for its incarnation may be another one's after a restore.
    for await (const copy of this.#options.state()) await addCopy(progress, "state", copy);
    for await (const copy of this.#options.databases()) await addCopy(progress, "databases", copy);
    // A set is in it as a whole, or not at all.
    await betweenSets(() => this.#writeSetParts(progress));
    await addAudit(progress, sources.auditDirectory);
    await addDocument(add, manifestName, { files, leftOut } satisfies BackupManifest);
  }

  /** Writes all that sets consist of. */
  async #writeSetParts(progress: Progress): Promise<void> {
    const { sources, between } = this.#options;
    const { flows, policies, documents } = sources;
    const until = performance.now() + mostHeldMs;
    const addAll = async (stored: readonly StoredFile[]): Promise<void> => {
      if (performance.now() > until)
        throw new Error(`its reader has taken more than ${mostHeldMs / 60_000} minutes for flows and documents`);
      await addFiles(progress, stored);
    };
    const kept = await flows.survey();
    progress.leftOut.push(...kept.leftOut);
    for (const id of kept.ids) await addAll(await between(id, () => withPolicy(id, flows, policies)));
    for (const store of [policies, ...documents]) {
      const found = await store.survey();
      progress.leftOut.push(...found.leftOut);
      const done = new Set(store === policies ? kept.ids : []);
      for (const id of found.ids) if (!done.has(id)) await addAll(await store.files(id));
    }
  }
}

/** A flow's files, then its policy's: a flow that is protected is never restored without its policy. */
async function withPolicy(id: string, flows: BackedUp, policies: BackedUp): Promise<readonly StoredFile[]> {
  const files = await flows.files(id);
  return [...files, ...(await policies.files(id))];
}

async function addFiles({ add, files }: Progress, stored: readonly StoredFile[]): Promise<void> {
  for (const { path, content } of stored) {
    const bytes = content.length;
    files.push({ path, bytes, sha256: await add({ path, bytes, content }) });
  }
}

interface FileCopy {
  /** Its path in the folder. */
  readonly name: string;
  readonly bytes: number;
  /** Reads the content, once. */
  content(): AsyncIterable<Uint8Array>;
}

/** `folder`: of the data directory. */
async function addCopy({ add, files }: Progress, folder: string, { name, bytes, content }: FileCopy): Promise<void> {
  const path = `data/${folder}/${name}`;
  files.push({ path, bytes, sha256: await add({ path, bytes, content: content() }) });
}

async function addAudit(progress: Progress, directory: string): Promise<void> {
  const copies = await openAuditCopy(directory);
  try {
    for (const copy of copies) await addCopy(progress, "audit", copy);
  } finally {
    await Promise.all(copies.map((copy) => copy.close()));
  }
}

async function addDocument(add: AddFile, path: string, document: object): Promise<void> {
  const content = new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`);
  await add({ path, bytes: content.length, content });
}
