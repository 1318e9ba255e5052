/** Revision records and head pointers, `<data>/flows/<id>/<revision>.json` and `head.json`. */
import { dirname, join } from "node:path";
import * as z from "zod";
import { parseExactly } from "../../shared/exact-json.ts";
import type { StoredFile } from "./backed-up.ts";
import {
  addFile,
  asideOf,
  type Draft,
  discard,
  draftFile,
  isTempName,
  mostFileBytes,
  OwnDirectory,
  replaceFile,
  together,
} from "./durable-files.ts";
import { liftLimits } from "./flow-options.ts";
import type { FileFacts, FsPort } from "./fs-port.ts";
import { DamagedError, ignoreDamage, isAbsent, isMisplaced, TornWriteError } from "./store-error.ts";
import { contentHash, type StoredRevision } from "./stores.ts";

const state = z.enum(["started", "stopped"]);

const recordSchema = z
  .object({
    revision: z.int().positive(),
    hash: z.string(),
    savedAt: z.string(),
    state,
    params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    limits: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    isolation: z.enum(["thread", "process"]).optional(),
    threads: z.int().positive().optional(),
    record: z.enum(["off", "errors", "all"]).optional(),
    keepFailed: z.union([z.boolean(), z.literal("all")]).optional(),
    logHandled: z.boolean().optional(),
    description: z.string().optional(),
    category: z.string().optional(),
    tests: z.array(z.record(z.string(), z.unknown())).optional(),
    set: z.string().optional(),
    yaml: z.string(),
    incarnation: z.int().nonnegative().default(0),
  })
  // Records of earlier versions have some of the fields among the limits.
  .transform(liftLimits);

const headSchema = z.object({
  /** The revision that is deployed. */
  revision: z.int().nonnegative(),
  /** The highest number that was ever used. */
  last: z.int().nonnegative(),
  /** Whether the operator wants the flow to run now; the record has what was wanted when it was kept. */
  state,
  /** The flow was deleted through the API. */
  deleted: z.boolean(),
  incarnation: z.int().nonnegative().default(0),
  /** Of a deleted flow: the next one has its incarnation. */
  keepsState: z.boolean().optional(),
});

export type Head = z.infer<typeof headSchema>;

const damaged = "its revisions in the data directory are damaged";

/** Only the runtime's user may read the params. */
const fileMode = 0o600;
const directoryMode = 0o700;

export class RevisionFiles {
  readonly #fs: FsPort;
  readonly #root: OwnDirectory;
  /** Flows whose directory has been synced since this process began. */
  readonly #durable = new Set<string>();

  /** `root`: the directory that holds one directory per flow id. */
  constructor(fs: FsPort, root: string) {
    this.#fs = fs;
    this.#root = new OwnDirectory(fs, root, directoryMode);
  }

  /** Rejects when revisions may not be written. */
  async mayWrite(): Promise<void> {
    await this.#root.mayWrite();
  }

  /** Lists ids that have, or once had, revisions. */
  async ids(): Promise<readonly string[]> {
    return (await this.#namesIn(this.#root.path)).filter((name) => !name.startsWith("."));
  }

  /** Reads the head; undefined: nothing was ever kept. Rejects with DamagedError when that cannot be determined. */
  async head(id: string): Promise<Head | undefined> {
    return this.#json(this.#headPath(id), headSchema);
  }

  /** Reads a record; undefined: it was never written, or was deleted. */
  async record(id: string, revision: number): Promise<StoredRevision | undefined> {
    const record = await this.#json(this.#recordPath(id, revision), recordSchema);
    if (record !== undefined && (record.revision !== revision || record.hash !== contentHash(record.yaml))) {
      throw new DamagedError(`the record of revision ${revision} is damaged`);
    }
    return record;
  }

  /** Reads those of `numbers` that can be read, in the same order. */
  async records(id: string, numbers: readonly number[]): Promise<StoredRevision[]> {
    const records = await Promise.all(numbers.map((revision) => this.record(id, revision).catch(ignoreDamage)));
    return records.filter((record) => record !== undefined);
  }

  /** Lists the numbers of the existing records, ascending. */
  async numbers(id: string): Promise<number[]> {
    const names = await this.#namesIn(this.#directory(id));
    return names
      .filter((name) => /^[1-9][0-9]{0,14}\.json$/.test(name))
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b);
  }

