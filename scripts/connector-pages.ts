/**
 * Writes the parts of docs/connectors that follow from the code: the options of a component, and the fields and options of a
 * kind of connections. A page has marks around them: `<!-- options of sql: written by ... -->` and `<!-- kind postgres: ... -->`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { connectionKind } from "../src/shared/connections/kinds.ts";
import { catalog } from "../src/workers/catalog.ts";
import { Definitions } from "../src/workers/check/context.ts";
import { describe } from "../src/workers/check/describe.ts";
import { generated } from "./generated.ts";
import { kindText } from "./kind-text.ts";
import { optionTable } from "./option-table.ts";
import { refusals } from "./refused-options.ts";

const folder = "docs/connectors";
const block = /(<!-- (options of|kind) ([\w-]+): written by `npm run docs` -->\n).*?(<!-- end of \2 \3 -->\n)/gs;
const { components } = describe(catalog).catalog;
const definitions = new Definitions(catalog);

for (const name of readdirSync(new URL(`../${folder}`, import.meta.url)).sort()) {
  const page = `${folder}/${name}`;
  const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
  const filled = text.replaceAll(block, (_, begin: string, what: string, of: string, end: string) =>
    [begin, what === "kind" ? kindOf(of) : optionsOf(of), end].join(""),
  );
  generated(page, filled);
}

function kindOf(name: string): string {
  const kind = connectionKind(name);
  if (kind === undefined) throw new Error(`there is no kind '${name}' of connections`);
  return kindText(kind);
}

function optionsOf(scheme: string): string {
  const entry = components.find(({ name }) => name === scheme);
  const definition = catalog.components.get(scheme);
  if (entry === undefined || definition === undefined) throw new Error(`there is no component '${scheme}'`);
  const { consumer = [], producer = [] } = definition.ends ?? {};
  const both = optionTable(entry, (name) => !consumer.includes(name) && !producer.includes(name));
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["", both],
    ["In `to` alone:", optionTable(entry, (name) => producer.includes(name))],
    ["In `from` alone:", optionTable(entry, (name) => consumer.includes(name))],
  ];
  const tables = parts.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [...(title === "" ? [] : [title, ""]), ...lines],
  );
  const refused = refusals(definitions.schema(definition), "").map(({ option, why }) => `| \`${option}\` | ${why} |`);
  const table = ["Refused:", "", "| option of Camel | why, and what to write |", "|---|---|", ...refused, ""];
  return [...tables, ...(refused.length === 0 ? [] : table)].join("\n");
}
