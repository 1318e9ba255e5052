/** Files that are replaced whole or not at all: temporary file, fsync, rename, fsync of the directory. */
import { randomBytes } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, Refused } from "../refused.ts";

const tempName = /^\..+\.[0-9a-f]{12}\.tmp$/;

/** New content of a file, which is on the disk under a temporary name. */
export interface Draft {
  /** Gives it the name of the file, whose content is replaced. */
  replace(): Promise<void>;
  /** Gives it a name that no file has. Rejects with EEXIST when there is one by now. */
  create(): Promise<void>;
  /** Deletes the temporary file, if it is still there. */
  discard(): Promise<void>;
}

export async function draft(path: string, content: string): Promise<Draft> {
  const temp = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const discard = () => fs.rm(temp, { force: true }).catch(() => undefined);
  try {
    const file = await fs.open(temp, "wx", 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    async replace() {
      await fs.rename(temp, path);
      await syncDirectory(dirname(path));
    },
    async create() {
      // A rename would replace what another program has put there meanwhile.
      try {
        await fs.link(temp, path);
      } catch (error) {
        // A file system without hard links.
        if (codeOf(error) === "EEXIST" || (await exists(path))) throw taken(path);
        await fs.rename(temp, path);
      }
      await discard();
      await syncDirectory(dirname(path));
    },
    discard,
  };
}

export async function replaceFile(path: string, content: string): Promise<void> {
  const drafted = await draft(path, content);
  try {
    await drafted.replace();
  } catch (error) {
    await drafted.discard();
    throw error;
  }
}

export async function removeFile(path: string): Promise<void> {
  await fs.rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Reads a regular file of at most so many bytes; undefined: there is none. Never waits for the writer of a FIFO. Throws Refused. */
export async function readFile(path: string, mostBytes: number): Promise<Buffer | undefined> {
  let file: fs.FileHandle;
  try {
    file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Refused(422, `'${basename(path)}' is no file`);
    if (stats.size > mostBytes)
      throw new Refused(413, `'${basename(path)}' has ${stats.size} bytes, and at most ${mostBytes} are read`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Removes what writes have left behind that were cut off. */
export async function sweep(directory: string): Promise<void> {
  for (const name of await fs.readdir(directory))
    if (tempName.test(name)) await fs.rm(join(directory, name), { force: true }).catch(() => undefined);
}

function taken(path: string): Error {
  return Object.assign(new Error(`'${basename(path)}' exists`), { code: "EEXIST" });
}

async function exists(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    () => false,
  );
}

/** The names of the directory are on the disk when it fulfils, where the file system can do that. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await fs.open(path, constants.O_RDONLY).catch(() => undefined);
  if (directory === undefined) return;
  try {
    await directory.sync();
  } catch (error) {
    // Windows, and some network file systems.
    if (!["EINVAL", "EPERM", "EBADF", "ENOTSUP"].includes(codeOf(error) ?? "")) throw error;
  } finally {
    await directory.close();
  }
}
