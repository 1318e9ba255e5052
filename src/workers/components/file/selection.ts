/** Which files of a directory a consumer takes, and in what order. */
import type { Dirent, Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { compileRegex } from "../../engine/regex.ts";
import { type FileArea, statOf } from "./area.ts";
import type { FileOptions } from "./options.ts";

export interface FoundFile {
  readonly path: string;
  readonly stats: Stats;
}

/** Entries of a directory tree that one poll looks at. */
const mostEntries = 100_000;

/** Throws for patterns that cannot be read. */
export function fileFilter(options: FileOptions): (name: string) => boolean {
  const { include, exclude, includeExt, excludeExt, antInclude, antExclude, antFilterCaseSensitive } = options;
  const tests: ((name: string) => boolean)[] = [];
  const regex = (pattern: string, keep: boolean): void => {
    const compiled = compileRegex(pattern, { caseInsensitive: true });
    tests.push((name) => compiled.matches(basename(name)) === keep);
  };
  const extension = (list: string, keep: boolean): void => {
    const all = new Set(list.split(",").map((one) => one.trim().toLowerCase()));
    tests.push((name) => all.has(extensionOf(name)) === keep);
  };
  const ant = (patterns: string, keep: boolean): void => {
    const all = patterns
      .split(",")
      .map((one) => compileRegex(antRegex(one.trim()), { caseInsensitive: !antFilterCaseSensitive }));
    tests.push((name) => all.some((one) => one.matches(name)) === keep);
  };
  if (exclude !== undefined) regex(exclude, false);
  if (include !== undefined) regex(include, true);
  if (excludeExt !== undefined) extension(excludeExt, false);
  if (includeExt !== undefined) extension(includeExt, true);
  if (antExclude !== undefined) ant(antExclude, false);
  if (antInclude !== undefined) ant(antInclude, true);
  return (name) => tests.every((test) => test(name));
}

/** The files of the directory, links left out; at most so many entries are looked at. */
export async function findFiles(
  area: FileArea,
  options: FileOptions,
  wanted: (name: string) => boolean,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  let left = mostEntries;
  const walk = async (directory: string, depth: number): Promise<void> => {
    for await (const entry of await opendir(directory)) {
      if (left-- <= 0) return;
      const path = join(directory, entry.name);
      if (
        entry.isDirectory() &&
        options.recursive &&
        depth < options.maxDepth &&
        !isHidden(entry, options.includeHiddenDirs)
      ) {
        await walk(path, depth + 1);
      }
      if (!entry.isFile() || isHidden(entry, options.includeHiddenFiles) || depth < options.minDepth) continue;
      if (!wanted(relative(area.path, path).split(sep).join("/"))) continue;
      const stats = await statOf(path);
      if (stats?.isFile() === true) found.push({ path, stats });
    }
  };
  await walk(area.path, 1);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isHidden(entry: Dirent, included: boolean): boolean {
  return !included && entry.name.startsWith(".");
}

function extensionOf(name: string): string {
  const at = basename(name).indexOf(".");
  return at < 0
    ? ""
    : basename(name)
        .slice(at + 1)
        .toLowerCase();
}

/** Ant's patterns: `?` is a character, `*` any in one name, `**` any directories. */
function antRegex(pattern: string): string {
  return pattern.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
}
