/**
 * Prints option schemas as JSON Schema (2020-12). It describes what may be written in YAML, in camelCase or kebab-case,
 * not the converted values.
 */

import { z } from "zod";
import { onlyKind, refusedKeyword } from "../../shared/check.ts";
import { isClause, isRequired, type Schema, type Slot, shapeOf, slotOf, unwrap } from "./check-slots.ts";

/** Keys in kebab-case accept any value: editors propose camelCase, and the check reads both. */
const kebabNames: JsonSchema = { "^[a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$": true };

/** Accepts kebab-case in maps without other names, and for required names. */
export function withKebabCase(schema: JsonSchema): JsonSchema {
  // Editors have no use for the reasons of refusals, which are in the catalogue.
  const { required, [refusedKeyword]: _, ...others } = schema;
  const made = Object.fromEntries(Object.entries(others).map(([keyword, value]) => [keyword, below(keyword, value)]));
  if (made["additionalProperties"] === false) made["patternProperties"] = kebabNames;
  const names = (required ?? []) as readonly string[];
  const plain = names.filter((name) => kebabCase(name) === name);
  if (plain.length > 0) made["required"] = plain;
  const either = names
    .filter((name) => kebabCase(name) !== name)
    .map((name) => ({ anyOf: [{ required: [name] }, { required: [kebabCase(name)] }] }));
  if (either.length > 0) made["allOf"] = [...((made["allOf"] ?? []) as readonly JsonSchema[]), ...either];
  return made;
}

/** Converts the value of a keyword; enters only schemas, never names, examples or defaults. */
function below(keyword: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  switch (keyword) {
    case "properties":
    case "$defs":
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withKebabCase(schema)]));
    case "anyOf":
    case "oneOf":
    case "allOf":
      return (value as readonly JsonSchema[]).map(withKebabCase);
    case "items":
    case "additionalProperties":
    case "not":
    case "if":
    case "then":
    case "else":
      return withKebabCase(value as JsonSchema);
    default:
      return value;
  }
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export type JsonSchema = Record<string, unknown>;

/** The identifier of the whole flow's schema. Entries of the catalogue refer to its definitions. */
export const flowSchemaId = "urn:bulkhead:flow";

export function refTo(definition: string): JsonSchema {
  return { $ref: `${flowSchemaId}#/$defs/${definition}` };
}

/** Any scalar, since YAML's type does not matter. */
export const scalar: JsonSchema = { type: ["string", "number", "boolean"] };
/** A text with a placeholder, which may yield another type when the flow is built. */
const placeholder: JsonSchema = { type: "string", pattern: "\\{\\{.+\\}\\}" };

/** The values that YAML may read a text as: a number or a boolean if it looks like one. */
export function spellingsOf(text: string): readonly (string | number | boolean)[] {
  if (/^-?\d+$/.test(text)) return [text, Number(text)];
  return text === "true" || text === "false" ? [text, text === "true"] : [text];
}

/** One of the words, in any case. The exact spelling comes first, so that editors propose it. */
export function oneOfWords(words: readonly string[]): JsonSchema {
  const anyCase = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(/[a-z]/gi, bothCases));
  return {
    anyOf: [
      { enum: words.flatMap(spellingsOf) },
      { type: "string", pattern: `^(?:${anyCase.join("|")})$` },
      placeholder,
    ],
    "x-kind": `one of ${words.join(", ")}`,
  };
}

function bothCases(letter: string): string {
  return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
}

/** Descriptions of slots for people, in the keyword `x-kind` of an option. */
export const kinds: Readonly<Record<Exclude<Slot["kind"], "refused">, JsonSchema>> = {
  text: { ...scalar, "x-kind": "text" },
  template: { ...scalar, "x-kind": "simple template" },
  flag: { anyOf: [{ type: "boolean" }, { enum: ["true", "false"] }, placeholder], "x-kind": "true or false" },
  integer: {
    anyOf: [{ type: "integer" }, { type: "string", pattern: "^[+-]?\\d+$" }, placeholder],
    "x-kind": "whole number",
  },
  duration: {
    anyOf: [{ type: "integer" }, { type: "string" }],
    examples: [1500, "5s", "1m30s"],
    "x-kind": "duration",
  },
  oneOf: { "x-kind": "one of" },
  expression: { ...refTo("expression"), "x-kind": "expression" },
  predicate: { ...refTo("expression"), "x-kind": "predicate" },
  steps: { ...refTo("steps"), "x-kind": "list of steps" },
  endpoint: { ...scalar, "x-kind": "endpoint" },
  polled: { ...scalar, "x-kind": "endpoint" },
  dataFormat: { ...refTo("dataFormat"), "x-kind": "data format" },
  uri: { type: "string", "x-kind": "endpoint" },
  processor: { type: "string", "x-kind": "endpoint or bean" },
};

