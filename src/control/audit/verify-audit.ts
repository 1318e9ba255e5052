/**
 * Verifies the audit log, as a function and as a command: each line is in its place and has the hash of the line before
 * it.
 */
import { join, resolve } from "node:path";
import { type AuditFs, auditFiles, nodeAuditFs } from "./audit-files.ts";
import { chainStart, type Link, readLine } from "./audit-line.ts";

export interface AuditVerdict {
  readonly files: number;
  readonly lines: number;
  /** The number of the first line that is kept: earlier ones were rotated away. */
  readonly first: number | undefined;
  /** The last line's link. Note it elsewhere: nothing else shows that lines are missing at the end. */
  readonly last: Link | undefined;
  /** Absent: the chain is whole. */
  readonly broken?: { readonly file: string; readonly line: number; readonly why: string };
}

/** Rejects with a system error when the directory cannot be read. */
export async function verifyAudit(directory: string, fs: AuditFs = nodeAuditFs): Promise<AuditVerdict> {
  const files = auditFiles(await fs.names(directory));
  let lines = 0;
  let last: Link | undefined;
  const verdict = (broken?: AuditVerdict["broken"]): AuditVerdict => ({
    ...{ files: files.length, lines, first: files[0]?.first, last },
    ...(broken && { broken }),
  });
  for (const { name, first } of files) {
    const bytes = await fs.read(join(directory, name));
    const text = Buffer.from(bytes).toString();
    if (!Buffer.from(text).equals(bytes)) return verdict({ file: name, line: 1, why: "the file is not UTF-8" });
    const texts = text.split("\n");
    const rest = texts.pop();
    for (const [index, one] of texts.entries()) {
      const why = problemOf(one, last, index === 0 ? first : undefined);
      if (typeof why === "string") return verdict({ file: name, line: index + 1, why });
      last = why;
      lines += 1;
    }
    if (rest !== "") return verdict({ file: name, line: texts.length + 1, why: "it has no end: a crash, or a cut" });
  }
  return verdict();
}

/** Returns the line's link, or what is wrong with the line. */
function problemOf(text: string, before: Link | undefined, first: number | undefined): Link | string {
  const line = readLine(text);
  if (line.problem !== undefined) return line.problem;
  const { link } = line;
  const { prev } = line.entry;
  if (first !== undefined && link.seq !== first)
    return `the file's name says line ${first}, and this is line ${link.seq}`;
  const expected = before ?? (link.seq === 1 ? chainStart : undefined);
  if (expected === undefined) return link;
  if (link.seq !== expected.seq + 1) return `line ${expected.seq + 1} is missing: this is line ${link.seq}`;
  return prev === expected.hash ? link : "the hash of the line before it is another one";
}

/**
 * `bulkhead audit verify [directory] [hash]`: verifies the audit log, and that it contains the line with this hash.
 * Returns the exit code: 0 the chain is whole, 1 it is broken, 2 the log cannot be read.
 */
export async function auditCommand(
  [given, hash]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<number> {
  const directory = resolve(given ?? join(env["DATA_DIR"] ?? "./data", "audit"));
  try {
    const { files, lines, first, last, broken } = await verifyAudit(directory);
    if (broken !== undefined) {
      say(`broken: ${broken.file}, line ${broken.line}: ${broken.why}`);
      return 1;
    }
    if (last === undefined) {
      say(`${directory} has no lines`);
      return hash === undefined ? 0 : 1;
    }
    if (hash !== undefined && !(await hasHash(directory, hash))) {
      say(`broken: no line has the hash ${hash}: lines are missing, or it was rotated away`);
      return 1;
    }
    say(`whole: ${lines} lines in ${files} files, from ${first} to ${last.seq}; the last has the hash ${last.hash}`);
    return 0;
  } catch (error) {
    say(`${directory} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

async function hasHash(directory: string, hash: string): Promise<boolean> {
  for (const { name } of auditFiles(await nodeAuditFs.names(directory))) {
    const text = Buffer.from(await nodeAuditFs.read(join(directory, name))).toString();
    if (text.includes(`,"hash":"${hash}"}\n`)) return true;
  }
  return false;
}
