/** `GET /_api/catalog`, `/_api/flow-schema.json` and `/_api/limits`: what a flow can be made of, and the limits that it runs within. */
import * as z from "zod";
import { type ConnectionKind, expectedOption } from "../../shared/connections/kind.ts";
import { connectionKinds } from "../../shared/connections/kinds.ts";
import { limitNames, limitTable, limitVariable } from "../../shared/limits.ts";
import { fieldWords } from "../connections/connection-document.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { anyObject, jsonAnswer, noQuery } from "./schemas.ts";
import type { LimitSettings, Services } from "./services.ts";

const entryFields = { name: z.string(), docs: z.string(), example: z.string(), schema: anyObject };
const entrySchema = z.object(entryFields).meta({ id: "CatalogEntry" });

const catalogSchema = z
  .object({
    steps: z.array(entrySchema),
    components: z.array(
      z.object({ ...entryFields, consumer: z.boolean(), producer: z.boolean(), poller: z.boolean() }),
    ),
    languages: z.array(entrySchema),
    functions: z
      .array(
        z.object({
          name: z.string(),
          usage: z.string().describe("As it is written between `${` and `}`: `pad(exp,width,separator)`."),
          docs: z.string(),
          example: z.string(),
          given: z.string().describe("The message of the example, as JSON; empty: any."),
          result: z.string().describe("What the example gives, as JSON; empty: it differs each time."),
        }),
      )
      .describe("The functions of simple, with the functions that read the message first."),
    formats: z.array(z.object({ ...entryFields, marshal: z.boolean(), unmarshal: z.boolean() })),
    elements: z.array(entrySchema).describe("What stands beside routes in a document."),
    connections: z
      .array(
        z.object({
          name: z.string(),
          title: z.string(),
          docs: z.string(),
          port: z.int().nullable().describe("The usual port; null: the kind has no servers."),
          fields: z
            .array(z.string())
            .describe(
              "Those of the fields database, username, passwordRef, privateKeyRef, passphraseRef and tls that it has.",
            ),
          required: z.array(z.string()),
          maxConnections: z.int().describe("Of documents without it."),
          options: z.array(
            z.object({
              name: z.string(),
              words: z.string(),
              type: z.enum(["text", "flag", "whole"]),
              expected: z.string().describe("The values that it takes."),
              values: z.array(z.string()).nullable().describe("null: any that are expected."),
              default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
            }),
          ),
          example: anyObject,
        }),
      )
      .describe("Kinds of named connections."),
    connectionFields: z
      .array(z.object({ name: z.string(), words: z.string() }))
      .describe("What a connection's document may have."),
    kamelets: z
      .array(z.object({ name: z.string(), docs: z.string(), schema: anyObject }))
      .describe("Those of the runtime; the schema is that of their parameters."),
  })
  .meta({ id: "Catalog" });

const connectionFields = Object.entries(fieldWords).map(([name, words]) => ({ name, words }));

export function catalogEndpoints({ describe }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/catalog",
      action: "runtime.read",
      name: "getCatalog",
      summary:
        "Steps, components, languages, data formats, elements, kamelets and kinds of connections, with docs, examples and option schemas.",
      query: noQuery,
      answers: { 200: jsonAnswer("The catalogue.", catalogSchema) },
      errors: ["draining"],
      handle: async () => ({
        ...(await describe()).catalog,
        connections: connectionKinds.map(kindOf),
        connectionFields,
      }),
    }),
    endpoint({
      method: "GET",
      path: "/_api/flow-schema.json",
      action: "runtime.read",
      name: "getFlowSchema",
      summary: "The JSON Schema of a flow document.",
      query: noQuery,
      answers: { 200: jsonAnswer("JSON Schema 2020-12.", anyObject) },
      errors: ["draining"],
      handle: async () => (await describe()).flowSchema,
    }),
  ];
}

function kindOf({ name, title, docs, fields, required, maxConnections, port, options, example }: ConnectionKind) {
  return {
    ...{ name, title, docs, fields: [...fields], required: [...required], maxConnections },
    port: port ?? null,
    options: Object.entries(options).map(([name, field]) => ({
      // `expected` says which text.
      ...{ name, words: field.words, type: field.type === "server" ? ("text" as const) : field.type },
      expected: expectedOption(field),
      values: field.type === "text" && field.values !== undefined ? [...field.values] : null,
      default: field.default ?? null,
    })),
    example: JSON.parse(example) as Record<string, unknown>,
  };
}

const limitSchema = z
  .object({
    name: z.string(),
    value: z.number(),
    default: z.number(),
    unit: z.enum(["bytes", "ms", "count"]),
    ceiling: z.number().nullable().describe("What a flow may raise it to; null: flows may not set it."),
    variable: z.string().describe("The environment variable that sets it."),
    docs: z.string(),
  })
  .meta({ id: "Limit" });

export function limitEndpoints({ limits }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/limits",
      action: "runtime.read",
      name: "listLimits",
      summary: "Every limit of the runtime, sorted by name.",
      query: noQuery,
      answers: { 200: jsonAnswer("One entry per limit.", z.array(limitSchema)) },
      handle: () => table(limits),
    }),
  ];
}

function table({ values, ceilings }: LimitSettings) {
  return [...limitNames].sort().map((name) => ({
    name,
    value: values[name],
    default: limitTable[name].default,
    unit: limitTable[name].unit,
    ceiling: ceilings[name] ?? null,
    variable: limitVariable(name),
    docs: limitTable[name].docs,
  }));
}
