/** The files of the audit log: each named by the number of its first line. */
import { join } from "node:path";
import type { AuditFs } from "./audit-fs.ts";
import { chainStart, type Link, readLine } from "./audit-line.ts";

const nameGrammar = /^audit-(\d{12})\.jsonl$/;

export interface NamedAuditFile {
  readonly name: string;
  /** The number (`seq`) of the file's first line. */
  readonly first: number;
}

export function auditFileName(first: number): string {
  return `audit-${String(first).padStart(12, "0")}.jsonl`;
}

/** Lists the audit log's files, the oldest lines first. */
export async function auditFiles(directory: string, fs: AuditFs): Promise<readonly NamedAuditFile[]> {
  return (await fs.names(directory))
    .map((name) => ({ name, first: Number(nameGrammar.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ first }) => !Number.isNaN(first))
    .sort((a, b) => a.first - b.first);
}

/** Where the next line is written: after the last whole line. */
export interface AuditEnd {
  readonly last: Link;
  /** The file that takes the next line; undefined: a new file begins. */
  readonly file: { readonly name: string; readonly bytes: number } | undefined;
  /** The bytes of an unfinished line, which a crash has left. */
  readonly torn: Uint8Array;
  /** Present: why the chain cannot continue and begins anew. */
  readonly broken?: string;
}

export async function auditEnd(directory: string, fs: AuditFs): Promise<AuditEnd> {
  const files = await auditFiles(directory, fs);
  let torn: Uint8Array = new Uint8Array();
  for (const [index, { name, first }] of [...files].reverse().entries()) {
    const content = await fs.read(join(directory, name));
    const bytes = content.lastIndexOf(0x0a) + 1;
    if (index === 0) torn = content.subarray(bytes);
    const file = index === 0 ? { name, bytes } : { name: (files.at(-1) as NamedAuditFile).name, bytes: 0 };
    if (bytes === 0) continue;
    const text = Buffer.from(content.subarray(0, bytes - 1)).toString();
    const line = readLine(text.slice(text.lastIndexOf("\n") + 1));
    if (line.problem === undefined) return { last: line.link, file, torn };
    const seq = first + text.split("\n").length - 1;
    const broken = `the last line of ${name}: ${line.problem}`;
    return { last: { ...chainStart, seq }, file: undefined, torn, broken };
  }
  const [only] = files;
  return {
    last: { ...chainStart, seq: only === undefined ? 0 : only.first - 1 },
    file: only === undefined ? undefined : { name: (files.at(-1) as NamedAuditFile).name, bytes: 0 },
    torn,
  };
}
