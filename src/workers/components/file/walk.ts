/** Walks the files below a consumer's directory in Camel's order, without following links. */
import { join } from "node:path";
import type { FileArea } from "./area.ts";
import type { FileEntry, FileSystem } from "./file-system.ts";
import type { FoundFile } from "./headers.ts";
import type { FileOptions } from "./options.ts";

/** The most entries of a directory tree that one poll reads. */
export const mostEntries = 100_000;

/** The directory into which Camel moves processed files; never read. */
const doneDirectory = ".camel";

export interface Visitor {
  /** false: the directory is not read. */
  enters(directory: FoundFile): boolean;
  /** `siblings`: the names in its directory. Resolves false when no more files are needed. */
  meets(file: FoundFile, siblings: ReadonlySet<string>): Promise<boolean>;
}

type WalkOptions = Pick<FileOptions, "recursive" | "minDepth" | "maxDepth" | "includeHiddenDirs" | "preSort">;

export async function walk(area: FileArea, system: FileSystem, options: WalkOptions, visitor: Visitor): Promise<void> {
  let left = mostEntries;
  /** Resolves false when no more files are needed. */
  const look = async (directory: string, depth: number): Promise<boolean> => {
    const entries = (await system.list(directory, left)) ?? [];
    left -= entries.length;
    const siblings = new Set(entries.map(({ name }) => name));
    for (const { entry, file } of await sorted(entries, directory, area, system, options.preSort)) {
      if (entry.isDirectory()) {
        if (!options.recursive || depth >= options.maxDepth || isHidden(entry, options)) continue;
        const found = file ?? (await entryAt(directory, entry, area, system));
        if (found === undefined || !visitor.enters(found)) continue;
        if (!(await look(found.path, depth + 1))) return false;
      } else if (entry.isFile() && depth >= options.minDepth) {
        const found = file ?? (await entryAt(directory, entry, area, system));
        if (found !== undefined && !(await visitor.meets(found, siblings))) return false;
      }
    }
    return true;
  };
  await look(area.path, 1);
}

/** Reads the file's present state; undefined if it is gone. */
export async function fileAt(path: string, area: FileArea, system: FileSystem): Promise<FoundFile | undefined> {
  const stats = await system.stat(path);
  return stats === undefined ? undefined : { path, name: area.relative(path), stats };
}

/** As fileAt, for an entry of a directory. */
async function entryAt(
  directory: string,
  { name, stats }: FileEntry,
  area: FileArea,
  system: FileSystem,
): Promise<FoundFile | undefined> {
  const path = join(directory, name);
  return stats === undefined ? fileAt(path, area, system) : { path, name: area.relative(path), stats };
}

function isHidden({ name }: FileEntry, { includeHiddenDirs }: WalkOptions): boolean {
  return name.startsWith(".") && (!includeHiddenDirs || name === doneDirectory);
}

interface Entry {
  readonly entry: FileEntry;
  readonly file?: FoundFile;
}

/** Sorts by name, since the file system has no defined order. */
async function sorted(
  entries: readonly FileEntry[],
  directory: string,
  area: FileArea,
  system: FileSystem,
  preSort: FileOptions["preSort"],
): Promise<readonly Entry[]> {
  const byName = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1)).map((entry): Entry => ({ entry }));
  const by = preSort.replace("-", "");
  if (by === "modified" || by === "size") {
    const measured: (Entry & { readonly file: FoundFile })[] = [];
    for (const { entry } of byName) {
      const file = await entryAt(directory, entry, area, system);
      if (file !== undefined) measured.push({ entry, file });
    }
    const key = ({ file: { stats } }: { readonly file: FoundFile }) => (by === "size" ? stats.size : stats.mtimeMs);
    measured.sort((a, b) => key(a) - key(b));
    return preSort.startsWith("-") ? measured.reverse() : measured;
  }
  return preSort === "-name" ? byName.reverse() : byName;
}
