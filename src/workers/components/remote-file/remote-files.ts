/** The files of a server, each operation with a connection of the thread's pool. */
import { basename, dirname } from "node:path";
import type { Limits } from "../../../shared/limits.ts";
import { type FileClient, RemoteFailure, type RemoteFile, type Reply, TooLarge } from "../../connectors/file-client.ts";
import { type Connection, unlessLost } from "../../engine/connections/connection.ts";
import { exceptionMessage, FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Run } from "../../engine/run.ts";
import { unlessAborted, within } from "../../engine/waiting.ts";
import { fileFailure, refusal, shortPath } from "../file/failure.ts";
import { type FileEntry, type FileStats, type FileSystem, type HowToWrite, oneAtATime } from "../file/file-system.ts";

/** What all endpoints of a connection in a thread share. */
interface Shared {
  readonly inProgress: Set<string>;
  readonly one: FileSystem["one"];
  /** Directories that were there, or were made. */
  readonly directories: Set<string>;
}

const shared = new WeakMap<Connection<FileClient>, Shared>();
/** The most directories that are remembered. */
const mostDirectories = 1000;

export interface RemoteUse {
  readonly limits: Limits;
  /** The run that uses the connection; undefined: none does. */
  readonly run?: Run<Exchange>;
  /** Closes the connection after each operation. */
  readonly disconnects: boolean;
  readonly mode?: number | undefined;
  readonly directoryMode?: number | undefined;
  /** A directory that may not be read is an empty one. */
  readonly ignoresDenied?: boolean;
  /**
   * Whether what was lost with its connection is done again until it succeeds: a file whose run has ended would come again
   * otherwise. Absent: it fails.
   */
  readonly persists?: (error: unknown) => boolean;
  /** Called when an operation had all its time, before it is tried once more. */
  readonly late?: (error: unknown) => void;
}

export class RemoteFiles implements FileSystem {
  readonly #connection: Connection<FileClient>;
  readonly #use: RemoteUse;
  readonly #shared: Shared;
  /** The server's last answer, in protocols that have one. */
  #reply: Reply | undefined;
  away: unknown;

  constructor(connection: Connection<FileClient>, use: RemoteUse) {
    this.#connection = connection;
    this.#use = use;
    this.#shared = shared.get(connection) ?? { inProgress: new Set(), one: oneAtATime(), directories: new Set() };
    shared.set(connection, this.#shared);
  }

  /** Camel's headers of the server's last answer. */
  get replyHeaders(): readonly (readonly [name: string, value: unknown])[] {
    if (this.#reply === undefined) return [];
    const { code, text } = this.#reply;
    return [
      ["CamelFtpReplyCode", code],
      ["CamelFtpReplyString", text],
    ];
  }

  get inProgress(): Set<string> {
    return this.#shared.inProgress;
  }

  get one(): FileSystem["one"] {
    return this.#shared.one;
  }

  async read(path: string, mostBytes: number): Promise<Buffer> {
    try {
      return await this.#again("Cannot retrieve file", path, (client) => client.read(path, mostBytes));
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      throw limitExceeded("messageBodyBytes", `a message's body has at most ${mostBytes} bytes`);
    }
  }

  async write(path: string, content: Uint8Array, { append = false }: HowToWrite = {}): Promise<void> {
    await this.#once("Cannot store file", path, async (client) => {
      const { mode } = this.#use;
      await client.write(path, content, append);
      if (mode !== undefined) await client.setMode(path, mode);
    });
  }

  /** The server's file is written in its place: `tempPrefix` and `tempFileName` are for readers that must not see that. */
  async replace(path: string, content: Uint8Array, how: HowToWrite = {}): Promise<void> {
    await this.write(path, content, { ...how, append: false });
  }

