/**
 * The JSON Schema of a flow for editors. It accepts every text that the check accepts, except for options without a
 * value. Only the check reads texts of expressions, parameters of endpoints, and elements that are expanded to routes
 * (rest, templates, beans).
 */
import type { CatalogDocument } from "../../shared/check.ts";
import type { Catalog } from "../catalog.ts";
import { legacyFormats, routeWideNames } from "./camel-names.ts";
import { documentKeys, expandedElements } from "./document.ts";
import { documentElements, fromParts, routeParts } from "./document-elements.ts";
import { endpointDefinition, kameletForms, withEndpointWords } from "./endpoint-schema.ts";
import type { Parts } from "./expand/parts.ts";
import {
  documentation,
  flowSchemaId,
  type JsonSchema,
  parametersSchema,
  refTo,
  scalar,
  spellingsOf,
  withKebabCase,
} from "./json-schema.ts";
import { idleRouteAttributes } from "./route-attributes.ts";
import { stepAliases } from "./steps.ts";

type Properties = readonly (readonly [name: string, schema: JsonSchema])[];

/** The language of `language: {language: simple, expression: text}`. */
export const genericLanguage = "language";

/** Maps each name of a data format to the format. */
export function formatNames({ formats }: Catalog): ReadonlyMap<string, string> {
  const legacy = [...legacyFormats].filter(([, name]) => formats.has(name));
  return new Map([...[...formats.keys()].map((name) => [name, name] as const), ...legacy]);
}

export function flowSchema(catalog: Catalog, document: CatalogDocument): JsonSchema {
  return withKebabCase({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: flowSchemaId,
    title: "A flow: routes in the Camel YAML DSL",
    ...choice({ type: "array" }, { minItems: 1, items: refTo("entry") }, refTo("document")),
    $defs: {
      ...documentDefinitions(document),
      ...routeDefinitions(document),
      ...stepDefinitions(catalog, document),
      ...expressionDefinitions(catalog, document),
      ...formatDefinitions(catalog, document),
      ...endpointDefinition(document.components),
    },
  });
}

