/**
 * A document's files. `<id>.document` holds a line of JSON that describes the document, then the text exactly as it was
 * sent. A removal leaves an empty `<id>.<revision>.removed`, which keeps the last number: a name needs no space on a
 * full disk.
 */
import * as z from "zod";
import { idProblem } from "../../shared/ids.ts";
import type { DocumentNote, DocumentVersion, StoredDocument } from "./documents.ts";
import { DamagedError } from "./store-error.ts";
import { contentHash } from "./stores.ts";

export interface RemovalMark {
  readonly file: string;
  readonly id: string;
  /** The last revision of the removed document. */
  readonly revision: number;
}

export interface DocumentNames {
  readonly files: readonly { readonly file: string; readonly id: string; readonly problem?: string }[];
  readonly marks: readonly RemovalMark[];
}

const extension = ".document";
const markName = /^(.+)\.([1-9][0-9]{0,14})\.removed$/;

export function documentName(id: string): string {
  return `${id}${extension}`;
}

export function markNameOf(id: string, revision: number): string {
  return `${id}.${revision}.removed`;
}

/** Sorts a directory's names; other files are not the store's. */
export function documentNames(names: readonly string[]): DocumentNames {
  const folded = new Map<string, string>();
  const files = names
    .filter((name) => !name.startsWith(".") && name.endsWith(extension))
    .map((file) => ({ file, id: file.slice(0, -extension.length) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ file, id }) => {
      const reason = idProblem(id);
      if (reason !== undefined)
        return { file, id: file, problem: `the name is not an id (${reason}): rename the file` };
      const earlier = folded.get(id.toLowerCase());
      if (earlier === undefined) {
        folded.set(id.toLowerCase(), id);
        return { file, id };
      }
      return { file, id, problem: `'${id}' and '${earlier}' differ only by case: rename one of the files` };
    });
  return { files, marks: names.flatMap(markOf) };
}

function markOf(file: string): RemovalMark[] {
  const [, id, revision] = markName.exec(file) ?? [];
  return id === undefined || revision === undefined ? [] : [{ file, id, revision: Number(revision) }];
}

const headSchema = z.object({
  revision: z.int().positive(),
  savedAt: z.iso.datetime(),
  hash: z.string(),
  by: z.object({ via: z.string(), actor: z.string().optional() }).optional(),
  set: z.string().optional(),
});

const mostHeadBytes = 4096;
const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface EncodedDocument {
  readonly version: DocumentVersion;
  readonly bytes: Uint8Array;
}

export function encodeDocument(id: string, revision: number, text: string, note: DocumentNote = {}): EncodedDocument {
  const body = Buffer.from(text, "utf8");
  const hash = contentHash(body);
  const savedAt = new Date().toISOString();
  const noted = noteOf(note);
  const version = { id, revision, hash, lastModified: savedAt, bytes: body.length, ...noted };
  const head = JSON.stringify({ revision, savedAt, hash, ...noted });
  return { version, bytes: Buffer.concat([Buffer.from(`${head}\n`), body]) };
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
    ...noteOf(head),
    text: utf8.decode(body),
  };
}

function noteOf({ by, set }: DocumentNote): DocumentNote {
  return { ...(by !== undefined && { by }), ...(set !== undefined && { set }) };
}

function headOf(line: Uint8Array): z.infer<typeof headSchema> | undefined {
  try {
    return headSchema.parse(JSON.parse(utf8.decode(line)));
  } catch {
    return undefined;
  }
}
