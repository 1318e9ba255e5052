/** One process per data directory: a lock file that names its owner, and that a dead owner does not keep. */
import { promises as fs } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { randomHex } from "../../shared/ids.ts";
import { errorCode } from "./store-error.ts";

export interface DataLock {
  /** Present: the directory cannot be written, so there is no lock and nothing to protect. */
  readonly warning?: string;
  release(): Promise<void>;
}

const ownerSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process began in ticks since the machine's boot, where the system tells: process ids come again. */
  began: z.string().nullable(),
  startedAt: z.string(),
  /** Tells this lock from every other. */
  token: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

/** The owner touches its file this often (ms); one on another machine that has not for `silentMs` is gone. */
const touchMs = 10_000;
const silentMs = 45_000;

/** Rejects with an Error that names the owner when another process has the directory. */
export async function lockDataDirectory(directory: string): Promise<DataLock> {
  const path = join(directory, "lock");
  const owner: Owner = {
    pid: process.pid,
    host: hostname(),
    began: await beginOf(process.pid),
    startedAt: new Date().toISOString(),
    token: randomHex(16),
  };
  try {
    await fs.mkdir(directory, { recursive: true, mode: 0o700 });
    await acquire(path, owner);
  } catch (error) {
    if (!["EROFS", "EACCES", "EPERM", "EEXIST", "ENOTDIR"].includes(errorCode(error))) throw error;
    const warning = `DATA_DIR cannot be written (${errorCode(error)}): flows run, but nothing can be deployed before it can be and the runtime is restarted`;
    return { warning, release: () => Promise.resolve() };
  }
  const timer = setInterval(() => {
    const now = new Date();
    fs.utimes(path, now, now).catch(() => undefined);
  }, touchMs).unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await ownerOf(path))?.token === owner.token) await fs.unlink(path).catch(() => undefined);
    },
  };
}

async function acquire(path: string, owner: Owner): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    if (await claim(path, owner)) return;
    const other = await ownerOf(path);
    if (other !== undefined && (await lives(path, other))) throw inUse(other);
    await removeStale(path, other);
  }
  throw new Error("DATA_DIR is being claimed by several processes at once: start one of them again");
}

/** false: there is a lock already. The file appears whole, by a link, so that nobody reads half of it. */
async function claim(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${owner.token}`;
  await fs.writeFile(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  try {
    await fs.link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await fs.unlink(draft).catch(() => undefined);
  }
}

/** Takes a dead owner's file away; if another process was quicker and this is its lock, puts it back. */
async function removeStale(path: string, stale: Owner | undefined): Promise<void> {
  const aside = `${path}.${randomHex(16)}`;
  try {
    await fs.rename(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = await ownerOf(aside);
  if (moved?.token !== stale?.token) await fs.link(aside, path).catch(() => undefined);
  await fs.unlink(aside);
}

async function lives(path: string, { pid, host, began }: Owner): Promise<boolean> {
  if (host !== hostname()) {
    const touched = await fs.stat(path).catch(() => undefined);
    return touched !== undefined && Date.now() - touched.mtimeMs < silentMs;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, as another user.
    return errorCode(error) === "EPERM";
  }
  const now = await beginOf(pid);
  return now === null || began === null ? pid !== process.pid : now === began;
}

/** undefined: no file, or none that a lock has written. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return ownerSchema.parse(JSON.parse(await fs.readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/<pid>/stat; the name before it may hold blanks and brackets. */
async function beginOf(pid: number): Promise<string | null> {
  const text = await fs.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function inUse({ pid, host, startedAt }: Owner): Error {
  return new Error(
    `DATA_DIR is in use by process ${pid} on ${host}, started ${startedAt}: stop it, or give this one another DATA_DIR`,
  );
}
