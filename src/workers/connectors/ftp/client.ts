/** A session of FTP. Files are sent and received as they are (TYPE I). */

import { Readable, Writable } from "node:stream";
import { TLSSocket } from "node:tls";
import ftp from "basic-ftp";
import { after } from "../../engine/waiting.ts";
import { type FileClient, RemoteFailure, type RemoteFile, type Reply, TooLarge } from "../file-client.ts";
import { listedTime } from "./listed-time.ts";

type Client = InstanceType<typeof ftp.Client>;

/** What the server answers when a file is missing, or may not be used: the protocol has one code for both. */
const notThere = 550;
/** It does not know the command. */
const unknown = new Set([500, 501, 502, 504]);

export class FtpClient implements FileClient {
  readonly ftp: Client;
  /** The server's greeting. */
  readonly greeting: string;
  isClosed = false;
  /** The directory after the login. */
  readonly #home: string;
  #reply: Reply | undefined;

  constructor(client: Client, greeting: string, home: string) {
    this.ftp = client;
    this.greeting = greeting;
    this.#home = home.replace(/\/$/, "");
  }

  get reply(): Reply | undefined {
    return this.#reply;
  }

  destroy(): void {
    this.isClosed = true;
    this.ftp.close();
  }

  async list(path: string, most: number): Promise<readonly RemoteFile[] | undefined> {
    if (!(await this.#enter(path))) return undefined;
    const entries = await this.#asked(() => this.ftp.list());
    return entries.slice(0, most).flatMap((entry): RemoteFile[] => {
      const { name, size, isDirectory, isFile, modifiedAt, rawModifiedAt } = entry;
      if (name === "." || name === "..") return [];
      const mtimeMs = modifiedAt?.getTime() ?? listedTime(rawModifiedAt, new Date());
      return [{ name, size, mtimeMs, kind: isDirectory ? "directory" : isFile ? "file" : "other" }];
    });
  }

  async stat(path: string): Promise<RemoteFile | undefined> {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const size = await this.#orMissing(() => this.ftp.size(this.#path(path)));
    if (size === undefined)
      return (await this.#enter(path)) ? { name, kind: "directory", size: 0, mtimeMs: 0 } : undefined;
    const time = await this.#orMissing(() => this.ftp.lastMod(this.#path(path)));
    return { name, kind: "file", size, mtimeMs: time?.getTime() ?? 0 };
  }

  async read(path: string, mostBytes: number): Promise<Buffer> {
    const size = await this.#orMissing(() => this.ftp.size(this.#path(path)));
    if (size !== undefined && size > mostBytes) throw new TooLarge();
    const chunks: Buffer[] = [];
    let bytes = 0;
    const into = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > mostBytes) return done(new TooLarge());
        chunks.push(chunk);
        done();
      },
    });
    await this.#asked(() => this.ftp.downloadTo(into, this.#path(path)));
    return Buffer.concat(chunks);
  }

  async write(path: string, content: Uint8Array, append: boolean): Promise<void> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const from = bytes.length === 0 ? endOf(this.ftp) : Readable.from([bytes], { objectMode: false });
    await this.#asked(() =>
      append ? this.ftp.appendFrom(from, this.#path(path)) : this.ftp.uploadFrom(from, this.#path(path)),
    );
  }

  async rename(from: string, to: string): Promise<void> {
    const rename = (): Promise<unknown> => this.#asked(() => this.ftp.rename(this.#path(from), this.#path(to)));
    try {
      await rename();
    } catch (error) {
      // Some servers do not replace a file.
      if ((error as RemoteFailure).isLost || (await this.stat(from)) === undefined || !(await this.remove(to)))
        throw error;
      await rename();
    }
  }

  async remove(path: string): Promise<boolean> {
    try {
      await this.#asked(() => this.ftp.remove(this.#path(path)));
      return true;
    } catch (error) {
      if ((error as RemoteFailure).isLost || (await this.stat(path)) !== undefined) throw error;
      return false;
    }
  }

  async makeDirectory(path: string): Promise<void> {
    try {
      await this.#asked(() => this.ftp.send(`MKD ${this.#path(path)}`));
    } catch (error) {
      if ((error as RemoteFailure).isLost || !(await this.#enter(path))) throw error;
    }
  }

  async setTime(path: string, time: Date): Promise<void> {
    const digits = time.toISOString().replaceAll(/\D/g, "").slice(0, 14);
    const set = await this.#orMissing(() => this.ftp.send(`MFMT ${digits} ${this.#path(path)}`));
    // Servers from before RFC drafts of MFMT take the time with MDTM.
    if (set === undefined) await this.#asked(() => this.ftp.send(`MDTM ${digits} ${this.#path(path)}`));
  }

  async setMode(path: string, mode: number): Promise<void> {
    await this.#asked(() => this.ftp.send(`SITE CHMOD ${mode.toString(8)} ${this.#path(path)}`));
  }

  /** Whole paths hold whatever the session's directory is. */
  #path(path: string): string {
    if (/[\r\n\0]/.test(path)) throw new RemoteFailure("a path has no line breaks", "EINVAL", false);
    return path === "." || path === "" ? this.#home || "/" : `${this.#home}/${path}`;
  }

  /** Resolves false for what is no directory. */
  async #enter(path: string): Promise<boolean> {
    return (await this.#orMissing(() => this.ftp.send(`CWD ${this.#path(path)}`))) !== undefined;
  }

  async #orMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#asked(work);
    } catch (error) {
      const { cause, isLost } = error as RemoteFailure;
      const code = cause instanceof ftp.FTPError ? cause.code : 0;
      if (!isLost && (code === notThere || unknown.has(code))) return undefined;
      throw error;
    }
  }

  async #asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#note(done);
      return done;
    } catch (error) {
      if (error instanceof RemoteFailure || error instanceof TooLarge) throw error;
      this.#note(error);
      throw failureOf(error, this.ftp.closed);
    }
  }

  #note(answer: unknown): void {
    const { code, message } = (answer ?? {}) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof code === "number") this.#reply = { code, text: String(message).trim() };
  }
}

/** How long a server has for its part of a handshake that nothing follows. */
const handshakeMs = 200;

/**
 * An empty content. On an encrypted connection it ends when the server has sent its session: a server that is not through
 * with the handshake takes the end for a broken connection.
 */
function endOf({ ftp: connection }: Client): Readable {
  return new Readable({
    read() {
      const { dataSocket } = connection;
      const end = (): void => void this.push(null);
      if (!(dataSocket instanceof TLSSocket)) return end();
      const late = after(handshakeMs, end);
      dataSocket.once("session", () => {
        late();
        setImmediate(end);
      });
    },
  });
}

/** What the library reports when a server sends the data connection elsewhere, with an option that is not offered here. */
const elsewhere = /PASV returned another host \(([^)]*)\)/;

function failureOf(error: unknown, isClosed: boolean): RemoteFailure {
  const { message } = error as Error;
  const [, host] = elsewhere.exec(message) ?? [];
  if (host !== undefined) {
    const text = `the server sends the data connection to ${host}, which is not named: data goes to the server's own address alone`;
    return new RemoteFailure(text, undefined, isClosed, error);
  }
  if (!(error instanceof ftp.FTPError)) return new RemoteFailure(message, undefined, isClosed, error);
  const { code } = error;
  if (code === 421) return new RemoteFailure(message, undefined, true, error);
  const isDenied = /denied|permission/i.test(message);
  const known =
    code === notThere ? (isDenied ? "EACCES" : "ENOENT") : code === 552 || code === 452 ? "ENOSPC" : undefined;
  return new RemoteFailure(message, known, isClosed, error);
}
