/**
 * A lock of a file that the kernel holds, and releases when the process ends for whatever reason: SQLite's exclusive
 * lock, since Node.js offers no other. It holds across the containers of a machine, and across machines where their
 * file system supports it.
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
 * Returns undefined when another process has the lock. The file is made if it does not exist, is empty, and stays: a
 * file that is removed while another process waits for it would be locked twice. Nothing else in this process may open
 * it, because closing it would release the lock. Rejects with a system error when the file cannot be made or written,
 * and with an Error when it cannot be locked.
 */
export async function takeKernelLock(path: string): Promise<KernelLock | undefined> {
  await makeFile(path);
  try {
    return lockExclusively(path);
  } catch (error) {
    if (resultCode(error) === busy) return undefined;
    if (resultCode(error) !== notADatabase) throw unlockableError(error);
  }
  // Something has written into the file, which needs no content; a process with the lock would have been found busy.
  await fs.truncate(path);
  try {
    return lockExclusively(path);
  } catch (error) {
    if (resultCode(error) === busy) return undefined;
    throw unlockableError(error);
  }
}

/**
 * Makes the file if it does not exist, and opens no existing one: a FIFO would wait, a link would be followed, and a
 * file may be locked by this process.
 */
async function makeFile(path: string): Promise<void> {
  try {
    await (await fs.open(path, "wx", 0o600)).close();
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  if (!(await fs.lstat(path)).isFile()) throw new Error("is not a file: move it away");
  await fs.access(path, constants.R_OK | constants.W_OK);
}

function lockExclusively(path: string): KernelLock {
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

function unlockableError(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`cannot be locked (${reason}): its file system must support locks`, { cause: error });
}
