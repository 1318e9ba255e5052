/** The options of an entry of the catalogue, flat: one row each. */
import { onlyKind, refusedKeyword } from "../shared/check.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface OptionRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** As JSON; undefined: there is none. */
  readonly default: string | undefined;
  readonly meaning: string;
}

/** An option of Camel that is refused, or taken with one value only. */
export interface RefusedRow {
  readonly name: string;
  readonly why: string;
}

/** What every part of a flow takes. */
const everywhere = new Set(["id", "description", "note", "disabled"]);

/**
 * One row for each option that has an effect; options of maps inside follow theirs as `when[].steps`. `known`: the places of maps by what is
 * in them, which is listed once.
 */
export function optionRows(schema: Schema, prefix = "", known = new Map<string, string>()): OptionRow[] {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  const required = new Set((schema["required"] as string[] | undefined) ?? []);
  return Object.entries(properties).flatMap(([name, option]) => {
    if (String(option["x-kind"]).startsWith(onlyKind)) return [];
    if (everywhere.has(name) || /\/(?:language|format):/.test(String(option["$ref"] ?? ""))) return [];
    const inline = name === "expression" && schema["oneOf"] !== undefined;
    const { inner, below } = insideOf(option);
    const path = `${prefix}${inline ? "<language>" : name}`;
    const content = contentOf(inner);
    const before = content === undefined ? undefined : known.get(content);
    if (content !== undefined && before === undefined) known.set(content, path);
    const words = String(option["description"] ?? "");
    const row: OptionRow = {
      name: path,
      type: typeName(option),
      required: required.has(name) || inline,
      default: option["default"] === undefined ? undefined : JSON.stringify(option["default"]),
      meaning: before === undefined ? words : `${words} What stands in it is that of \`${before}\`.`,
    };
    const nested = content === undefined || before !== undefined ? [] : optionRows(inner, `${path}${below}`, known);
    return [row, ...nested];
  });
}

/** Those of maps inside follow as `redeliveryPolicy.asyncDelayedRedelivery`. */
export function refusedRows(schema: Schema, prefix = ""): RefusedRow[] {
  const refused = Object.entries((schema[refusedKeyword] ?? {}) as Record<string, string>);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  return [
    ...refused.map(([name, why]) => ({ name: `${prefix}${name}`, why })),
    ...properties.flatMap(([name, option]) => {
      const { inner, below } = insideOf(option);
      return refusedRows(inner, `${prefix}${name}${below}`);
    }),
  ];
}

/** The map of an option, or of the items of a list. */
function insideOf(option: Schema): { readonly inner: Schema; readonly below: string } {
  const inner = (option["items"] ?? option) as Schema;
  return { inner, below: inner === option ? "." : "[]." };
}

/** What stands in a map, but for what may stand in each; undefined: nothing. */
function contentOf({ properties = {} }: Schema): string | undefined {
  const own = Object.entries(properties as Record<string, Schema>).filter(([name]) => !everywhere.has(name));
  return own.length === 0 ? undefined : JSON.stringify(own);
}

function typeName(option: Schema): string {
  if (typeof option["x-kind"] === "string") return option["x-kind"];
  if (option["type"] === "array") return `list of ${typeName(option["items"] as Schema)}`;
  return option["type"] === "object" ? "map" : String(option["type"] ?? "any");
}
