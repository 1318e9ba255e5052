/** Components and kamelets in the catalogue's entries and in the editors' schema: the words of their parameters. */

import type { ComponentEntry, KameletEntry } from "../../shared/check.ts";
import type { KameletDefinition, WordedProperty } from "../kamelets/definition.ts";
import { type JsonSchema, kinds, oneOfWords, refTo } from "./json-schema.ts";

const definition = "endpoint";

/** By what the `uri` begins with. Nothing is refused: what a component takes, the check says. */
export function endpointDefinition(components: readonly ComponentEntry[]): JsonSchema {
  const forms = components.map(({ name, schema }) => {
    const options = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>);
    const words = options.map(([option, { description }]) => [option, { description }] as const);
    return {
      if: { properties: { uri: { type: "string", pattern: `^\\s*${name}(?:[:?]|\\s*$)` } }, required: ["uri"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { parameters: { properties: Object.fromEntries(words) } } },
    };
  });
  return { [definition]: { description: "An endpoint, with its parameters beside it.", allOf: forms } };
}

/** The schema of a map, which knows the words of parameters if it is one that has these. */
export function withEndpointWords(schema: JsonSchema): JsonSchema {
  const properties = (schema["properties"] ?? {}) as JsonSchema;
  return "uri" in properties && "parameters" in properties ? { ...schema, allOf: [refTo(definition)] } : schema;
}

/** Kamelets of the runtime as entries of the catalogue, and their parameters for editors. */
export function kameletEntry({ name, docs, properties }: KameletDefinition): KameletEntry {
  const taken = Object.entries(properties).filter(([, { only }]) => only?.length !== 0);
  const required = taken.filter(([, property]) => property.required === true).map(([key]) => key);
  return {
    name,
    docs,
    schema: {
      type: "object",
      properties: Object.fromEntries(taken.map(([key, property]) => [key, parameterSchema(property)])),
      ...(required.length > 0 && { required }),
    },
  };
}

function parameterSchema({ type, only, words, default: standard, ...property }: WordedProperty): JsonSchema {
  const choice = only ?? property.enum;
  const kind = type === "string" ? "text" : type === "boolean" ? "flag" : "integer";
  return {
    ...(choice === undefined ? kinds[kind] : oneOfWords(choice)),
    ...(standard !== undefined && { default: standard }),
    description: words,
  };
}

/** What the parameters of a kamelet's step are, by its name. Nothing is refused: a flow may have its own kamelet of that name. */
export function kameletForms(kamelets: readonly KameletEntry[]): readonly JsonSchema[] {
  return kamelets.map(({ name, schema }) => {
    const parameters = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>);
    const words = parameters.map(([key, { description }]) => [key, { description }] as const);
    return {
      if: { properties: { name: { const: name } }, required: ["name"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { parameters: { properties: Object.fromEntries(words) } } },
    };
  });
}
