/** Walks the files below a consumer's directory in Camel's order, without following links. */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { FileArea } from "./area.ts";
import type { Disk } from "./disk.ts";
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

export async function walk(area: FileArea, disk: Disk, options: WalkOptions, visitor: Visitor): Promise<void> {
  let left = mostEntries;
  /** Resolves false when no more files are needed. */
  const look = async (directory: string, depth: number): Promise<boolean> => {
    const entries = (await disk.list(directory, left)) ?? [];
    left -= entries.length;
    const siblings = new Set(entries.map(({ name }) => name));
    for (const { entry, file } of await sorted(entries, directory, area, disk, options.preSort)) {
      if (entry.isDirectory()) {
        if (!options.recursive || depth >= options.maxDepth || isHidden(entry, options)) continue;
        const found = file ?? (await fileAt(join(directory, entry.name), area, disk));
        if (found === undefined || !visitor.enters(found)) continue;
        if (!(await look(found.path, depth + 1))) return false;
      } else if (entry.isFile() && depth >= options.minDepth) {
        const found = file ?? (await fileAt(join(directory, entry.name), area, disk));
        if (found !== undefined && !(await visitor.meets(found, siblings))) return false;
      }
    }
    return true;
  };
  await look(area.path, 1);
}

/** Reads the file's present state; undefined if it is gone. */
export async function fileAt(path: string, area: FileArea, disk: Disk): Promise<FoundFile | undefined> {
  const stats = await disk.stat(path);
  return stats === undefined ? undefined : { path, name: area.relative(path), stats };
}

function isHidden({ name }: Dirent, { includeHiddenDirs }: WalkOptions): boolean {
  return name.startsWith(".") && (!includeHiddenDirs || name === doneDirectory);
}

interface Entry {
  readonly entry: Dirent;
  readonly file?: FoundFile;
}

/** Sorts by name, since the file system has no defined order. */
async function sorted(
  entries: readonly Dirent[],
  directory: string,
  area: FileArea,
  disk: Disk,
  preSort: FileOptions["preSort"],
): Promise<readonly Entry[]> {
  const byName = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1)).map((entry): Entry => ({ entry }));
  const by = preSort.replace("-", "");
  if (by === "modified" || by === "size") {
    const measured: (Entry & { readonly file: FoundFile })[] = [];
    for (const { entry } of byName) {
      const file = await fileAt(join(directory, entry.name), area, disk);
      if (file !== undefined) measured.push({ entry, file });
    }
    const key = ({ file: { stats } }: { readonly file: FoundFile }) => (by === "size" ? stats.size : stats.mtimeMs);
    measured.sort((a, b) => key(a) - key(b));
    return preSort.startsWith("-") ? measured.reverse() : measured;
  }
  return preSort === "-name" ? byName.reverse() : byName;
}
