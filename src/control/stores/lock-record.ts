/**
 * The record of a directory's owner: a file beside its lock. A start that is refused names the owner from it, and it
 * protects the directory from machines that do not share the lock.
 */
import { promises as fs } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { randomHex } from "../../shared/ids.ts";
import { nodeFs } from "./fs-port.ts";
import { errorCode } from "./store-error.ts";

const recordSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** The id of the running kernel, where the system provides one: processes with the same id see each other's locks. */
  boot: z.string().nullable(),
  /** Identifies the lock's file; a copied directory has another one. */
  file: z.object({ inode: z.string(), changedMs: z.number() }),
  startedAt: z.string(),
  /** Random, so that no two records are equal. */
  token: z.string(),
});
export type LockRecord = z.infer<typeof recordSchema>;

/** An owner on another machine that has not touched its record for so long (ms) has ended. */
export const silentMs = 45_000;
const mostBytes = 4096;

/** `lockPath`: the file that is locked. */
export async function newRecord(lockPath: string): Promise<LockRecord> {
  return {
    pid: process.pid,
    host: hostname(),
    boot: await bootId(),
    file: await fileOf(lockPath),
    startedAt: new Date().toISOString(),
    token: randomHex(16),
  };
}

/**
 * Reads a record; undefined: there is no file, or not one that a lock has written. Rejects when that cannot be
 * determined.
 */
export async function readRecord(path: string): Promise<LockRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(new TextDecoder().decode(await nodeFs.read(path, mostBytes))));
  } catch (error) {
    if (["EIO", "EMFILE", "ENFILE", "ESTALE", "EACCES"].includes(errorCode(error))) throw error;
    return undefined;
  }
}

/** Writes a temp file and renames it, so that no reader finds half of a record. */
export async function writeRecord(path: string, record: LockRecord): Promise<void> {
  const draft = `${path}.${record.token}`;
  try {
    await fs.writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: "wx" });
    await fs.rename(draft, path);
  } catch (error) {
    await fs.unlink(draft).catch(() => undefined);
    throw ["EISDIR", "ENOTEMPTY"].includes(errorCode(error)) ? new Error("is a directory: move it away") : error;
  }
}

/**
 * Returns how long ago (ms) its owner touched the record, if the owner may be alive although this process holds the
 * lock: it runs on another machine, and the directory is the one that it locked, not a copy.
 */
export async function signOfLife(path: string, other: LockRecord, own: LockRecord): Promise<number | undefined> {
  const sameMachine = other.boot !== null && own.boot !== null ? other.boot === own.boot : other.host === own.host;
  // Either alone may change in place: some shared volumes renumber their files, and a change of mode changes the time.
  const copied = other.file.inode !== own.file.inode && other.file.changedMs !== own.file.changedMs;
  if (sameMachine || copied) return undefined;
  const age = Date.now() - (await fs.stat(path)).mtimeMs;
  return age < silentMs ? Math.max(0, age) : undefined;
}

export async function fileOf(path: string): Promise<LockRecord["file"]> {
  const { ino, ctimeMs } = await fs.lstat(path, { bigint: true });
  return { inode: String(ino), changedMs: Number(ctimeMs) };
}

async function bootId(): Promise<string | null> {
  const text = await fs.readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return text.trim() || null;
}
