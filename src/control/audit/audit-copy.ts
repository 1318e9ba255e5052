/** Copies the audit log while it is written: the whole lines that it has at one moment. */
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { auditFiles, nodeAuditFs, openAuditFile } from "./audit-files.ts";

export interface AuditCopy {
  readonly name: string;
  readonly bytes: number;
  /** Reads the content, once. */
  content(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const newline = 0x0a;
const readBytes = 64 * 1024;

/**
 * Opens the files, the oldest lines first; close each one. An open file can be read although it is rotated away
 * meanwhile, so the lines of all of them are one chain.
 */
export async function openAuditCopy(directory: string): Promise<readonly AuditCopy[]> {
  let copies: AuditCopy[] = [];
  const closeAll = (): Promise<unknown> => Promise.all(copies.map((copy) => copy.close()));
  try {
    for (const { name } of await ifThere(auditFiles(directory, nodeAuditFs), [])) {
      const file = await ifThere(openAuditFile(join(directory, name)), undefined);
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

/** The length of the file up to the end of its last whole line. */
async function wholeLines(file: FileHandle): Promise<number> {
  const chunk = Buffer.alloc(readBytes);
  for (let end = (await file.stat()).size; end > 0; ) {
    const from = Math.max(0, end - readBytes);
    const { bytesRead } = await file.read(chunk, 0, end - from, from);
    const last = chunk.subarray(0, bytesRead).lastIndexOf(newline);
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return 0;
}

async function ifThere<T, U>(found: Promise<T>, absent: U): Promise<T | U> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return absent;
    throw error;
  });
}
