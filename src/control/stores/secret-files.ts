/** Lists the names of secret files, without opening any. */
import { promises as fs } from "node:fs";
import { join, sep } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { secretNameProblem } from "../../shared/secret-mark.ts";

/** The most entries of directories that are looked at for one owner. */
const mostEntries = 10_000;

/**
 * Returns the names of the owner's files; those in folders as `kafka/password`. Names that no secret can have are left
 * out, and so are files that links out of `directory` lead to. Throws AppError `store_failed`.
 */
export async function secretFiles(directory: string, owner: string): Promise<readonly string[]> {
  const root = await found(fs.realpath(directory), owner);
  if (root === undefined) return [];
  const within = root.endsWith(sep) ? root : `${root}${sep}`;
  const names: string[] = [];
  let looked = 0;
  const walk = async (folder: string, parts: readonly string[], around: readonly string[]): Promise<void> => {
    for (const entry of (await found(fs.readdir(folder, { withFileTypes: true }), owner)) ?? []) {
      looked += 1;
      if (looked > mostEntries) throw listError(owner, `it has more than ${mostEntries} files and folders`);
      const name = [...parts, entry.name].join("/");
      if (secretNameProblem(name) !== undefined) continue;
      const path = await found(fs.realpath(join(folder, entry.name)), owner);
      if (path?.startsWith(within) !== true) continue;
      const stats = await found(fs.stat(path), owner);
      if (stats?.isFile() === true) names.push(name);
      // A link to a folder around it would go on without end.
      else if (stats?.isDirectory() === true && !around.includes(path)) {
        await walk(path, [...parts, entry.name], [...around, path]);
      }
    }
  };
  const own = await found(fs.realpath(join(root, owner)), owner);
  if (own === undefined) return [];
  if (!own.startsWith(within)) throw listError(owner, "it is a link out of SECRETS_DIR");
  await walk(own, [], [own]);
  return names;
}

/** Undefined: nothing is there, or no longer. */
async function found<T>(result: Promise<T>, owner: string): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "it failed";
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
    throw listError(owner, code);
  }
}

function listError(owner: string, why: string): AppError {
  return new AppError("store_failed", `the secrets in SECRETS_DIR/${owner} cannot be listed: ${why}`);
}
