/** Makes docs/reference.md from the catalogue. */
import type { CatalogEntry, ComponentEntry, FormatEntry, FunctionEntry, KameletEntry } from "../src/shared/check.ts";
import { catalog } from "../src/workers/catalog.ts";
import { describe } from "../src/workers/check/describe.ts";
import type { ComponentDefinition } from "../src/workers/engine/component.ts";
import { optionTable } from "./option-table.ts";

export function referencePage(): string {
  const { steps, components, languages, functions, formats, elements, kamelets } = describe(catalog).catalog;
  return [
    "# The flow language",
    "",
    "Generated from the catalogue by `npm run docs`: do not edit.",
    "",
    "A flow is a YAML document in the Camel YAML DSL: a list of `route` or `from`. Options are written in camelCase or",
    "kebab-case. Every step also takes `id`, `description`, `note` and `disabled`. Where a table says *expression* or",
    "*predicate*, one of the languages below stands there: `simple: text`, `simple: {expression: text}`,",
    "`expression: {simple: text}` and `expression: {simple: {expression: text}}` are the same. `{{name}}` and",
    "`{{name:default}}` are filled from the flow's params when it is built. `{{secret:NAME}}`, in the flow or in a parameter, is a secret of",
    "the operator's (operating.md), which may lie in a folder (`{{secret:kafka/password}}`): it can stand in `constant` and, outside of functions, in `simple` texts, and in the address, the query and",
    "the credentials of `http` and `https` endpoints that are called. There its value comes out literally: in an address it is escaped, but for a",
    "host, a whole address (`https:{{secret:URL}}`), and its slashes in a path (`https://chat.example/services/{{secret:PATH}}`). Elsewhere, give it to a variable first: `setVariable: {name: key, expression: {constant: {expression:",
    "'{{secret:NAME}}'}}}`. Without a value the flow does not start; there are no defaults. `{{env:NAME}}` and `{{env:NAME:default}}` are",
    "variables of the environment that the operator allows (`ENV_ALLOW`), and stand where secrets may.",
    "",
    "**In an editor**: `GET /_api/flow-schema.json` answers with the JSON Schema of a flow, for completion and for marking what is wrong",
    'as one types. `bulkhead init` stores it beside the flows of a new project; elsewhere store it there (`curl -H "Authorization: Bearer $SERVICE_DEPLOY_TOKEN" -o flow-schema.json',
    "http://127.0.0.1:8080/_api/flow-schema.json`), and begin a flow with `# yaml-language-server: $schema=./flow-schema.json`, which",
    "editors with the YAML language server read. Expressions, parameters of endpoints, what stands below `rest`, `beans` and templates,",
    "and names in kebab-case are checked by the runtime alone; an option without a value (`id:`) is marked, where the runtime leaves it out.",
    "",
    ...section("Elements of a document", elements, optionTable),
    ...section("Steps", steps, (entry) => [...shortForm(entry), ...optionTable(entry)]),
    ...section("Components", components, (entry) => [...sides(entry), ...optionTable(entry)], [
      "Where a component *runs on one node at a time*, only one runtime may consume with it: two with the same flow would each begin a run",
      "for the same tick, file, row or message. Runtimes do not know of each other yet, so deploy such a flow to one of them.",
    ]),
    ...section("Languages", languages, optionTable),
    ...functionSection(functions),
    ...section("Data formats", formats, (entry) => [...directions(entry), ...optionTable(entry)]),
    ...kameletSection(kamelets),
  ].join("\n");
}

function section<T extends CatalogEntry>(
  title: string,
  entries: readonly T[],
  body: (entry: T) => string[],
  about: readonly string[] = [],
): string[] {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    `## ${title}`,
    "",
    ...about,
    ...(about.length === 0 ? [] : [""]),
    ...sorted.flatMap((entry) => [
      `### ${entry.name}`,
      "",
      entry.docs,
      "",
      ...body(entry),
      "```yaml",
      entry.example,
      "```",
      "",
    ]),
  ];
}

function functionSection(entries: readonly FunctionEntry[]): string[] {
  const sorted = [...entries].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;
  const example = ({ example: text, given, result }: FunctionEntry): string => {
    const message = given === "" ? "" : ` with ${code(given)}`;
    return `${code(text)}${message}${result === "" ? "" : ` gives ${code(result)}`}`;
  };
  return [
    "## Functions of simple",
    "",
    "You write a function between `${` and `}`. If you leave `exp` out, the function reads the body. Arguments are texts, which may contain functions; quotes keep their spaces and commas.",
    "`${header.a} ~> ${trim()}` gives what the left side yields to the right one as its body.",
    "",
    "| function | what it gives | example |",
    "|---|---|---|",
    ...sorted.map((entry) => `| ${code(entry.usage)} | ${entry.docs.replaceAll("|", "\\|")} | ${example(entry)} |`),
    "",
  ];
}

function kameletSection(kamelets: readonly KameletEntry[]): string[] {
  const sorted = [...kamelets].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    "## Kamelets",
    "",
    "Those that every flow can use, as `kamelet: {name: delay-action, parameters: {milliseconds: 100}}` or as the URI `kamelet:name`.",
    "",
    ...sorted.flatMap((entry) => [`### ${entry.name}`, "", entry.docs, "", ...optionTable(entry)]),
  ];
}

function shortForm({ name }: CatalogEntry): string[] {
  const short = catalog.steps.get(name)?.short;
  return short === undefined ? [] : [`Written as \`${name}: text\`, the text is its \`${short}\`.`, ""];
}

function sides({ name, consumer, producer, poller }: ComponentEntry): string[] {
  const places = [...(consumer ? ["`from`"] : []), ...(producer ? ["`to`"] : [])];
  const polled = poller ? " `poll` and `pollEnrich` take messages of it." : "";
  const { path, once } = catalog.components.get(name) ?? {};
  const form = path === undefined ? name : `${name}:${path}`;
  return [`\`${form}\` is allowed in ${places.join(" and ")}.${polled}${nodes(once, producer)}`, ""];
}

function nodes(once: ComponentDefinition["once"], producer: boolean): string {
  if (once === undefined || once === false) return "";
  const when = typeof once === "object" ? ` when ${once.when}` : "";
  return ` ${producer ? "In `from` it" : "It"} runs on one node at a time${when}.`;
}

/** What a data format is for, and its text form. */
function directions({ name, marshal, unmarshal }: FormatEntry): string[] {
  const steps = [...(marshal ? ["`marshal`"] : []), ...(unmarshal ? ["`unmarshal`"] : [])];
  const short = catalog.formats.get(name)?.short;
  const text = short === undefined ? "" : ` Written as \`${name}: text\`, the text is its \`${short}\`.`;
  return [`\`${name}\` is allowed in ${steps.join(" and ")}.${text}`, ""];
}
