/** A connection to a server of files, as components use it: one operation at a time. */

export interface RemoteFile {
  readonly name: string;
  readonly kind: "file" | "directory" | "other";
  readonly size: number;
  readonly mtimeMs: number;
}

/** What an FTP server has answered last. */
export interface Reply {
  readonly code: number;
  readonly text: string;
}

/** Paths begin at the directory in which the user is after the login. All methods reject with a RemoteFailure. */
export interface FileClient {
  /** At most `most` entries; resolves undefined for a missing directory. */
  list(path: string, most: number): Promise<readonly RemoteFile[] | undefined>;
  /** Does not follow links, where the protocol can; resolves undefined for a missing file. */
  stat(path: string): Promise<RemoteFile | undefined>;
  /** Rejects with TooLarge for more than `mostBytes`. */
  read(path: string, mostBytes: number): Promise<Buffer>;
  write(path: string, content: Uint8Array, append: boolean): Promise<void>;
  /** Replaces an existing file. */
  rename(from: string, to: string): Promise<void>;
  /** Resolves false for a missing file. */
  remove(path: string): Promise<boolean>;
  /** One that is there already stays. */
  makeDirectory(path: string): Promise<void>;
  setTime(path: string, time: Date): Promise<void>;
  /** `mode`: as of `chmod`. */
  setMode(path: string, mode: number): Promise<void>;
  readonly reply: Reply | undefined;
  /** Ends the connection, whatever is under way. */
  destroy(): void;
}

/** The content has more bytes than a message may have. */
export class TooLarge extends Error {}

/** An operation that the server has refused, or that has ended with the connection. */
export class RemoteFailure extends Error {
  /** As Node's file system names it, such as ENOENT, where the protocol says so much. */
  readonly code: string | undefined;
  /** true: the connection is lost. */
  readonly isLost: boolean;

  constructor(message: string, code: string | undefined, isLost: boolean, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.isLost = isLost;
  }
}
