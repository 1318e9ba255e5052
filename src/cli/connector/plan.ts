/** What a new connector writes, and what stands in its way. Nothing is written here. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, UsageError } from "../errors.ts";
import { codeLists, lists } from "./lists.ts";
import type { Names } from "./names.ts";
import { filesOf, type TemplateFile } from "./template.ts";

export interface Changed {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The lines that are new. */
  readonly added: readonly string[];
}

export interface ConnectorPlan {
  /** Texts by their paths from the checkout's folder on. */
  readonly files: readonly TemplateFile[];
  readonly changed: readonly Changed[];
}

/** Throws UsageError when the name cannot be had, and CommandError when a list has another shape. */
export function planConnector(checkout: string, names: Names): ConnectorPlan {
  const files = filesOf(checkout, names);
  const texts = new Map(lists.map(({ path }) => [path, read(checkout, path)]));
  refuseTaken(names, texts);
  refuseWords(names, files, texts);
  refuseFiles(checkout, names, files);
  const after = new Map(texts);
  for (const { path, change } of lists) after.set(path, change(after.get(path) ?? "", names));
  const changed = [...texts].map(([path, before]) => {
    const text = after.get(path) ?? "";
    return { path, before, after: text, added: addedLines(before, text) };
  });
  return { files, changed };
}

function refuseTaken({ id, camel }: Names, texts: ReadonlyMap<string, string>): void {
  for (const { path } of codeLists)
    if (membersOf(texts.get(path) ?? "").includes(camel))
      throw new UsageError(
        `'${id}' is taken: it is in ${path}. Take another name, or change the connector that is there`,
      );
}

/** The names that a module imports. */
function membersOf(text: string): readonly string[] {
  return [...text.matchAll(/^import \{ ([^}]*) \}/gm)].flatMap(([, names = ""]) => names.split(", "));
}

/** A constant of the name would hide, or be, something else of a module that has it. */
function refuseWords({ id, camel }: Names, files: readonly TemplateFile[], texts: ReadonlyMap<string, string>): void {
  const word = new RegExp(`\\b${camel}\\b`);
  const lists: readonly [path: string, text: string][] = codeLists.map(({ path }) => [path, texts.get(path) ?? ""]);
  const templates = files
    .filter(({ hasConstant }) => hasConstant)
    .map(({ path, template }): [string, string] => [path, template]);
  for (const [path, text] of [...lists, ...templates])
    if (word.test(text))
      throw new UsageError(
        `'${id}' is a word that the code of a connector uses (${path}): take a longer name, such as ${id}-server`,
      );
}

/** Also a folder that is there belongs to something else. */
function refuseFiles(checkout: string, { id }: Names, files: readonly TemplateFile[]): void {
  const folders = files
    .map(({ path }) => path.slice(0, path.lastIndexOf("/")))
    .filter((path) => path.endsWith(`/${id}`));
  const inTheWay = [...new Set([...files.map(({ path }) => path), ...folders])].filter((path) =>
    isThere(join(checkout, path)),
  );
  if (inTheWay.length > 0)
    throw new UsageError(
      `'${id}' is taken: ${inTheWay.join(", ")} ${inTheWay.length === 1 ? "is" : "are"} there already, and nothing is written`,
    );
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder on the way is a file: writing reports it.
    return false;
  }
}

function read(checkout: string, path: string): string {
  try {
    return readFileSync(join(checkout, path), "utf8");
  } catch {
    throw new CommandError(`nothing is written: ${path} cannot be read in ${checkout}`);
  }
}

/** Lines are only added. */
function addedLines(before: string, after: string): string[] {
  const old = before.split("\n");
  let at = 0;
  return after.split("\n").filter((line) => {
    if (line !== old[at]) return true;
    at += 1;
    return false;
  });
}