  /**
   * Makes the flow's directory; an entry of its name that is not a directory is set aside, since the operator may want
   * it. The result puts that back as far as the disk allows, for a change that fails later. Rejects with everything in
   * its place.
   */
  async makeRoom(id: string): Promise<() => Promise<void>> {
    const path = this.#directory(id);
    const [, misplaced] = await together([this.#root.ensure(), this.#isMisplaced(path)]);
    const aside = misplaced ? asideOf(path) : undefined;
    const putBack = async (): Promise<void> => {
      if (aside === undefined) return;
      // Moves the new, empty directory away, since a rename would not replace it.
      await this.#fs.rename(path, asideOf(path)).catch(() => undefined);
      await this.#fs.rename(aside, path).catch(() => undefined);
    };
    if (aside !== undefined) await this.#fs.rename(path, aside);
    try {
      const made = await this.#fs.makeDirectory(path, directoryMode);
      // Once even if it was there: a process that was killed may have made it and not synced it.
      if (made !== undefined || !this.#durable.has(id)) await this.#root.sync();
      this.#durable.add(id);
    } catch (error) {
      this.#durable.delete(id);
      await putBack();
      throw error;
    }
    return putBack;
  }

  /** Writes a record, to which no head refers yet, into the directory that `makeRoom` made. Rejects with the record deleted. */
  async addRecord(id: string, record: StoredRevision): Promise<void> {
    await addFile(this.#fs, this.#recordPath(id, record.revision), encode(record), fileMode);
  }

  /** Writes a head that takes its place later. */
  draftHead(id: string, head: Head): Promise<Draft> {
    return draftFile(this.#fs, this.#headPath(id), encode(head), fileMode);
  }

  /** Writes the head of an id that has, or had, a record. */
  async writeHead(id: string, head: Head): Promise<void> {
    await replaceFile(this.#fs, this.#headPath(id), encode(head), fileMode);
  }

  /** Deletes records as far as the disk allows; the next sweep deletes the rest. */
  async forget(id: string, revisions: readonly number[]): Promise<void> {
    await Promise.all(revisions.map((revision) => discard(this.#fs, this.#recordPath(id, revision))));
  }

  /** Deletes records durably. Rejects with some of them still there, or with TornWriteError. */
  async purge(id: string, revisions: readonly number[]): Promise<void> {
    for (const revision of revisions) await this.#fs.unlink(this.#recordPath(id, revision));
    await this.#fs.syncDirectory(this.#directory(id)).catch((error: unknown) => {
      throw new TornWriteError(error);
    });
  }

  /** When this fulfils, what is found of the flow survives a loss of power. */
  async sync(id: string): Promise<void> {
    await this.#fs.syncDirectory(this.#directory(id)).catch((error: unknown) => {
      if (!isAbsent(error) && !isMisplaced(error)) throw error;
    });
  }

  /** Removes temp files that an interrupted write left. */
  async sweepTemps(id: string): Promise<void> {
    const directory = this.#directory(id);
    for (const name of await this.#namesIn(directory)) {
      if (isTempName(name)) await discard(this.#fs, join(directory, name));
    }
  }

  #directory(id: string): string {
    return join(this.#root.path, id);
  }

  #headPath(id: string): string {
    return join(this.#directory(id), "head.json");
  }

  #recordPath(id: string, revision: number): string {
    return join(this.#directory(id), `${revision}.json`);
  }

  async #namesIn(directory: string): Promise<readonly string[]> {
    try {
      return await this.#fs.names(directory);
    } catch (error) {
      if (isAbsent(error) || isMisplaced(error)) return [];
      throw error;
    }
  }

  /** Whether the entry at a directory's path is neither a directory nor a link to one. */
  async #isMisplaced(path: string): Promise<boolean> {
    const kind = await this.#kind(path);
    if (kind !== "symlink") return kind !== undefined && kind !== "directory";
    try {
      return (await this.#kind(await this.#fs.realPath(path))) !== "directory";
    } catch (error) {
      // The link is broken or circular.
      if (isAbsent(error) || isMisplaced(error)) return true;
      throw error;
    }
  }

  async #kind(path: string): Promise<FileFacts["kind"] | undefined> {
    try {
      return (await this.#fs.facts(path))?.kind;
    } catch (error) {
      // An entry above it is not a directory.
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async #json<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#fs.read(path, mostFileBytes);
    } catch (error) {
      const misplaced = isMisplaced(error) || (isAbsent(error) && (await this.#isMisplaced(dirname(path))));
      if (misplaced) throw new DamagedError(damaged);
      if (isAbsent(error)) return undefined;
      throw error;
    }
    try {
      return schema.parse(parseExactly(new TextDecoder().decode(bytes)));
    } catch {
      throw new DamagedError(damaged);
    }
  }
}

function encode(document: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`);
}

/** The names of the head and of records; others are not the store's. */
const fileName = /^(?:head|[1-9][0-9]{0,14})\.json$/;

/** Reads a flow's revisions for a backup: the files as they are, damaged ones included. `directory`: the one that holds a directory for each flow. */
export async function copyRevisions(fs: FsPort, directory: string, id: string): Promise<readonly StoredFile[]> {
  const names = await fs.names(join(directory, id)).catch(unlessAbsent);
  const files: StoredFile[] = [];
  for (const name of (names ?? []).filter((one) => fileName.test(one)).sort()) {
    const content = await fs.read(join(directory, id, name), mostFileBytes).catch(unlessAbsent);
    if (content !== undefined) files.push({ path: `data/flows/${id}/${name}`, content });
  }
  return files;
}

/** An old record may be removed meanwhile, and something else may have its name. */
function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error) && !isMisplaced(error)) throw error;
}
