/** The file system as the audit log uses it, so that a test can make each call fail. */
import { promises as fs } from "node:fs";

export interface AuditFile {
  /** At its end; all of it, or a rejection. */
  append(content: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditFs {
  makeDirectory(path: string): Promise<void>;
  names(directory: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** For appending; made if it is not there. */
  open(path: string): Promise<AuditFile>;
  remove(path: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
}

export const nodeAuditFs: AuditFs = {
  makeDirectory: async (path) => {
    await fs.mkdir(path, { recursive: true, mode: 0o700 });
  },
  names: (directory) => fs.readdir(directory),
  read: (path) => fs.readFile(path),
  remove: (path) => fs.unlink(path),
  async open(path) {
    const file = await fs.open(path, "a", 0o600);
    return {
      append: (content) => file.appendFile(content),
      truncate: (bytes) => file.truncate(bytes),
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
  async syncDirectory(path) {
    const directory = await fs.open(path, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
};
