/** Describes the catalogue as a document, and makes the JSON Schema of a flow for editors. */
import type { CatalogDocument, CatalogEntry, Description, FormatEntry, FunctionEntry } from "../../shared/check.ts";
import type { Catalog } from "../catalog.ts";
import { consumes } from "../engine/component.ts";
import { kamelets } from "../kamelets/index.ts";
import { type FunctionDocs, functionDocs, functionName } from "../languages/simple/docs/index.ts";
import { Definitions } from "./context.ts";
import { documentElements } from "./document-elements.ts";
import { kameletEntry } from "./endpoint-schema.ts";
import { flowSchema, formatNames, genericLanguage } from "./flow-schema.ts";
import { documentation, type JsonSchema, optionsSchema, scalar } from "./json-schema.ts";

export function describe(catalog: Catalog): Description {
  const document = describeCatalog(catalog);
  return {
    catalog: { ...document, elements: [...documentElements, ...document.elements] },
    flowSchema: flowSchema(catalog, document),
  };
}

function describeCatalog(catalog: Catalog): CatalogDocument {
  const definitions = new Definitions(catalog);
  const names = { languages: [...catalog.languages.keys(), genericLanguage], formats: formatNames(catalog) };
  const schemaOf = (definition: Parameters<Definitions["schema"]>[0]): JsonSchema =>
    optionsSchema(definitions.schema(definition), names);
  const written = [...catalog.steps.values()].filter(({ internal }) => internal !== true);
  const steps = written.map((step): CatalogEntry => {
    const { name, docs, example } = step;
    return { name, docs, example, schema: withDocumentation(schemaOf(step), step.idIsOption) };
  });
  const components = [...catalog.components.values()].map((component) => {
    const { scheme, docs, example, producer, poller } = component;
    const sides = {
      consumer: consumes(component),
      producer: producer !== undefined,
      poller: poller !== undefined,
    };
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
  const functions = functionDocs.map(functionEntry);
  return { steps, components, languages: entries, functions, formats, elements, kamelets: kamelets.map(kameletEntry) };
}

function functionEntry(one: FunctionDocs): FunctionEntry {
  const { usage, docs, example, given, result } = one;
  const bytes = result instanceof Uint8Array ? [...result] : result;
  return {
    ...{ name: functionName(one), usage, docs, example },
    given: Object.keys(given).length === 0 ? "" : JSON.stringify(given),
    result: result instanceof RegExp ? "" : JSON.stringify(bytes),
  };
}

/** Adds the attributes of every step: id, description, disabled. */
function withDocumentation(schema: JsonSchema, idIsOption = false): JsonSchema {
  const { id, ...others } = documentation;
  const own = idIsOption ? { stepId: id } : { id };
  return { ...schema, properties: { ...(schema["properties"] as JsonSchema), ...own, ...others } };
}

function withId(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema["properties"] as JsonSchema), id: documentation["id"] } };
}

/** Adds an expression's attributes to the options of its language. */
function languageSchema(schema: JsonSchema, text = "expression"): JsonSchema {
  const attributes = {
    [text]: { ...scalar, description: "The text in this language, as the example shows it.", "x-kind": "text" },
    resultType: {
      type: "string",
      description:
        "The type that the result is converted to, such as String, Integer or java.util.List; by default none.",
      "x-kind": "text",
    },
    trim: {
      type: ["boolean", "string"],
      default: true,
      description: "Takes white space off both ends of the text before it is read.",
      "x-kind": "true or false",
    },
    id: { type: "string", description: "Names the expression, for people and designers.", "x-kind": "text" },
  };
  const required = [text, ...((schema["required"] as string[] | undefined) ?? [])];
  return { ...schema, properties: { ...attributes, ...(schema["properties"] as JsonSchema) }, required };
}
