/** Writes the tables of fields and kinds into docs/connections.md. */
import { readFileSync } from "node:fs";
import { fieldWords } from "../src/control/connections/connection-document.ts";
import { connectionKinds } from "../src/shared/connections/kinds.ts";
import { generated } from "./generated.ts";
import { kindText } from "./kind-text.ts";

const page = "docs/connections.md";
const begin = "<!-- connections: written by `npm run docs` -->\n";
const end = "<!-- end of connections -->\n";

const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
const from = text.indexOf(begin);
const to = text.indexOf(end);
if (from < 0 || to < from) throw new Error(`${page} has lost the marks around its tables`);
generated(page, text.slice(0, from + begin.length) + tables() + text.slice(to));

function tables(): string {
  const fields = Object.entries(fieldWords).map(([name, words]) => `| \`${name}\` | ${words} |\n`);
  return `| field | |\n|---|---|\n${fields.join("")}\n${connectionKinds.map(kindText).join("")}`;
}
