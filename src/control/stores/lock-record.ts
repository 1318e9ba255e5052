/** Who has a directory: a file beside its lock, for the message of a start that is refused and for machines that do not share the lock. */
import { promises as fs } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { randomHex } from "../../shared/ids.ts";
import { nodeFs } from "./fs-port.ts";
import { errorCode } from "./store-error.ts";

const recordSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** Of the running kernel, where the system says: processes of equal ones see each other's locks. */
  boot: z.string().nullable(),
  /** The lock's file; that of a copied directory is another. */
  file: z.object({ inode: z.string(), changedMs: z.number() }),
  startedAt: z.string(),
  /** Unlike that of every other record. */
  token: z.string(),
});
export type LockRecord = z.infer<typeof recordSchema>;

/** One on another machine that was not touched for so long (ms) is a dead owner's. */
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

/** undefined: no file, or none that a lock has written. Rejects when it cannot be known. */
export async function readRecord(path: string): Promise<LockRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(new TextDecoder().decode(await nodeFs.read(path, mostBytes))));
  } catch (error) {
    if (["EIO", "EMFILE", "ENFILE", "ESTALE", "EACCES"].includes(errorCode(error))) throw error;
    return undefined;
  }
}

/** It appears whole, so that nobody reads half of it. */
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
 * How long ago its owner touched it (ms), if the owner may be alive although this process holds the lock of the directory:
 * it is on another machine, and the directory is the one that it has, not a copy.
 */
export async function signOfLife(path: string, other: LockRecord, own: LockRecord): Promise<number | undefined> {
  const sameMachine = other.boot !== null && own.boot !== null ? other.boot === own.boot : other.host === own.host;
  // Either alone is not the same everywhere: some shared volumes number their files anew, and a change of mode counts as one.
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
