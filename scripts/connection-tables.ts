/** Writes the tables of fields and kinds into docs/connections.md. */
import { readFileSync } from "node:fs";
import { fieldWords } from "../src/control/connections/connection-document.ts";
import { expectedOption } from "../src/shared/connections/kind.ts";
import { connectionKinds } from "../src/shared/connections/kinds.ts";
import { generated } from "./generated.ts";

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

function kindText({
  name,
  title,
  docs,
  port,
  required,
  maxConnections,
  options,
  example,
}: (typeof connectionKinds)[number]): string {
  const needs = required.length === 0 ? "" : ` It needs ${required.map((field) => `\`${field}\``).join(" and ")}.`;
  const usual = port === undefined ? "" : ` The usual port is ${port}.`;
  const rows = Object.entries(options).map(([option, field]) => {
    const value = field.default === undefined ? "" : `\`${field.default}\``;
    return `| \`${option}\` | ${expectedOption(field)} | ${value} | ${field.words} |\n`;
  });
  const table = rows.length === 0 ? "" : `| option | | default | |\n|---|---|---|---|\n${rows.join("")}\n`;
  return `### \`${name}\`: ${title}\n\n${docs}${needs}${usual} At most ${maxConnections} connections unless the document says otherwise.\n\n\`\`\`json\n${example}\n\`\`\`\n\n${table}`;
}
