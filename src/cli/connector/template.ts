/** The template: a whole connector, which is compiled and linted where it stands, and becomes another one by its names. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { templateFolder } from "./checkout.ts";
import { sortedImports } from "./imports.ts";
import type { Names } from "./names.ts";

/** What the template has in place of names. */
const marks = /post-box|postBox|PostBox|Post box|7000/g;

export interface TemplateFile {
  /** Where it will stand, from the checkout's folder on. */
  readonly path: string;
  readonly text: string;
  /** The constant that has the connector's name is in it, beside other words. */
  readonly hasConstant: boolean;
  /** As it stands in the template. */
  readonly template: string;
}

/** Returns the files of a new connector, by their paths. */
export function filesOf(checkout: string, names: Names): TemplateFile[] {
  const folder = join(checkout, templateFolder);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => {
      const template = readFileSync(join(folder, path), "utf8");
      const isCode = path.endsWith(".ts");
      const text = renamed(isCode ? movedImports(template, path) : template, names);
      const hasConstant = /\bpostBox\b/.test(template);
      return { path: renamed(path, names), text: isCode ? sortedImports(text) : text, hasConstant, template };
    });
}

function renamed(text: string, { id, camel, pascal, title, port }: Names): string {
  const by: Readonly<Record<string, string>> = {
    "post-box": id,
    postBox: camel,
    PostBox: pascal,
    "Post box": title,
    "7000": String(port),
  };
  return text.replaceAll(marks, (mark) => by[mark] ?? mark);
}

/** Imports of the checkout's own files lead from the template's folder out of it, and from the new place straight there. */
function movedImports(text: string, path: string): string {
  const from = posix.dirname(posix.join(templateFolder, path));
  return text.replaceAll(
    /((?:from|import\() ?")(\.\.?\/[^"]+)(")/g,
    (all, begin: string, target: string, end: string) => {
      const file = posix.join(from, target);
      if (file.startsWith(`${templateFolder}/`)) return all;
      const moved = posix.relative(posix.dirname(path), file);
      return begin + (moved.startsWith(".") ? moved : `./${moved}`) + end;
    },
  );
}
