/** Makes directories of a backup: everything is written aside, verified against the manifest, and then moved into place. */
import { createHash } from "node:crypto";
import { constants, createReadStream, promises as fs } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type * as z from "zod";
import { verifyAudit } from "../audit/verify-audit.ts";
import { dataVersion, writeDataVersion } from "../stores/data-version.ts";
import { nodeFs } from "../stores/fs-port.ts";
import { writeHold } from "../stores/restored-hold.ts";
import { type UnpackedFile, unpackArchive } from "./archive.ts";
import {
  archiveFormat,
  type BackupHead,
  type BackupManifest,
  headName,
  headSchema,
  isStoredPath,
  manifestName,
  manifestSchema,
  mostDocumentBytes,
} from "./manifest.ts";

/** The archive or the directory cannot be used; the message describes what is wrong and what to do. Nothing was restored. */
export class RestoreError extends Error {}

export interface RestoreOptions {
  /** The path of an archive. */
  readonly archive: string;
  /** Absent or empty; gets `routes` and `data`. */
  readonly directory: string;
  /** true: timers and sources begin with the first start. */
  readonly start: boolean;
}

export interface Restored {
  readonly head: BackupHead;
  readonly manifest: BackupManifest;
}

const stage = ".restoring";
const fileModes = { routes: 0o644, data: 0o600 } as const;
const directoryModes = { routes: 0o755, data: 0o700 } as const;
type Part = keyof typeof fileModes;
const parts: readonly Part[] = ["data", "routes"];

/** Rejects with RestoreError. When it fulfils, everything is on the disk. */
export async function restoreBackup({ archive, directory, start }: RestoreOptions): Promise<Restored> {
  await refuseUnreadable(archive);
  const existed = await refuseFull(directory);
  const aside = join(directory, stage);
  try {
    for (const part of parts) await fs.mkdir(join(aside, part), { recursive: true, mode: directoryModes[part] });
    const found = await unpack(archive, aside);
    const { broken } = await verifyAudit(join(aside, "data", "audit")).catch(noLog);
    if (broken !== undefined) {
      const place = `${broken.file}, line ${broken.line}: ${broken.why}`;
      throw new RestoreError(`the audit log in the archive is broken: ${place}`);
    }
    await finish(found.head, directory, start);
    return found;
  } catch (error) {
    const made = existed ? [aside, ...parts.map((part) => join(directory, part))] : [directory];
    for (const path of made) await fs.rm(path, { recursive: true, force: true });
    if (error instanceof RestoreError) throw error;
    throw new RestoreError(problemOf(error), { cause: error });
  }
}

/** A failure of the disk has a code; without one the archive could not be read as tar. */
function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined)
    return `it could not be restored (${code}): free space, and check the rights of the directory`;
  return `it is no tar archive, or is damaged or cut off: take the backup anew (${message})`;
}

