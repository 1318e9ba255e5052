/** The JSON Schema of a flow for editors. */
import type { CatalogDocument } from "../../shared/check.ts";
import type { Catalog } from "../catalog.ts";
import { documentation, flowSchemaId, type JsonSchema, refTo, scalar } from "./json-schema.ts";

export function flowSchema(
  catalog: Catalog,
  { steps, components, languages, formats, elements }: CatalogDocument,
): JsonSchema {
  const definitions: JsonSchema = {
    steps: { type: "array", items: refTo("step") },
    step: oneKey(steps.map(({ name }) => [name, refTo(`step:${name}`)])),
    expression: oneKey(languages.map(({ name }) => [name, refTo(`language:${name}`)])),
    dataFormat: oneKey(formats.map(({ name }) => [name, refTo(`format:${name}`)])),
  };
  for (const { name, schema, docs } of steps) {
    const short = catalog.steps.get(name)?.short !== undefined;
    const empty = schema["required"] === undefined && schema["oneOf"] === undefined;
    const forms = [schema, ...(short ? [scalar] : []), ...(empty ? [{ type: "null" }] : [])];
    definitions[`step:${name}`] = { description: docs, anyOf: forms };
  }
  for (const { name, schema, docs } of languages) {
    definitions[`language:${name}`] = { description: docs, anyOf: [scalar, schema] };
  }
  for (const { name, schema, docs } of formats) {
    const forms = [...(catalog.formats.get(name)?.short === undefined ? [] : [scalar]), schema, { type: "null" }];
    definitions[`format:${name}`] = { description: docs, anyOf: forms };
  }
  const schemes = components.filter(({ consumer }) => consumer).map(({ name }) => name);
  for (const { name, schema, docs } of elements) {
    const short = catalog.elements.get(name)?.short !== undefined;
    definitions[`element:${name}`] = { description: docs, anyOf: [...(short ? [scalar] : []), schema] };
  }
  Object.assign(definitions, routeDefinitions(schemes));
  definitions["item"] = itemOf(elements.map(({ name }) => name));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: flowSchemaId,
    title: "A flow: routes in the Camel YAML DSL",
    anyOf: [
      { type: "array", minItems: 1, items: refTo("item") },
      refTo("item"),
      refTo("route"),
      {
        ...closed({ routes: { type: "array", items: { anyOf: [refTo("item"), refTo("route")] } } }),
        required: ["routes"],
      },
    ],
    $defs: definitions,
  };
}

function routeDefinitions(schemes: readonly string[]): JsonSchema {
  const { id, description, note } = documentation;
  const from = closed({
    id,
    description,
    note,
    uri: { type: "string", description: `an endpoint of: ${schemes.join(", ")}` },
    parameters: { type: "object", additionalProperties: scalar },
    variableReceive: { type: "string", description: "the message's body goes into this variable" },
    steps: refTo("steps"),
  });
  const route = closed({
    id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$|\\{\\{.+\\}\\}" },
    description,
    note,
    autoStartup: { type: ["boolean", "string"] },
    nodePrefixId: { type: "string" },
    precondition: scalar,
    from: { anyOf: [refTo("from"), { type: "string" }] },
    steps: refTo("steps"),
  });
  return {
    from: { ...from, required: ["uri"] },
    route: { ...route, required: ["from"] },
  };
}

/** Elements that are expanded into routes (check/expand): an editor leaves what is in them to the check. */
const expanded = ["beans", "rest", "restConfiguration", "routeConfiguration", "routeTemplate", "templatedRoute"];

function itemOf(elements: readonly string[]): JsonSchema {
  return {
    ...closed({
      route: refTo("route"),
      from: refTo("from"),
      ...Object.fromEntries(elements.map((name) => [name, refTo(`element:${name}`)])),
      ...Object.fromEntries(expanded.map((name) => [name, true])),
    }),
    minProperties: 1,
  };
}

function closed(properties: JsonSchema): JsonSchema {
  return { type: "object", properties, additionalProperties: false };
}

function oneKey(properties: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  return { ...closed(Object.fromEntries(properties)), minProperties: 1, maxProperties: 1 };
}
