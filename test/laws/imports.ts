/** The imports of src: read, held against laws, searched for circles. Files are named as `control/app.ts`. */
import { dirname, posix } from "node:path";

/** By file: the files of ours that it imports, types included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** `import`, `export ... from`, `import(...)` as a call and as a type; the linter has every path end with its extension. */
const specifier = /\b(?:from|import)\b[\s(]*"(\.[^"]+)"/g;

/** `sources`: texts by file. */
export function importsOf(sources: ReadonlyMap<string, string>): Imports {
  const imports = new Map<string, readonly string[]>();
  for (const [file, text] of sources) {
    const paths = [...text.matchAll(specifier)].map(([, path = ""]) => posix.join(dirname(file), path));
    imports.set(file, [...new Set(paths)]);
  }
  return imports;
}

/** A line for each import that the laws do not allow, each file without a law, and each law without files. */
export function offences(
  imports: Imports,
  laws: Readonly<Record<string, string>>,
  apart: Readonly<Record<string, string>>,
): string[] {
  const found: string[] = [];
  const unused = new Set(Object.keys(laws));
  for (const [file, targets] of imports) {
    const law = lawOf(file, laws);
    if (law === undefined) {
      found.push(`${file}: its folder has no law`);
      continue;
    }
    unused.delete(law);
    const allowed = ["shared", law, ...placesOf(law, laws[law] ?? "")];
    for (const target of targets) {
      if (!allowed.some((place) => covers(place, target))) found.push(`${file} must not import ${target}`);
      else if (areApart(file, target, apart)) found.push(`${file} must not import its neighbour ${target}`);
    }
  }
  return [...found, ...[...unused].map((law) => `${law}: there is no such file`)];
}

/** Files that depend on each other, `a -> b -> a` for each circle that is met. */
export function circles(imports: Imports): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (done.has(file)) return;
    const from = path.indexOf(file);
    if (from >= 0) {
      found.push([...path.slice(from), file].join(" -> "));
      return;
    }
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

/** The closest one: of the file itself, of its folder, of a folder above with all that is below. */
function lawOf(file: string, laws: Readonly<Record<string, string>>): string | undefined {
  const own = [file, dirname(file)].find((place) => Object.hasOwn(laws, place));
  if (own !== undefined) return own;
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder))
    if (Object.hasOwn(laws, `${folder}/**`)) return `${folder}/**`;
  return undefined;
}

/** Words of a law as places in src. */
function placesOf(law: string, words: string): string[] {
  const side = law.split("/")[0];
  return words.split(" ").map((word) => (word.startsWith("/") ? word.slice(1) : `${side}/${word}`));
}

/** `place`: a file, a folder, or a folder with all that is below it. */
function covers(place: string, file: string): boolean {
  return place.endsWith("/**") ? file.startsWith(place.slice(0, -2)) : file === place || dirname(file) === place;
}

function areApart(file: string, target: string, apart: Readonly<Record<string, string>>): boolean {
  return Object.entries(apart).some(([folder, common]) => {
    const [own, other] = [memberOf(file, folder), memberOf(target, folder)];
    if (own === undefined || other === undefined || own === "index") return false;
    return own !== other && !common.split(" ").includes(target.slice(folder.length + 1));
  });
}

/** `rest-binding` of `workers/steps/rest-binding.ts`, and of what is in `workers/steps/rest-binding`. */
function memberOf(file: string, folder: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split(/[/.]/)[0] : undefined;
}