async function refuseUnreadable(archive: string): Promise<void> {
  const begin = Buffer.alloc(2);
  try {
    const file = await fs.open(archive, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) throw new RestoreError("it is not a regular file");
      await file.read(begin, 0, begin.length, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof RestoreError) throw error;
    throw new RestoreError(`it cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  // The mark of gzip (RFC 1952).
  if (begin[0] === 0x1f && begin[1] === 0x8b) throw new RestoreError("it is compressed: unpack it first, with gunzip");
}

/** Returns whether the directory is there. */
async function refuseFull(directory: string): Promise<boolean> {
  const names = await fs.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new RestoreError(`${directory} cannot be used (${error.code}): give another directory`);
  });
  if (names !== undefined && names.length > 0)
    throw new RestoreError(`${directory} is not empty: give a directory that is, or a new one`);
  return names !== undefined;
}

async function unpack(archive: string, aside: string): Promise<Restored> {
  const written = new Map<string, BackupManifest["files"][number]>();
  let head: BackupHead | undefined;
  let manifest: BackupManifest | undefined;
  const bytes = Readable.toWeb(createReadStream(archive)) as ReadableStream<Uint8Array>;
  for await (const file of unpackArchive(bytes)) {
    if (manifest !== undefined) throw new RestoreError(`'${file.path}' comes behind the end of the archive`);
    if (head === undefined) head = readHead(file.path, await documentOf(file));
    else if (file.path === manifestName) manifest = parsed(manifestSchema, manifestName, await documentOf(file));
    else if (written.has(file.path)) throw new RestoreError(`'${file.path}' is in the archive twice`);
    else written.set(file.path, await writeFile(file, aside));
  }
  if (head === undefined || manifest === undefined)
    throw new RestoreError("the archive has no end: it was cut off when it was made or copied; take the backup anew");
  compare(manifest, written);
  return { head, manifest };
}

function readHead(path: string, text: string): BackupHead {
  if (path !== headName) throw new RestoreError(`it is no backup: its first file is '${path}' and not '${headName}'`);
  const head = parsed(headSchema, headName, text);
  if (head.format > archiveFormat || head.dataVersion > dataVersion) {
    const made = `format ${head.format}, data of version ${head.dataVersion}`;
    throw new RestoreError(
      `the archive was made by Bulkhead ${head.runtime} (${made}), which is newer than this one (format ${archiveFormat}, ` +
        `data of version ${dataVersion}): restore it with Bulkhead ${head.runtime} or a later one`,
    );
  }
  return head;
}

async function documentOf({ path, bytes, body }: UnpackedFile): Promise<string> {
  if (bytes > mostDocumentBytes) throw new RestoreError(`'${path}' has ${bytes} bytes, which no backup has`);
  return Buffer.from(
    await new Response(Readable.toWeb(Readable.from(body)) as ReadableStream).arrayBuffer(),
  ).toString();
}

function parsed<Schema extends z.ZodType>(schema: Schema, name: string, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new RestoreError(`'${name}' in the archive cannot be read: it is damaged, or no backup`, { cause: error });
  }
}

async function writeFile({ path, type, bytes, body }: UnpackedFile, aside: string) {
  if (type !== "file" || !isStoredPath(path)) throw new RestoreError(`'${path}' (${type}) is none of a backup's files`);
  const part = path.slice(0, path.indexOf("/")) as Part;
  const target = join(aside, path);
  await fs.mkdir(dirname(target), { recursive: true, mode: directoryModes[part] });
  const sum = createHash("sha256");
  const file = await fs.open(target, "wx", fileModes[part]);
  try {
    for await (const chunk of body) {
      sum.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, bytes, sha256: sum.digest("hex") };
}

function compare({ files }: BackupManifest, written: ReadonlyMap<string, BackupManifest["files"][number]>): void {
  for (const { path, bytes, sha256 } of files) {
    const found = written.get(path);
    if (found === undefined) throw new RestoreError(`'${path}' is missing in the archive`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new RestoreError(`'${path}' is damaged: it is not what was backed up`);
  }
  if (files.length === written.size) return;
  const known = new Set(files.map(({ path }) => path));
  const strange = [...written.keys()].find((path) => !known.has(path));
  throw new RestoreError(`'${strange}' is in the archive and not in its manifest`);
}

/** Moves what is aside into place when all of it is on the disk. */
async function finish(
  { at, runtime, dataVersion: version }: BackupHead,
  directory: string,
  start: boolean,
): Promise<void> {
  const aside = join(directory, stage);
  const data = join(aside, "data");
  await writeDataVersion(nodeFs, data, { version, runtime });
  if (!start) await writeHold(nodeFs, data, { backupAt: at, restoredAt: new Date().toISOString() });
  for (const part of parts) await syncAll(join(aside, part));
  for (const part of parts) await fs.rename(join(aside, part), join(directory, part));
  await fs.rmdir(aside);
  await nodeFs.syncDirectory(directory);
  await nodeFs.syncDirectory(dirname(directory));
}

async function syncAll(directory: string): Promise<void> {
  for (const entry of await fs.readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await syncAll(join(directory, entry.name));
  await nodeFs.syncDirectory(directory);
}

/** A backup of a runtime that was never changed has no log. */
function noLog(error: NodeJS.ErrnoException): { readonly broken?: undefined } {
  if (error.code === "ENOENT") return {};
  throw error;
}
