/** A session of SFTP, the protocol's version 3. */
import type { FileEntryWithStats, SFTPWrapper, Stats } from "ssh2";
import { type FileClient, RemoteFailure, type RemoteFile, TooLarge } from "../file-client.ts";
import { inPieces } from "./pieces.ts";

/** Of the protocol's status codes. */
const eof = 1;
const codes: Readonly<Record<number, string>> = { 2: "ENOENT", 3: "EACCES" };
const lost = new Set([6, 7]);
const missing = new Set(["ENOENT", "ENOTDIR"]);

type Done<T> = (error: Error | null | undefined, value: T) => void;

export class SftpClient implements FileClient {
  readonly sftp: SFTPWrapper;
  /** The server's greeting. */
  readonly greeting: string;
  readonly #end: () => void;

  /** `end`: closes the connection. */
  constructor(sftp: SFTPWrapper, greeting: string, end: () => void) {
    this.sftp = sftp;
    this.greeting = greeting;
    this.#end = end;
  }

  get reply(): undefined {
    return undefined;
  }

  destroy(): void {
    this.#end();
  }

  async list(path: string, most: number): Promise<readonly RemoteFile[] | undefined> {
    const handle = await orMissing(asked<Buffer>((done) => this.sftp.opendir(path, done)));
    if (handle === undefined) return undefined;
    const found: RemoteFile[] = [];
    try {
      while (found.length < most) {
        const part = await this.#entries(handle);
        if (part === undefined) break;
        for (const { filename, attrs } of part)
          if (filename !== "." && filename !== "..") found.push(file(filename, attrs));
      }
      return found.slice(0, most);
    } finally {
      await this.#close(handle);
    }
  }

  async stat(path: string): Promise<RemoteFile | undefined> {
    const stats = await orMissing(asked<Stats>((done) => this.sftp.lstat(path, done)));
    return stats && file(path.slice(path.lastIndexOf("/") + 1), stats);
  }

  async read(path: string, mostBytes: number): Promise<Buffer> {
    const handle = await this.#open(path, "r");
    try {
      const { size } = await asked<Stats>((done) => this.sftp.fstat(handle, done));
      if (size > mostBytes) throw new TooLarge();
      // One byte more than expected shows whether the file has grown.
      const content = Buffer.alloc(size + 1);
      const length = await inPieces(size + 1, (at, bytes) => this.#readPiece(handle, content, at, bytes));
      if (length <= size) return content.subarray(0, length);
      return await this.#readRest(handle, content, mostBytes);
    } finally {
      await this.#close(handle);
    }
  }

  async write(path: string, content: Uint8Array, append: boolean): Promise<void> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const handle = await this.#open(path, append ? "a" : "w");
    try {
      const start = append ? (await asked<Stats>((done) => this.sftp.fstat(handle, done))).size : 0;
      await inPieces(bytes.length, async (at, length) => {
        await asked((done) => this.sftp.write(handle, bytes, at, length, start + at, done as () => void));
        return length;
      });
    } catch (error) {
      await this.#close(handle).catch(() => {});
      throw error;
    }
    await this.#close(handle);
  }

  async rename(from: string, to: string): Promise<void> {
    try {
      // Replaces an existing file at once, where the server has the extension.
      await asked((done) => this.sftp.ext_openssh_rename(from, to, done as () => void));
    } catch (error) {
      if (error instanceof RemoteFailure && (error.isLost || error.code === "ENOENT")) throw error;
      try {
        await asked((done) => this.sftp.rename(from, to, done as () => void));
      } catch (refused) {
        if (refused instanceof RemoteFailure && (refused.isLost || refused.code !== undefined)) throw refused;
        await this.remove(to);
        await asked((done) => this.sftp.rename(from, to, done as () => void));
      }
    }
  }

  async remove(path: string): Promise<boolean> {
    return (await orMissing(asked((done) => this.sftp.unlink(path, done as () => void)).then(() => true))) === true;
  }

  async makeDirectory(path: string): Promise<void> {
    try {
      await asked((done) => this.sftp.mkdir(path, done as () => void));
    } catch (error) {
      if (error instanceof RemoteFailure && error.isLost) throw error;
      const present = await asked<Stats>((done) => this.sftp.stat(path, done)).catch(() => undefined);
      if (present?.isDirectory() !== true) throw error;
    }
  }

  async setTime(path: string, time: Date): Promise<void> {
    await asked((done) => this.sftp.utimes(path, time, time, done as () => void));
  }

  async setMode(path: string, mode: number): Promise<void> {
    await asked((done) => this.sftp.chmod(path, mode, done as () => void));
  }

  #open(path: string, mode: "r" | "w" | "a"): Promise<Buffer> {
    return asked<Buffer>((done) => this.sftp.open(path, mode, done));
  }

  async #close(handle: Buffer): Promise<void> {
    await asked((done) => this.sftp.close(handle, done as () => void));
  }

  /** Resolves undefined at the end. */
  async #entries(handle: Buffer): Promise<readonly FileEntryWithStats[] | undefined> {
    return await atEnd(asked<FileEntryWithStats[]>((done) => this.sftp.readdir(handle, done)));
  }

  async #readPiece(handle: Buffer, into: Buffer, at: number, bytes: number): Promise<number> {
    const read = await atEnd(asked<number>((done) => this.sftp.read(handle, into, at, bytes, at, done)));
    return read ?? 0;
  }

  /** The file has grown since its size was read. */
  async #readRest(handle: Buffer, first: Buffer, mostBytes: number): Promise<Buffer> {
    let content = first;
    let length = first.length;
    for (;;) {
      if (length > mostBytes) throw new TooLarge();
      if (length === content.length) content = Buffer.concat([content], Math.min(length * 2, mostBytes + 1));
      const read = await this.#readPiece(handle, content, length, Math.min(32_768, content.length - length));
      if (read === 0) return content.subarray(0, length);
      length += read;
    }
  }
}

function file(name: string, stats: Stats): RemoteFile {
  const kind = stats.isDirectory() ? "directory" : stats.isFile() ? "file" : "other";
  return { name, kind, size: stats.size, mtimeMs: stats.mtime * 1000 };
}

/** Calls the library, and makes a RemoteFailure of its error. */
function asked<T = void>(ask: (done: Done<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    try {
      ask((error, value) => (error ? reject(failureOf(error)) : resolve(value)));
    } catch (error) {
      reject(failureOf(error));
    }
  });
}

function failureOf(error: unknown): RemoteFailure {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  const isLost = typeof code !== "number" || lost.has(code);
  return new RemoteFailure(
    message,
    typeof code === "number" ? codes[code] : undefined,
    isLost && !/support/i.test(message),
    error,
  );
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFailure && missing.has(error.code ?? "")) return undefined;
    throw error;
  }
}

async function atEnd<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = ((error as RemoteFailure).cause ?? {}) as { readonly code?: unknown };
    if (code === eof) return undefined;
    throw error;
  }
}
