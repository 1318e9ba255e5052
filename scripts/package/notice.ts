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
  const title = `${name} ${version} (${license})`;
  return [title, ...(texts.length > 0 ? texts : ["The library has no file with the text of its license."])].join(
    "\n\n",
  );
}
