/** `GET /_api/limits`: the table of limits as it stands. */
import * as z from "zod";
import { limitNames, limitTable, limitVariable } from "../../shared/limits.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { jsonAnswer, noQuery } from "./schemas.ts";
import type { LimitSettings, Services } from "./services.ts";

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
