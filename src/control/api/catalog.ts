/** `GET /_api/catalog`, `/_api/flow-schema.json` and `/_api/limits`: what a flow can be made of, and the limits that it runs within. */
import * as z from "zod";
import { limitNames, limitTable, limitVariable } from "../../shared/limits.ts";
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
    formats: z.array(z.object({ ...entryFields, marshal: z.boolean(), unmarshal: z.boolean() })),
    elements: z.array(entrySchema).describe("What stands beside routes in a document."),
    kamelets: z
      .array(z.object({ name: z.string(), docs: z.string(), schema: anyObject }))
      .describe("Those of the runtime; the schema is that of their parameters."),
  })
  .meta({ id: "Catalog" });

export function catalogEndpoints({ describe }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/catalog",
      action: "runtime.read",
      name: "getCatalog",
      summary:
        "Steps, components, languages, data formats, elements and kamelets, with docs, examples and option schemas.",
      query: noQuery,
      answers: { 200: jsonAnswer("The catalogue.", catalogSchema) },
      errors: ["draining"],
      handle: async () => (await describe()).catalog,
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
