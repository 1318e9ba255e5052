/**
 * Revision records and head pointers, `<data>/flows/<id>/<revision>.json` and `head.json`, and how a new revision
 * becomes the flow.
 */
import { dirname, join } from "node:path";
import * as z from "zod";
import { parseExactly } from "../../shared/exact-json.ts";
import {
  asideOf,
  discard,
  isTempName,
  mostFileBytes,
  OwnDirectory,
  type Replaced,
  replaceFile,
  type Undo,
} from "./durable-files.ts";
import { liftLimits, optionsOf } from "./flow-options.ts";
import type { FileFacts, FsPort } from "./fs-port.ts";
import { DamagedError, ignoreDamage, isAbsent, isMisplaced, TornWriteError } from "./store-error.ts";
import { contentHash, type Kept, type RevisionContent, revisionsKept, type StoredRevision } from "./stores.ts";

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
    yaml: z.string(),
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
});

export type Head = z.infer<typeof headSchema>;

const damaged = "its revisions in the data directory are damaged";

/** Only the runtime's user may read the params. */
const fileMode = 0o600;
const directoryMode = 0o700;

export class RevisionFiles {
  readonly #fs: FsPort;
  readonly #root: OwnDirectory;

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
    await this.#root.ensure();
    const path = this.#directory(id);
    const aside = (await this.#isMisplaced(path)) ? asideOf(path) : undefined;
    const putBack = async (): Promise<void> => {
      if (aside === undefined) return;
      // Moves the new, empty directory away, since a rename would not replace it.
      await this.#fs.rename(path, asideOf(path)).catch(() => undefined);
      await this.#fs.rename(aside, path).catch(() => undefined);
    };
    if (aside !== undefined) await this.#fs.rename(path, aside);
    try {
      await this.#fs.makeDirectory(path, directoryMode);
      // Even if it was there: a process that was killed may have made it and not synced it.
      await this.#root.sync();
    } catch (error) {
      await putBack();
      throw error;
    }
    return putBack;
  }

  /** Writes a record into the directory that `makeRoom` made. */
  async writeRecord(id: string, record: StoredRevision): Promise<void> {
    await replaceFile(this.#fs, this.#recordPath(id, record.revision), encode(record), fileMode);
  }

  /** Writes the head of an id that has, or had, a record. */
  async writeHead(id: string, head: Head): Promise<void> {
    await replaceFile(this.#fs, this.#headPath(id), encode(head), fileMode);
  }

  /** Deletes records as far as the disk allows; the next sweep deletes the rest. */
  async forget(id: string, revisions: readonly number[]): Promise<void> {
    for (const revision of revisions) await discard(this.#fs, this.#recordPath(id, revision));
  }

  /** Deletes records durably. Rejects with some of them still there, or with TornWriteError. */
  async purge(id: string, revisions: readonly number[]): Promise<void> {
    for (const revision of revisions) await this.#fs.unlink(this.#recordPath(id, revision));
    await this.#fs.syncDirectory(this.#directory(id)).catch((error: unknown) => {
      throw new TornWriteError(error);
    });
  }

  /** Deletes all records but the last ones and the deployed one. */
  async prune(id: string, head: Head): Promise<void> {
    const numbers = await this.numbers(id);
    const kept = new Set([...numbers.slice(-revisionsKept), head.revision]);
    await this.forget(
      id,
      numbers.filter((revision) => !kept.has(revision)),
    );
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

/**
 * Makes `content` the flow's next revision: record, then YAML, then head, each durable before the next. `writeYaml`
 * puts the YAML in place, durably. Rejects with the old revision in place, or with TornWriteError, after which a
 * restart finds the old one or the new.
 */
export async function commitRevision(
  revisions: RevisionFiles,
  id: string,
  content: RevisionContent,
  writeYaml: (bytes: Uint8Array) => Promise<Replaced>,
): Promise<Kept> {
  const { yaml, state } = content;
  const bytes = new TextEncoder().encode(yaml);
  const hash = contentHash(bytes);
  const head = await revisions.head(id).catch(ignoreDamage);
  const last = head?.last ?? (await revisions.numbers(id)).at(-1) ?? 0;
  const revision = last + 1;
  const newHead = { revision, last: revision, state, deleted: false };
  const putBack = await revisions.makeRoom(id);
  let undo: Undo = () => Promise.resolve();
  let modifiedMs: number;
  try {
    const savedAt = new Date().toISOString();
    await revisions.writeRecord(id, { revision, hash, savedAt, state, ...optionsOf(content), yaml });
    ({ modifiedMs, undo } = await writeYaml(bytes));
    await revisions.writeHead(id, newHead);
  } catch (error) {
    // After a torn write the head may already be the new one: its record and its YAML must stay for the next boot.
    if (error instanceof TornWriteError) throw error;
    await undo();
    await revisions.forget(id, [revision]);
    await putBack();
    throw error;
  }
  // The revision is kept; an old record that stays this time does no harm.
  await revisions.prune(id, newHead).catch(() => undefined);
  return { revision, hash, lastModified: new Date(modifiedMs).toISOString() };
}
