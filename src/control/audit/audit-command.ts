/** `bulkhead audit verify [directory] [hash]`: verifies the audit log, and that it contains the line with this hash. */
import { join, resolve } from "node:path";
import { auditFiles } from "./audit-files.ts";
import { nodeAuditFs } from "./audit-fs.ts";
import { verifyAudit } from "./verify-audit.ts";

/** Returns the exit code: 0 the chain is whole, 1 it is broken, 2 the log cannot be read. */
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
  for (const { name } of await auditFiles(directory, nodeAuditFs)) {
    const text = Buffer.from(await nodeAuditFs.read(join(directory, name))).toString();
    if (text.includes(`,"hash":"${hash}"}\n`)) return true;
  }
  return false;
}
