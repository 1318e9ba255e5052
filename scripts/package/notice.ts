/** NOTICE: the license texts of all libraries whose code is in the package. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Library } from "./libraries.ts";

const line = "-".repeat(80);

export function noticeOf(name: string, libraries: readonly Library[]): string {
  const head = `${name} contains code of the libraries below, each under its own license.`;
  return `${[head, ...libraries.map(sectionOf)].join(`\n\n${line}\n\n`)}\n`;
}

function sectionOf({ name, version, license, folder }: Library): string {
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[-.]|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0 && license === "MIT") texts.push(mitLicenseOf(folder));
  if (texts.length === 0) throw new Error(`${name} has no file with the text of its license, ${license}`);
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
}

/** For a library whose package names the license and leaves its text out. The author is the one of its package.json. */
function mitLicenseOf(folder: string): string {
  const { name, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly author?: string | { readonly name: string };
  };
  const holder = typeof author === "object" ? author.name : (author?.split(/ [<(]/)[0] ?? `the authors of ${name}`);
  return readFileSync(join(import.meta.dirname, "mit-license.txt"), "utf8")
    .trim()
    .replace("<holder>", () => holder);
}
