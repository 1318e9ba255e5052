/**
 * A lock of a file that the kernel holds and drops with its process, whatever ends that: SQLite's exclusive one, since Node.js
 * offers no other. It holds across containers of one machine, and across machines where their file system does.
 */
import { constants, promises as fs } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { errorCode } from "./store-error.ts";

export interface KernelLock {
  release(): void;
}

/** SQLite's result codes, without their details in the upper bytes. */
const busy = 5;
const notADatabase = 26;

/**
 * undefined: another one has it. The file is made if need be, is empty, and stays: a file that is removed while another process
 * waits for it would be locked twice. Nothing else in this process may open it, because closing it would drop the lock.
 * Rejects with a system error when the file cannot be made or written, and with an Error for what cannot be locked.
 */
export async function takeKernelLock(path: string): Promise<KernelLock | undefined> {
  await makeFile(path);
  try {
    return exclusive(path);
  } catch (error) {
    if (resultCode(error) === busy) return undefined;
    if (resultCode(error) !== notADatabase) throw unlockable(error);
  }
  // Something has written into it: what it is needs no content, and whoever holds it would have been found busy.
  await fs.truncate(path);
  try {
    return exclusive(path);
  } catch (error) {
    if (resultCode(error) === busy) return undefined;
    throw unlockable(error);
  }
}

/** Opens nothing that is there: what is no file would hang or be followed, and what is one may be locked by this process. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await fs.open(path, "wx", 0o600)).close();
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  if (!(await fs.lstat(path)).isFile()) throw new Error("is not a file: move it away");
  await fs.access(path, constants.R_OK | constants.W_OK);
}

function exclusive(path: string): KernelLock {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so there is nothing to roll back, and no second file.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

function unlockable(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`cannot be locked (${reason}): its file system must support locks`, { cause: error });
}
