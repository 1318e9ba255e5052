/** The catalogue as a document, and the JSON Schema of a flow for editors. */
import type { CatalogDocument, CatalogEntry, Description, FormatEntry } from "../../shared/check.ts";
import type { Catalog } from "../catalog.ts";
import { Definitions } from "./context.ts";
import { documentation, flowSchemaId, type JsonSchema, optionsSchema, refTo, scalar } from "./json-schema.ts";

export function describe(catalog: Catalog): Description {
  const document = describeCatalog(catalog);
  return { catalog: document, flowSchema: flowSchema(catalog, document) };
}

function describeCatalog(catalog: Catalog): CatalogDocument {
  const definitions = new Definitions(catalog);
  const names = { languages: [...catalog.languages.keys()], formats: [...catalog.formats.keys()] };
  const schemaOf = (definition: Parameters<Definitions["schema"]>[0]): JsonSchema =>
    optionsSchema(definitions.schema(definition), names);
  const written = [...catalog.steps.values()].filter(({ internal }) => internal !== true);
  const steps = written.map((step): CatalogEntry => {
    const { name, docs, example } = step;
    return { name, docs, example, schema: withDocumentation(schemaOf(step), step.idIsOption) };
  });
  const components = [...catalog.components.values()].map((component) => {
    const { scheme, docs, example, consumer, producer } = component;
    const sides = { consumer: consumer !== undefined, producer: producer !== undefined };
    return { name: scheme, docs, example, ...sides, schema: schemaOf(component) };
  });
  const entries = [...catalog.languages.values()].map((language): CatalogEntry => {
    const { name, docs, example } = language;
    return { name, docs, example, schema: languageSchema(schemaOf(language), language.text) };
  });
  const formats = [...catalog.formats.values()].map((format): FormatEntry => {
    const { name, docs, example, marshal, unmarshal } = format;
    const sides = { marshal: marshal !== undefined, unmarshal: unmarshal !== undefined };
    return { name, docs, example, ...sides, schema: withId(schemaOf(format)) };
  });
  const elements = [...catalog.elements.values()].map((element): CatalogEntry => {
    const { name, docs, example } = element;
    return { name, docs, example, schema: withDocumentation(schemaOf(element)) };
  });
  return { steps, components, languages: entries, formats, elements };
}

/** Every step has an id and may be described and disabled. */
function withDocumentation(schema: JsonSchema, idIsOption = false): JsonSchema {
  const { id, ...others } = documentation;
  const own = idIsOption ? { stepId: id } : { id };
  return { ...schema, properties: { ...(schema["properties"] as JsonSchema), ...own, ...others } };
}

function withId(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema["properties"] as JsonSchema), id: documentation["id"] } };
}

/** An expression's attributes beside the options of its language. */
function languageSchema(schema: JsonSchema, text = "expression"): JsonSchema {
  const attributes = {
    [text]: { ...scalar, "x-kind": "text" },
    resultType: { type: "string", description: "a type to convert the result to", "x-kind": "text" },
    trim: {
      type: ["boolean", "string"],
      default: true,
      description: "cuts white space around the text",
      "x-kind": "true or false",
    },
    id: { type: "string", "x-kind": "text" },
  };
  const required = [text, ...((schema["required"] as string[] | undefined) ?? [])];
  return { ...schema, properties: { ...attributes, ...(schema["properties"] as JsonSchema) }, required };
}

function flowSchema(
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
