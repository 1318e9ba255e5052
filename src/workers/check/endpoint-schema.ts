/**
 * Components and kamelets as entries of the catalogue and in the editors' schema, with the words of their parameters.
 */

import type { ComponentEntry, KameletEntry } from "../../shared/check.ts";
import type { KameletDefinition, WordedProperty } from "../kamelets/definition.ts";
import { type JsonSchema, kinds, oneOfWords, refTo } from "./json-schema.ts";

const definition = "endpoint";

/**
 * Selects the parameters by the scheme of `uri`; schemes with the same parameters, as `jms` and `amqp` are, share a form. The schema refuses
 * none: the check reports unknown parameters.
 */
export function endpointDefinition(components: readonly ComponentEntry[]): JsonSchema {
  const schemesByWords = Map.groupBy(components, wordsOf);
  const forms = [...schemesByWords].map(([words, alike]) => {
    const schemes = alike.map(({ name }) => name).join("|");
    return {
      if: { properties: { uri: { type: "string", pattern: `^\\s*(?:${schemes})(?:[:?]|\\s*$)` } }, required: ["uri"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { parameters: { properties: JSON.parse(words) as JsonSchema } } },
    };
  });
  return { [definition]: { description: "An endpoint, with its parameters beside it.", allOf: forms } };
}

/** The words of a component's parameters, as JSON. */
function wordsOf({ schema }: ComponentEntry): string {
  const options = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>);
  return JSON.stringify(Object.fromEntries(options.map(([option, { description }]) => [option, { description }])));
}

/** Adds the words of parameters to the schema of a map that has parameters. */
export function withEndpointWords(schema: JsonSchema): JsonSchema {
  const properties = (schema["properties"] ?? {}) as JsonSchema;
  return "uri" in properties && "parameters" in properties ? { ...schema, allOf: [refTo(definition)] } : schema;
}

/** Returns a kamelet of the runtime as an entry of the catalogue, with its parameters for editors. */
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

/**
 * Selects the parameters of a kamelet's step by its name. The schema refuses none, since a flow may define a kamelet of
 * that name.
 */
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
