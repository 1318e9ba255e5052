/**
 * The version of the data directory: `version.json` has the number of the layout of what is in it. A runtime refuses a
 * directory that a newer one has used, and migrates an older one, a step for each version in between.
 */
import { join } from "node:path";
import * as z from "zod";
import { OwnDirectory, replaceFile } from "./durable-files.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import { errorCode, isAbsent, TornWriteError } from "./store-error.ts";

/** Makes a directory of its version from one of the version before. */
export interface MigrationStep {
  readonly to: number;
  /** What it changes, for the log. */
  readonly docs: string;
  /**
   * Changes the directory, durably. A step that was interrupted begins anew with the next start. Absent: nothing
   * changes but the number.
   */
  migrate?(directory: string, fs: FsPort): Promise<void>;
}

/** The steps in their order, each to the version that follows; the last one leads to the version of this runtime. */
export const migrationSteps: readonly MigrationStep[] = [{ to: 1, docs: "a directory without a version gets one" }];

/** The version that this runtime uses. */
export const dataVersion = migrationSteps.length;

export interface DataDirectory {
  readonly directory: string;
  /** The version of this runtime, which the message of an older one will name. */
  readonly runtime: string;
  /** false: nothing in the directory may be written. */
  readonly mayWrite: boolean;
  readonly steps?: readonly MigrationStep[];
  readonly fs?: FsPort;
}

export interface PreparedData {
  /** The steps that were made, a line each for the log. */
  readonly made: readonly string[];
  /** Present: the version could not be written, so nothing else in the directory may be. */
  readonly readOnly?: string;
}

const versionFile = "version.json";
const mostBytes = 4096;
const fileMode = 0o600;
const directoryMode = 0o700;

const recordSchema = z.object({ version: z.int().positive(), runtime: z.string() });

/**
 * Called when the directory is locked, before anything else in it is read or written. When it fulfils without
 * `readOnly`, the directory has this runtime's version, on the disk. Rejects with an Error that describes what to do:
 * the directory is newer, its version cannot be read, or a step has failed.
 */
export async function prepareData(options: DataDirectory): Promise<PreparedData> {
  const { directory, mayWrite, steps = migrationSteps, fs = nodeFs } = options;
  const newest = steps.at(-1)?.to ?? 0;
  const found = await readVersion(fs, directory);
  if (found !== undefined && found.version > newest) throw new Error(newerMessage(found, newest, options.runtime));
  if (found?.version === newest) return { made: [] };
  const from = found?.version ?? 0;
  // Nothing in a new directory has to be migrated.
  const fresh = found === undefined && (await isFresh(fs, directory));
  const missing: readonly MigrationStep[] = fresh ? [{ to: newest, docs: "" }] : steps.filter(({ to }) => to > from);
  const changes = missing.some(({ migrate }) => migrate !== undefined);
  if (!mayWrite && !changes) return { made: [] };
  if (!mayWrite) throw new Error(unwritableMessage(from, newest));
  const made: string[] = [];
  for (const { to, docs, migrate } of missing) {
    try {
      await migrate?.(directory, fs);
      await writeDataVersion(fs, directory, { version: to, runtime: options.runtime });
    } catch (error) {
      const why = error instanceof TornWriteError ? error.cause : error;
      if (changes) throw new Error(failedMessage(why, to), { cause: error });
      return { made, readOnly: unwrittenMessage(why) };
    }
    if (!fresh) made.push(`DATA_DIR is of version ${to} now: ${docs}`);
  }
  return { made };
}

type VersionRecord = z.infer<typeof recordSchema>;

/** undefined: the directory has no version yet. */
async function readVersion(fs: FsPort, directory: string): Promise<VersionRecord | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await fs.read(join(directory, versionFile), mostBytes);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw new Error(`DATA_DIR cannot be used: '${versionFile}' in it cannot be read (${errorCode(error)})`, {
      cause: error,
    });
  }
  try {
    return recordSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const wanted = `{"version": 1, "runtime": "0.1.0"} into it, with the numbers of the runtime that used it last`;
    throw new Error(`DATA_DIR cannot be used: '${versionFile}' in it is damaged; write ${wanted}`, { cause: error });
  }
}

/** Whether there is nothing in the directory but its lock. */
async function isFresh(fs: FsPort, directory: string): Promise<boolean> {
  const names = await fs.names(directory).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  return names.every((name) => name === "lock" || name.startsWith("lock.") || name.startsWith("."));
}

/** Writes the version, durably. */
export async function writeDataVersion(fs: FsPort, directory: string, record: VersionRecord): Promise<void> {
  await new OwnDirectory(fs, directory, directoryMode).ensure();
  const bytes = new TextEncoder().encode(`${JSON.stringify(record)}\n`);
  await replaceFile(fs, join(directory, versionFile), bytes, fileMode);
}

function newerMessage({ version, runtime: by }: VersionRecord, newest: number, runtime: string): string {
  return (
    `DATA_DIR is of version ${version}, which Bulkhead ${by} has written; this is Bulkhead ${runtime}, which can use ` +
    `versions up to ${newest}: start Bulkhead ${by} or a later one, or give this one another DATA_DIR, such as one ` +
    `that was restored from a backup of its own`
  );
}

function unwritableMessage(from: number, newest: number): string {
  return (
    `DATA_DIR is of version ${from}, and has to be migrated to version ${newest}, but it cannot be written: ` +
    `make it writable for the runtime's user, start once, and then mount it read-only again`
  );
}

function failedMessage(error: unknown, to: number): string {
  return (
    `DATA_DIR could not be migrated from version ${to - 1} to ${to} (${errorCode(error)}): the next start goes on ` +
    `with this step; free space and check the directory's rights first`
  );
}

function unwrittenMessage(error: unknown): string {
  return (
    `the version of DATA_DIR could not be written (${errorCode(error)}), so nothing in it is changed: flows run, but ` +
    `nothing can be deployed before there is room or the right to write, and the runtime is restarted`
  );
}
