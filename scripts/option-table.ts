/** Tables of options with their words, as the reference and the pages of connectors have them. */
import type { CatalogEntry } from "../src/shared/check.ts";
import { onlyKind } from "../src/workers/check/json-schema.ts";

type Schema = Readonly<Record<string, unknown>>;

const hidden = new Set(["id", "description", "note", "disabled"]);

interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: string;
  readonly default: string;
  readonly meaning: string;
}

/** A table of the options of an entry of the catalogue, without lines for one that has none. `takes`: which options it has. */
export function optionTable(
  { schema }: Pick<CatalogEntry, "schema">,
  takes: (name: string) => boolean = () => true,
): string[] {
  const rows = optionRows(schema, "").filter(({ name }) => takes(name.slice(1, -1)));
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
