/**
 * Writes docs/reference.md from the catalogue, docs/protocol.md from the frames, and the types of src/client from the OpenAPI document;
 * with `--check` it only reports whether they are up to date.
 */
import type { CatalogEntry, ComponentEntry, FormatEntry, KameletEntry } from "../src/shared/check.ts";
import { catalog } from "../src/workers/catalog.ts";
import { describe } from "../src/workers/check/describe.ts";
import { onlyKind } from "../src/workers/check/json-schema.ts";
import { clientTypes } from "./client-types.ts";
import { generated } from "./generated.ts";
import { protocolPage } from "./protocol-page.ts";

type Schema = Readonly<Record<string, unknown>>;

const hidden = new Set(["id", "description", "note", "disabled"]);

function page(): string {
  const { steps, components, languages, formats, elements, kamelets } = describe(catalog).catalog;
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
    "host or a whole address (`https:{{secret:URL}}`). Elsewhere, give it to a variable first: `setVariable: {name: key, constant:",
    "'{{secret:NAME}}'}`. Without a value the flow does not start; there are no defaults. `{{env:NAME}}` and `{{env:NAME:default}}` are",
    "variables of the environment that the operator allows (`ENV_ALLOW`), and stand where secrets may.",
    "",
    "**In an editor**: `GET /_api/flow-schema.json` answers with the JSON Schema of a flow, for completion and for marking what is wrong",
    'as one types. Store it beside the flows (`curl -H "Authorization: Bearer $SERVICE_DEPLOY_TOKEN" -o flow-schema.json',
    "http://127.0.0.1:8080/_api/flow-schema.json`), and begin a flow with `# yaml-language-server: $schema=./flow-schema.json`, which",
    "editors with the YAML language server read. Expressions, parameters of endpoints, what stands below `rest`, `beans` and templates,",
    "and names in kebab-case are checked by the runtime alone; an option without a value (`id:`) is marked, where the runtime leaves it out.",
    "",
    ...section("Elements of a document", elements, optionTable),
    ...section("Steps", steps, (entry) => [...shortForm(entry), ...optionTable(entry)]),
    ...section("Components", components, (entry) => [...sides(entry), ...optionTable(entry)]),
    ...section("Languages", languages, optionTable),
    ...section("Data formats", formats, (entry) => [...directions(entry), ...optionTable(entry)]),
    ...kameletSection(kamelets),
  ].join("\n");
}

function section<T extends CatalogEntry>(title: string, entries: readonly T[], body: (entry: T) => string[]): string[] {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    `## ${title}`,
    "",
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
  const path = catalog.components.get(name)?.path;
  const form = path === undefined ? name : `${name}:${path}`;
  return [`\`${form}\` stands in ${places.join(" and ")}.${polled}`, ""];
}

/** What a data format is for, and its text form. */
function directions({ name, marshal, unmarshal }: FormatEntry): string[] {
  const steps = [...(marshal ? ["`marshal`"] : []), ...(unmarshal ? ["`unmarshal`"] : [])];
  const short = catalog.formats.get(name)?.short;
  const text = short === undefined ? "" : ` Written as \`${name}: text\`, the text is its \`${short}\`.`;
  return [`\`${name}\` stands in ${steps.join(" and ")}.${text}`, ""];
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: string;
  readonly default: string;
  readonly meaning: string;
}

function optionTable({ schema }: Pick<CatalogEntry, "schema">): string[] {
  const rows = optionRows(schema, "");
  if (rows.length === 0) return [];
  const told = rows.some(({ meaning }) => meaning !== "");
  const columns = ["name", "type", "required", "default", ...(told ? ["meaning"] : [])] as const;
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const head = [
    line(columns.map((column) => (column === "name" ? "option" : column))),
    `|${"---|".repeat(columns.length)}`,
  ];
  return [...head, ...rows.map((row) => line(columns.map((column) => row[column as keyof Row]))), ""];
}

/**
 * One row for each option; options of maps inside follow theirs as `when[].steps`. `told`: the places of maps by what is in them, which
 * is printed once.
 */
function optionRows(schema: Schema, prefix: string, told = new Map<string, string>()): Row[] {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const required = new Set((schema["required"] as string[] | undefined) ?? []);
  return Object.entries(properties).flatMap(([name, option]) => {
    // What is taken with one value only is in docs/camel-compatibility.md, with the reason.
    if (String(option["x-kind"]).startsWith(onlyKind)) return [];
    if (hidden.has(name) || /\/(?:language|format):/.test(String(option["$ref"] ?? ""))) return [];
    const inline = name === "expression" && schema["oneOf"] !== undefined;
    const inner = (option["items"] ?? option) as Schema;
    const path = `${prefix}${inline ? "<language>" : name}`;
    const below = inner === option ? `${path}.` : `${path}[].`;
    const content = contentOf(inner);
    const before = content === undefined ? undefined : told.get(content);
    if (content !== undefined && before === undefined) told.set(content, path);
    const words = String(option["description"] ?? "");
    const row: Row = {
      name: `\`${path}\``,
      type: typeName(option),
      required: required.has(name) || inline ? "yes" : "",
      default: option["default"] === undefined ? "" : `\`${JSON.stringify(option["default"])}\``,
      meaning: before === undefined ? words : `${words} What stands in it is that of \`${before}\`.`,
    };
    return [row, ...(content === undefined || before !== undefined ? [] : optionRows(inner, below, told))];
  });
}

/** What stands in a map, but for what may stand in each; undefined: nothing. */
function contentOf({ properties = {} }: Schema): string | undefined {
  const own = Object.entries(properties as Record<string, Schema>).filter(([name]) => !hidden.has(name));
  return own.length === 0 ? undefined : JSON.stringify(own);
}

function typeName(option: Schema): string {
  if (typeof option["x-kind"] === "string") return option["x-kind"];
  if (option["type"] === "array") return `list of ${typeName(option["items"] as Schema)}`;
  return option["type"] === "object" ? "map" : String(option["type"] ?? "any");
}

generated("docs/reference.md", page());
generated("docs/protocol.md", protocolPage());
generated("src/client/openapi.ts", await clientTypes());
