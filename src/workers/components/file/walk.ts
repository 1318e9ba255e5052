/** The files below a consumer's directory, in the order in which Camel would meet them; links are not followed. */
import type { Dirent } from "node:fs";
import { join } from "node:path";
import type { FileArea } from "./area.ts";
import type { Disk } from "./disk.ts";
import type { FoundFile } from "./headers.ts";
import type { FileOptions } from "./options.ts";

/** Entries of a directory tree that one poll looks at. */
export const mostEntries = 100_000;

/** What Camel moves files into that are done: never looked into. */
const doneDirectory = ".camel";

export interface Visitor {
  /** false: it is not looked into. */
  enters(directory: FoundFile): boolean;
  /** `siblings`: the names in its directory. Resolves with false when no more files are wanted. */
  meets(file: FoundFile, siblings: ReadonlySet<string>): Promise<boolean>;
}

type WalkOptions = Pick<FileOptions, "recursive" | "minDepth" | "maxDepth" | "includeHiddenDirs" | "preSort">;

export async function walk(area: FileArea, disk: Disk, options: WalkOptions, visitor: Visitor): Promise<void> {
  let left = mostEntries;
  /** false: enough. */
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

/** What is there now; undefined: it is gone. */
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

/** By name, where nothing else is said: the file system's own order is none. */
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
