/** Makes the fields of a form from the schema of a definition in the catalogue. */
import type { OptionSchema, OptionsSchema } from "../../model/catalog-view.ts";
import { titleOf } from "../titles.ts";

export type FieldKind =
  | "text"
  | "template"
  | "number"
  | "boolean"
  | "enum"
  | "expression"
  | "endpoint"
  | "map"
  | "texts"
  | "object"
  | "objects";

/** Where a field stands: what one needs first, what one may need, what has no effect or only one possible value. */
export type Section = "main" | "more" | "fixed";

export interface Field {
  readonly name: string;
  readonly title: string;
  readonly kind: FieldKind;
  readonly docs: string;
  readonly required: boolean;
  readonly section: Section;
  readonly default?: unknown;
  /** Whether an expression is read as true or false. */
  readonly isCondition?: boolean;
  /** The values of an enum, as they are written. */
  readonly values?: readonly string[];
  /** The schema of an object, or of each object in a list. */
  readonly schema?: OptionsSchema;
}

/** How many options stand open when they are not required. */
const openOptions = 8;
const ofEveryStep = new Set(["id", "stepId", "description", "note", "disabled"]);

/** The fields of a definition in the order of its schema, without steps, expression and data format, which have parts of their own. */
export function fieldsOf(schema: OptionsSchema): readonly Field[] {
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {});
  const idIsOption = properties.some(([name]) => name === "stepId");
  let open = 0;
  const fields: Field[] = [];
  for (const [name, property] of properties) {
    const isCommon = ofEveryStep.has(name) && !(name === "id" && idIsOption);
    const isOwn = holdsSteps(property) || name === "parameters" || name === "expression";
    // Without a kind of its own, a reference is a language or a data format.
    if (isCommon || isOwn || (property.$ref !== undefined && property["x-kind"] === undefined)) continue;
    const field = fieldOf(name, property, required.has(name));
    const isMain = field.required || (field.section === "main" && open < openOptions);
    if (isMain && !field.required) open += 1;
    fields.push(isMain || field.section === "fixed" ? field : { ...field, section: "more" });
  }
  return fields.sort((one, other) => Number(other.required) - Number(one.required));
}

/** The options that every step has, by the names that they have in this one. */
export function commonFields({ properties = {} }: OptionsSchema): readonly Field[] {
  const names = ["stepId" in properties ? "stepId" : "id", "description", "note", "disabled"];
  return names.flatMap((name) => {
    const property = properties[name];
    return property === undefined ? [] : [fieldOf(name, property, false)];
  });
}

export function fieldOf(name: string, schema: OptionSchema, required: boolean): Field {
  const docs = schema.description ?? "";
  const named = /^(?:one of|only) (.+)$/.exec(schema["x-kind"] ?? "")?.[1];
  const values = named?.split(", ") ?? schema.enum?.map(String);
  const kind = kindOf(schema, values);
  const nested = kind === "object" ? objectOf(schema) : kind === "objects" ? itemsOf(schema) : undefined;
  const isFixed = /^only /.test(schema["x-kind"] ?? "") || /^(No effect|Only `)/.test(docs);
  return {
    name,
    title: titleOf(name),
    kind,
    docs,
    required,
    section: isFixed && !required ? "fixed" : "main",
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema["x-kind"] === "predicate" && { isCondition: true }),
    ...(values !== undefined && { values }),
    ...(nested !== undefined && { schema: nested }),
  };
}

const kinds: Readonly<Record<string, FieldKind>> = {
  text: "text",
  "simple template": "template",
  "whole number": "number",
  duration: "number",
  "true or false": "boolean",
  expression: "expression",
  predicate: "expression",
  endpoint: "endpoint",
  "endpoint or bean": "endpoint",
  "list of texts": "texts",
};

function kindOf(schema: OptionSchema, values: readonly string[] | undefined): FieldKind {
  const known = kinds[schema["x-kind"] ?? ""];
  if (known !== undefined) return known;
  if (values !== undefined) return "enum";
  const items = itemsOf(schema);
  if (items !== undefined) return items.properties === undefined ? "texts" : "objects";
  if (objectOf(schema) !== undefined) return "object";
  return isMap(schema) ? "map" : "text";
}

function isMap(schema: OptionSchema): boolean {
  return schema["x-kind"] === "map" || "additionalProperties" in schema || (schema.anyOf ?? []).some(isMap);
}

function objectOf(schema: OptionSchema): OptionsSchema | undefined {
  return [schema, ...(schema.anyOf ?? [])].find((one) => one.properties !== undefined);
}

/** The schema of a list's entries. */
function itemsOf(schema: OptionSchema): OptionSchema | undefined {
  return [schema, ...(schema.anyOf ?? [])].find((one) => one.items !== undefined)?.items;
}

/** Whether steps hang below this option: `when`, `otherwise`, `doCatch`, `onFallback`, `steps`. */
function holdsSteps(schema: OptionSchema): boolean {
  if (schema["x-kind"] === "list of steps") return true;
  return "steps" in (schema.properties ?? {}) || "steps" in (itemsOf(schema)?.properties ?? {});
}
