/** A document as a file: a line of JSON that describes it, then the text exactly as it was sent. */
import * as z from "zod";
import { contentHash } from "./content-hash.ts";
import type { DocumentVersion, StoredDocument } from "./documents.ts";
import { DamagedError } from "./store-error.ts";

const headSchema = z.object({
  revision: z.int().positive(),
  savedAt: z.iso.datetime(),
  hash: z.string(),
});

const mostHeadBytes = 1024;
const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface EncodedDocument {
  readonly version: DocumentVersion;
  readonly bytes: Uint8Array;
}

export function encodeDocument(id: string, revision: number, text: string): EncodedDocument {
  const body = Buffer.from(text, "utf8");
  const hash = contentHash(body);
  const savedAt = new Date().toISOString();
  const version = { id, revision, hash, lastModified: savedAt, bytes: body.length };
  return { version, bytes: Buffer.concat([Buffer.from(`${JSON.stringify({ revision, savedAt, hash })}\n`), body]) };
}

/** Throws DamagedError; `numbered` is called with the revision of a damaged file too, if it can be read. */
export function decodeDocument(id: string, file: Uint8Array, numbered: (revision: number) => void): StoredDocument {
  const end = file.subarray(0, mostHeadBytes).indexOf(newline);
  const head = end < 0 ? undefined : headOf(file.subarray(0, end));
  if (head === undefined) throw new DamagedError("its file in the data directory is damaged");
  numbered(head.revision);
  const body = file.subarray(end + 1);
  if (contentHash(body) !== head.hash) {
    throw new DamagedError("its file in the data directory is damaged: the text is not the one that was kept");
  }
  return {
    ...{ id, revision: head.revision, hash: head.hash, lastModified: head.savedAt, bytes: body.length },
    text: utf8.decode(body),
  };
}

function headOf(line: Uint8Array): z.infer<typeof headSchema> | undefined {
  try {
    return headSchema.parse(JSON.parse(utf8.decode(line)));
  } catch {
    return undefined;
  }
}