  async move(from: string, to: string): Promise<void> {
    const what = `Cannot rename file: ${shortPath(from)} to`;
    let isRepeated = false;
    await this.#settled(what, to, async (client) => {
      const wasLost = isRepeated;
      isRepeated = true;
      await this.#makeRoom(client, dirname(to));
      try {
        await client.rename(from, to);
      } catch (error) {
        // The answer of the first attempt was lost, and what it has done was not.
        const isDone = wasLost && (await client.stat(from)) === undefined && (await client.stat(to)) !== undefined;
        if (!isDone) throw error;
      }
    });
  }

  async remove(path: string): Promise<boolean> {
    return await this.#settled("Cannot delete file", path, (client) => client.remove(path));
  }

  async stat(path: string): Promise<FileStats | undefined> {
    const found = await this.#again("Cannot look at file", path, (client) => client.stat(path));
    return found && { size: found.size, mtimeMs: found.mtimeMs, isDirectory: () => found.kind === "directory" };
  }

  async setTime(path: string, time: Date): Promise<void> {
    await this.#once("Cannot store file", path, (client) => client.setTime(path, time));
  }

  async list(path: string, most: number): Promise<readonly FileEntry[] | undefined> {
    const { ignoresDenied = false } = this.#use;
    const found = await this.#again("Cannot read directory", path, (client) =>
      client.list(path, most).catch((error: unknown) => {
        if (ignoresDenied && error instanceof RemoteFailure && error.code === "EACCES") return [];
        throw error;
      }),
    );
    return found?.map(entryOf);
  }

  async makeRoom(path: string): Promise<void> {
    await this.#again("Cannot create directory", path, (client) => this.#makeRoom(client, path));
  }

  async #makeRoom(client: FileClient, path: string): Promise<void> {
    const { directories } = this.#shared;
    if (path === "." || path === "" || directories.has(path)) return;
    if ((await client.stat(path))?.kind !== "directory") {
      await this.#makeRoom(client, dirname(path));
      await client.makeDirectory(path);
      if (this.#use.directoryMode !== undefined) await client.setMode(path, this.#use.directoryMode);
    }
    if (directories.size >= mostDirectories) directories.clear();
    directories.add(path);
  }

  /** What is done by a lost connection is not known. */
  #once<T>(what: string, path: string, work: (client: FileClient) => Promise<T>): Promise<T> {
    return this.#doing(what, path, work, () => false);
  }

  /** What may be done twice: an idle connection may have been lost without notice. A login that has failed is not repeated at once. */
  #again<T>(what: string, path: string, work: (client: FileClient) => Promise<T>): Promise<T> {
    return this.#doing(what, path, work, (attempt, { cause, isAway }) => {
      if (attempt > 1 || this.away !== undefined) return false;
      if (!isAway) this.#use.late?.(cause);
      return true;
    });
  }

  #settled<T>(what: string, path: string, work: (client: FileClient) => Promise<T>): Promise<T> {
    return this.#doing(what, path, work, (attempt, { cause }) => this.#use.persists?.(cause) ?? attempt === 1);
  }

  async #doing<T>(
    what: string,
    path: string,
    work: (client: FileClient) => Promise<T>,
    isRepeated: (attempt: number, error: Lost) => boolean,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (error instanceof TooLarge) throw error;
        if (error instanceof Lost && isRepeated(attempt, error)) continue;
        if (error instanceof Lost && error.isAway) this.away = error.cause;
        // A directory that was there may be gone.
        this.#shared.directories.clear();
        throw failureOf(what, path, error instanceof Lost ? error.cause : error);
      }
    }
  }

  /** Rejects with Lost when another attempt may succeed. */
  async #attempt<T>(work: (client: FileClient) => Promise<T>): Promise<T> {
    const { run, limits, disconnects, persists } = this.#use;
    const ms = limits.outboundTotalMs;
    const late = (): Error =>
      limitExceeded("outboundTotalMs", `an operation of a server of files takes at most ${ms} ms`);
    return await within(ms, run?.signal, late, async (signal) => {
      const lease = await this.#connection.lend(run, signal).catch((error: unknown) => {
        this.away = error;
        throw persists === undefined ? error : new Lost(error);
      });
      const { client } = lease;
      this.away = undefined;
      let isBroken = false;
      const end = (): void => {
        isBroken = true;
        client.destroy();
      };
      signal.addEventListener("abort", end, { once: true });
      try {
        // A request that begins behind the end of a session is never answered, nor is one that the server does not read.
        return await unlessAborted(unlessLost(lease, work(client)), signal);
      } catch (error) {
        isBroken ||= !(error instanceof RemoteFailure) || error.isLost;
        if (signal.aborted) throw run?.signal.aborted === true ? signal.reason : new Lost(signal.reason, false);
        const isLost = error === lease.ended.reason || (error instanceof RemoteFailure && error.isLost);
        throw isLost ? new Lost(error) : error;
      } finally {
        signal.removeEventListener("abort", end);
        this.#reply = client.reply;
        lease.release(isBroken || disconnects);
      }
    });
  }
}

class Lost extends Error {
  /** false: the operation has only taken too long. */
  readonly isAway: boolean;

  constructor(cause: unknown, isAway = true) {
    super(exceptionMessage(cause), { cause });
    this.isAway = isAway;
  }
}

function entryOf({ name, kind, size, mtimeMs }: RemoteFile): FileEntry {
  return {
    name: basename(name),
    isDirectory: () => kind === "directory",
    isFile: () => kind === "file",
    stats: { size, mtimeMs },
  };
}

function failureOf(what: string, path: string, error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  if (error instanceof RemoteFailure && error.code !== undefined) return fileFailure(what, path, error);
  return refusal(`${what}: ${shortPath(path)} (${exceptionMessage(error)})`, error);
}