/** Attributes of every part of a route. */
export const documentation = {
  id: {
    ...scalar,
    description: "Names this part in traces, logs and mocks; generated when it is left out.",
    "x-kind": "text",
  },
  description: { ...scalar, description: "Says what this part is for, to people.", "x-kind": "text" },
  note: { ...scalar, description: "A remark for people and designers.", "x-kind": "text" },
  disabled: { ...kinds.flag, description: "With `true` this part is as if it were not written." },
} satisfies JsonSchema;

/** Keys that may stand beside a `uri`. */
export const parametersSchema: JsonSchema = {
  type: ["object", "null"],
  additionalProperties: scalar,
  description: "Options of the endpoint by their names, in place of a query in the `uri`.",
  "x-kind": "map",
};

/** Keys that may stand inline: languages in a map with an expression, data formats in a map with a format. */
export interface InlineNames {
  readonly languages: readonly string[];
  /** Maps each name of a data format to the format. */
  readonly formats: ReadonlyMap<string, string>;
}

/** Returns the schema of a definition's options. */
export function optionsSchema(schema: z.ZodObject, names: InlineNames): JsonSchema {
  const printed = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const slot = slotOf(zodSchema);
      if (slot !== undefined) Object.assign(jsonSchema, slotSchema(slot));
      else if (zodSchema instanceof z.ZodObject) rewriteMap(zodSchema, jsonSchema as JsonSchema, names);
      else takeWords(jsonSchema as JsonSchema);
    },
  });
  const { $schema: _, "~standard": __, ...rest } = printed as JsonSchema;
  return rest;
}

/** Moves the words of a list's items, a map's values or several forms to the option. */
function takeWords(printed: JsonSchema): void {
  const forms = printed["anyOf"] as readonly JsonSchema[] | undefined;
  const inner = (printed["items"] ?? printed["additionalProperties"] ?? forms?.[0]) as JsonSchema | undefined;
  const words = printed["description"] ?? inner?.["description"];
  if (words !== undefined) printed["description"] = words;
}

function slotSchema(slot: Slot): JsonSchema {
  if (slot.kind === "refused")
    return slot.unless === undefined ? {} : { enum: spellingsOf(slot.unless), "x-kind": onlyKind + slot.unless };
  return slot.kind === "oneOf" ? oneOfWords(slot.values) : kinds[slot.kind];
}

/** Removes refused options, and adds the keys that are written for an expression, an endpoint or a data format. */
function rewriteMap(schema: z.ZodObject, printed: JsonSchema, { languages, formats }: InlineNames): void {
  const shape = shapeOf(schema);
  const properties = { ...(printed["properties"] as JsonSchema) };
  const required = new Set((printed["required"] as string[] | undefined) ?? []);
  const refused: Record<string, string> = {};
  for (const [key, property] of shape.properties) {
    const slot = slotOf(unwrap(property));
    if (slot?.kind === "refused") refused[key] = slot.reason;
    if (isRefused(property)) delete properties[key];
  }
  if (Object.keys(refused).length > 0) printed[refusedKeyword] = refused;
  const wordsOf = (key: string): JsonSchema => {
    const description = (properties[key] as JsonSchema | undefined)?.["description"];
    return description === undefined ? {} : { description };
  };
  if (shape.endpoint !== undefined) {
    const words = wordsOf(shape.endpoint);
    const optional = !isRequired(shape.properties.get(shape.endpoint) as Schema);
    delete properties[shape.endpoint];
    required.delete(shape.endpoint);
    properties["uri"] = { type: "string", ...words, "x-kind": "endpoint" };
    properties["parameters"] = parametersSchema;
    if (!optional) required.add("uri");
  }
  if (shape.inline !== undefined) {
    const { kind, optional } = shape.inline;
    const words = wordsOf(shape.inline.key);
    delete properties[shape.inline.key];
    required.delete(shape.inline.key);
    for (const language of languages) properties[language] ??= refTo(`language:${language}`);
    properties["expression"] = { ...refTo("language"), ...words, "x-kind": kind };
    const forms = [...languages, "expression"].map((key) => ({ required: [key] }));
    printed["oneOf"] = optional ? [...forms, { not: { anyOf: forms } }] : forms;
  }
  if (shape.format !== undefined) {
    delete properties[shape.format];
    required.delete(shape.format);
    for (const [name, format] of formats) properties[name] = refTo(`format:${format}`);
    printed["oneOf"] = [...formats.keys()].map((key) => ({ required: [key] }));
  }
  if (isClause(schema)) {
    for (const [key, value] of Object.entries(documentation)) properties[key] ??= value;
  }
  printed["properties"] = properties;
  if (required.size > 0) printed["required"] = [...required];
  else delete printed["required"];
  printed["additionalProperties"] = false;
}

function isRefused(schema: Schema): boolean {
  const slot = slotOf(unwrap(schema));
  return slot?.kind === "refused" && slot.unless === undefined;
}
