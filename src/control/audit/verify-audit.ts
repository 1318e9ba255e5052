/** Verifies the audit log: every line is in its place and has the hash of the line before it. */
import { join } from "node:path";
import { auditFiles } from "./audit-files.ts";
import { type AuditFs, nodeAuditFs } from "./audit-fs.ts";
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
  const files = await auditFiles(directory, fs);
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
  const { link, prev } = line;
  if (first !== undefined && link.seq !== first)
    return `the file's name says line ${first}, and this is line ${link.seq}`;
  const expected = before ?? (link.seq === 1 ? chainStart : undefined);
  if (expected === undefined) return link;
  if (link.seq !== expected.seq + 1) return `line ${expected.seq + 1} is missing: this is line ${link.seq}`;
  return prev === expected.hash ? link : "the hash of the line before it is another one";
}