function documentDefinitions({ elements }: CatalogDocument): JsonSchema {
  const item = [
    ["route", refTo("route")],
    ["from", refTo("from")],
    ...elements.map(({ name }) => [name, refTo(`element:${name}`)] as const),
    ...expandedElements.map((name) => [name, refTo(`element:${name}`)] as const),
  ] as const;
  const nothing = { ...scalar, description: "Something for people: nothing reads it." };
  const forPeople = [...documentKeys].map((key) => [key, nothing] as const);
  const entries: JsonSchema = { type: "array", items: refTo("entry") };
  return {
    document: choice({ required: ["routes"] }, refTo("routes"), refTo("entry")),
    routes: closed([["routes", { ...entries, description: "The routes, and what stands beside them." }], ...forPeople]),
    entry: choice(
      { required: ["kind"], not: { required: ["from"] } },
      refTo("resource"),
      choice({ required: ["from"], minProperties: 2 }, { anyOf: [refTo("route"), refTo("item")] }, refTo("item")),
    ),
    item: { ...closed(item), minProperties: 1 },
    resource: {
      ...closed([
        ["apiVersion", { ...scalar, description: "The version of Camel's resources; nothing reads it." }],
        ["kind", { enum: ["Integration", "Pipe", "KameletBinding", "Kamelet"], description: "What the resource is." }],
        ["metadata", { type: "object", description: "The `name` of the resource; nothing reads the rest." }],
        [
          "spec",
          { type: "object", description: "What the resource holds: `flows`, a source and a sink, or a template." },
        ],
        ["status", { type: "object", description: "What a cluster says of the resource; nothing reads it." }],
      ]),
      required: ["kind", "spec"],
      if: { properties: { kind: { const: "Integration" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { properties: { spec: { properties: { flows: entries }, required: ["flows"] } } },
    },
  };
}

function routeDefinitions({ components, elements }: CatalogDocument): JsonSchema {
  const schemes = components.filter(({ consumer }) => consumer).map(({ name }) => name);
  const from = closed(
    withWords(fromParts, [
      ["id", scalar],
      ["description", scalar],
      ["note", scalar],
      ["uri", { type: "string", examples: schemes }],
      ["parameters", parametersSchema],
      ["variableReceive", { type: "string" }],
      ["steps", refTo("route-steps")],
    ]),
  );
  const idle = [...idleRouteAttributes()].map(
    ([name, { values }]) => [name, values === undefined ? scalar : { enum: values.flatMap(spellingsOf) }] as const,
  );
  const errorHandler = elements.filter(({ name }) => name === "errorHandler");
  const route = closed(
    withWords(routeParts, [
      ["id", { ...scalar, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$|\\{\\{.+\\}\\}" }],
      ["description", scalar],
      ["note", scalar],
      ["autoStartup", { type: ["boolean", "string"] }],
      ["group", scalar],
      ["nodePrefixId", scalar],
      ["precondition", scalar],
      ["routeConfigurationId", { type: "string" }],
      ...errorHandler.map(({ name }) => [name, refTo(`element:${name}`)] as const),
      ...idle,
      ["from", { anyOf: [refTo("from"), { type: "string" }] }],
      ["steps", refTo("route-steps")],
    ]),
  );
  const expanded = documentElements.filter(({ name }) => name !== "route");
  return {
    from: {
      ...withEndpointWords(from),
      required: ["uri"],
      description: "Where messages come from, with the steps: a route without more.",
    },
    route: {
      ...route,
      required: ["from"],
      description: "A way of messages: where they come from, and what is done with each.",
    },
    ...Object.fromEntries(
      expanded.map(({ name, docs, schema }) => [
        `element:${name}`,
        { description: docs, ...(name === "beans" ? { items: schema } : schema) },
      ]),
    ),
  };
}

function stepDefinitions(catalog: Catalog, { steps, elements, kamelets }: CatalogDocument): JsonSchema {
  const definitions: JsonSchema = {};
  for (const { name, schema, docs } of steps) {
    const short = catalog.steps.get(name)?.short !== undefined;
    const empty = schema["required"] === undefined && schema["oneOf"] === undefined;
    const forms = [withEndpointWords(schema), ...(short ? [scalar] : []), ...(empty ? [{ type: "null" }] : [])];
    definitions[`step:${name}`] = { description: docs, anyOf: forms };
  }
  for (const { name, schema, docs } of elements) {
    const short = catalog.elements.get(name)?.short !== undefined;
    definitions[`element:${name}`] = { description: docs, anyOf: [...(short ? [scalar] : []), schema] };
  }
  const aliases = [...stepAliases].filter(([, name]) => catalog.steps.has(name));
  const kamelet = closed([
    [
      "name",
      {
        ...scalar,
        description: "The kamelet's name: one of the runtime's, or a Kamelet or a route template of the flow's own.",
      },
    ],
    ["parameters", { ...parametersSchema, description: "What the kamelet takes, by name." }],
    [
      "steps",
      { ...refTo("steps"), description: "Steps that the kamelet runs where it has `kamelet:sink`, or at its end." },
    ],
    ...Object.entries(documentation),
  ]);
  return {
    steps: { type: ["array", "null"], items: refTo("step") },
    "route-steps": { type: ["array", "null"], items: routeStep(elements) },
    step: oneKey([
      ...steps.map(({ name }) => [name, refTo(`step:${name}`)] as const),
      ...aliases.map(([alias, name]) => [alias, refTo(`step:${name}`)] as const),
      ["kamelet", refTo("step:kamelet")],
    ]),
    "step:kamelet": {
      description: "Calls a kamelet, or a route template as one.",
      anyOf: [scalar, { ...kamelet, required: ["name"], allOf: kameletForms(kamelets) }],
    },
    ...definitions,
  };
}

/** Among a route's own steps stands what is for the whole route, too. */
function routeStep(elements: CatalogDocument["elements"]): JsonSchema {
  return elements
    .filter(({ name }) => routeWideNames.has(name))
    .reduce<JsonSchema>(
      (other, { name }) => choice({ required: [name] }, oneKey([[name, refTo(`element:${name}`)]]), other),
      refTo("step"),
    );
}

function expressionDefinitions(catalog: Catalog, { languages }: CatalogDocument): JsonSchema {
  const names = languages.map(({ name }) => name);
  const byName = [...names, genericLanguage].map((name) => [name, refTo(`language:${name}`)] as const);
  const definitions: JsonSchema = {};
  for (const { name, schema, docs } of languages) {
    const text = catalog.languages.get(name)?.text;
    const forms = [scalar, schema, ...(text === undefined ? [] : [renamed(schema, text, "expression")])];
    definitions[`language:${name}`] = { description: docs, anyOf: forms };
  }
  return {
    /** The language is the only key below `expression`. */
    language: oneKey(byName),
    expression: {
      ...closed([
        ...byName,
        ["expression", { ...refTo("language"), description: "A language and its text, for those who write it below." }],
        ...Object.entries(documentation),
      ]),
      oneOf: [...names, genericLanguage, "expression"].map((name) => ({ required: [name] })),
    },
    [`language:${genericLanguage}`]: {
      description: "Any language, by its name.",
      type: "object",
      properties: {
        language: { enum: names, description: "Which language it is, by name." },
        expression: { ...scalar, description: "The text in this language." },
      },
      required: ["language", "expression"],
    },
    ...definitions,
  };
}

function formatDefinitions(catalog: Catalog, { formats }: CatalogDocument): JsonSchema {
  const definitions: JsonSchema = {
    dataFormat: oneKey([...formatNames(catalog)].map(([name, format]) => [name, refTo(`format:${format}`)])),
  };
  for (const { name, schema, docs } of formats) {
    const forms = [...(catalog.formats.get(name)?.short === undefined ? [] : [scalar]), schema, { type: "null" }];
    definitions[`format:${name}`] = { description: docs, anyOf: forms };
  }
  return definitions;
}

/** Adds the words of each part to the property of its name. */
function withWords(parts: Parts, properties: Properties): Properties {
  return properties.map(([name, schema]) => [name, { ...schema, description: parts[name]?.words }] as const);
}

function closed(properties: Properties): JsonSchema {
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

function oneKey(properties: Properties): JsonSchema {
  return { ...closed(properties), minProperties: 1, maxProperties: 1 };
}

/**
 * With a condition, editors report the faults of the intended form; with `anyOf` they would report those of all forms.
 */
function choice(condition: JsonSchema, then: JsonSchema, otherwise: JsonSchema): JsonSchema {
  return { if: condition, then, else: otherwise };
}

/** Returns the schema of a map with a property renamed. */
function renamed(schema: JsonSchema, from: string, to: string): JsonSchema {
  const { [from]: property, ...others } = schema["properties"] as JsonSchema;
  const required = (schema["required"] as readonly string[]).map((name) => (name === from ? to : name));
  return { ...schema, properties: { [to]: property, ...others }, required };
}
