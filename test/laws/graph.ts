/**
 * Which files a file needs, over the whole project: laws and trials ask it. A file needs what it imports; it also starts what it names by a path in a text
 * (`new URL("./flow-worker.ts", import.meta.url)`, `"src/cli/bulkhead.ts"`), as threads and processes begin with such files.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import { type Imports, importsOf } from "./imports.ts";

const root = resolve(import.meta.dirname, "../..");
const sources = "{src,test,scripts,bench,templates,designer/{server,shared,web/src}}/**/*.{ts,tsx,cts}";
/** Paths in texts: relative ones, and those from the project's directory on. */
const path = /"((?:\.{1,2}|src|test|scripts)\/[^"\s]+\.c?tsx?)"/g;

export interface Graph {
  /** By file: what it imports, types included. */
  readonly imports: Imports;
  /** By file: what it imports or names by its path. */
  readonly starts: Imports;
}

/** Files are named from the project's directory on, with slashes. */
export function readGraph(): Graph {
  const texts = new Map(
    globSync(sources, { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" }).map((file) => [
      file,
      readFileSync(resolve(root, file), "utf8"),
    ]),
  );
  const imports = importsOf(texts);
  const starts = new Map([...texts].map(([file, text]) => [file, startsOf(file, text, imports, texts)]));
  return { imports, starts };
}

/** The entries, and all that they need through whatever other file. */
export function neededBy(entries: Iterable<string>, edges: Imports): ReadonlySet<string> {
  const needed = new Set(entries);
  for (const file of needed) for (const target of edges.get(file) ?? []) needed.add(target);
  return needed;
}

/** The files, and all that need them through whatever other file. */
export function needing(files: Iterable<string>, edges: Imports): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of edges)
    for (const target of targets) {
      const all = importers.get(target);
      if (all === undefined) importers.set(target, [file]);
      else all.push(file);
    }
  return neededBy(files, importers);
}

function startsOf(file: string, text: string, imports: Imports, texts: ReadonlyMap<string, string>): readonly string[] {
  const named = [...text.matchAll(path)]
    .map(([, name = ""]) => (name.startsWith(".") ? posix.join(dirname(file), name) : name))
    .filter((name) => texts.has(name));
  return [...new Set([...(imports.get(file) ?? []), ...named])];
}
