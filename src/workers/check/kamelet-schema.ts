/** Kamelets of the runtime as entries of the catalogue, and their parameters for editors. */
import type { KameletEntry } from "../../shared/check.ts";
import type { KameletDefinition, WordedProperty } from "../kamelets/definition.ts";
import { type JsonSchema, kinds, oneOfWords } from "./json-schema.ts";

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
