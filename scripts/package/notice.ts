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
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
