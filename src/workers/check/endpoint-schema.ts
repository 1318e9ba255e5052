/** What editors show of the parameters that stand beside a `uri`: the words of the component's options. */
import type { ComponentEntry } from "../../shared/check.ts";
import { type JsonSchema, refTo } from "./json-schema.ts";

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
