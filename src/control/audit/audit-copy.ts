/** Copies the audit log while it is written: the whole lines that it has at one moment. */
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { auditFiles, nodeAuditFs } from "./audit-files.ts";
import { wholeLines } from "./last-lines.ts";

export interface AuditCopy {
  readonly name: string;
  readonly bytes: number;
  /** Reads the content, once. */
  content(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const readBytes = 64 * 1024;

/**
 * Opens the files, the oldest lines first; close each one. An open file can be read although it is rotated away
 * meanwhile, so the lines of all of them are one chain.
 */
export async function openAuditCopy(directory: string): Promise<readonly AuditCopy[]> {
  let copies: AuditCopy[] = [];
  const closeAll = (): Promise<unknown> => Promise.all(copies.map((copy) => copy.close()));
  try {
    for (const { name } of auditFiles(await ifThere(nodeAuditFs.names(directory), []))) {
      const file = await ifThere(nodeAuditFs.openToRead(join(directory, name)), undefined);
      if (file !== undefined) copies.push(await copyOf(name, file));
      else {
        // It was rotated away, and so are those before it.
        await closeAll();
        copies = [];
      }
    }
    return copies;
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function copyOf(name: string, file: FileHandle): Promise<AuditCopy> {
  const bytes = await wholeLines(file);
  return {
    name,
    bytes,
    async *content() {
      const chunk = new Uint8Array(readBytes);
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(chunk, 0, Math.min(readBytes, bytes - at), at);
        if (bytesRead === 0) throw new Error(`${name} has become shorter while it was read`);
        yield chunk.slice(0, bytesRead);
        at += bytesRead;
      }
    },
    close: () => file.close(),
  };
}

async function ifThere<T, U>(found: Promise<T>, absent: U): Promise<T | U> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return absent;
    throw error;
  });
}
