/** Which files `bulkhead test` reads, and where the flows of each are. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { companionName } from "../stores/file-names.ts";
import { BadFile, isDirectory, namesIn } from "./text-files.ts";

const defaultRoutes = "routes";
const defaultTests = join(defaultRoutes, "tests");

/** Directories in which the default looks, for watching. */
export const defaultDirectories: readonly string[] = [".", defaultRoutes, defaultTests];

/** Reported when the default finds no test. */
export const nothingFound =
  `there are no tests: no ${defaultTests}, and no ${join(defaultRoutes, companionName("*"))} with 'tests'; ` +
  "write one, or give the paths of files or directories";

/** Lists test files in the order in which they were named, those of a directory by name. Throws BadFile. */
export function testFilePaths(paths: readonly string[]): readonly string[] {
  const all = paths.flatMap((path) => {
    if (!existsSync(path)) throw new BadFile(`${path}: there is no such file or directory`);
    if (!isDirectory(path)) return [path];
    const found = testFilesIn(path);
    if (found.length === 0) throw new BadFile(`${path}: there is no .yaml or .json file in it`);
    return found;
  });
  return [...new Set(all)];
}

/** Lists the test files and the companion files that are read when no path is given; companion files may have no tests. */
export function defaultFilePaths(): readonly string[] {
  const tests = isDirectory(defaultTests) ? testFilesIn(defaultTests) : [];
  return [...tests, ...companionsIn(defaultRoutes)];
}

function testFilesIn(directory: string): readonly string[] {
  return namesIn(directory, { recursive: true })
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/(?:^|[\\/])\./.test(name))
    .sort()
    .map((name) => join(directory, name));
}

function companionsIn(directory: string): readonly string[] {
  if (!isDirectory(directory)) return [];
  return namesIn(directory)
    .filter((name) => flowOfCompanion(name) !== undefined && !name.startsWith("."))
    .sort()
    .map((name) => join(directory, name));
}

/** Returns the flow whose companion file the path would be: `orders` of `routes/orders.flow.yaml`. */
export function flowOfCompanion(path: string): string | undefined {
  const end = companionName("");
  const name = basename(path);
  return name.endsWith(end) && name !== end ? name.slice(0, -end.length) : undefined;
}

/** Returns the directory of the flows that a file tests: beside the directory `tests` that it is in, or above its own. */
export function routesOf(path: string): string {
  const own = dirname(resolve(path));
  for (let at = own; at !== dirname(at); at = dirname(at)) if (basename(at) === "tests") return dirname(at);
  return dirname(own);
}
