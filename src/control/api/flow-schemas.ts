/** The documents of `/_api/flows`. */
import * as z from "zod";
import type { Params } from "../../shared/check.ts";

const routeStatuses = ["Starting", "Started", "Stopping", "Stopped", "Failed", "Quarantined"] as const;
export const routeStatusSchema = z.enum(routeStatuses);
const flowStateSchema = z.enum([...routeStatuses, "Changed"]);

const routeSummarySchema = z
  .object({
    id: z.string(),
    uri: z.string(),
    status: routeStatusSchema,
    webhook: z.string().optional(),
  })
  .meta({ id: "Route" });

const summaryFields = {
  id: z.string(),
  lastModified: z.string(),
  hash: z.string(),
  routeCount: z.int(),
  state: flowStateSchema,
  revision: z.int().nullable(),
  deployedHash: z.string().nullable(),
  routes: z.array(routeSummarySchema),
  error: z.string().optional(),
};

export const flowSummarySchema = z.object(summaryFields).meta({ id: "FlowSummary" });

const scalarTypes = new Set(["string", "number", "boolean"]);

/** Not a zod record: that drops the name `__proto__` without a word. */
const paramsSchema = z
  .custom<Params>((input) => paramsProblem(input) === undefined, {
    error: ({ input }) => paramsProblem(input) ?? "",
  })
  .meta({
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
    description: "Values for {{name}} placeholders.",
  });

function paramsProblem(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "must be an object";
  if (Object.hasOwn(input, "__proto__")) return "must not have the name '__proto__'";
  for (const [name, value] of Object.entries(input)) {
    if (value !== null && !scalarTypes.has(typeof value)) {
      return `must be flat: '${name.slice(0, 100)}' must be a string, a number, a boolean or null`;
    }
  }
  return undefined;
}

const limitsSchema = z.record(z.string(), z.union([z.number(), z.string()]), {
  error: "must be an object of names of the limits table and their values",
});

export const flowDetailSchema = z
  .object({
    ...summaryFields,
    yaml: z.string(),
    params: paramsSchema,
    limits: limitsSchema,
    usage: z.object({ cpuMs: z.number(), heapBytes: z.number(), inflight: z.int(), queued: z.int() }),
  })
  .meta({ id: "FlowDetail" });

export const revisionSchema = z
  .object({
    revision: z.int(),
    hash: z.string(),
    savedAt: z.string(),
    state: z
      .enum(["started", "stopped"])
      .describe("Of the current revision, what is wanted now; of the others, what was wanted when they were kept."),
    params: paramsSchema,
    limits: limitsSchema,
    current: z.boolean().describe("It is the flow as it stands. None is while the flow is deleted."),
    yaml: z.string().optional().describe("With yaml=true only."),
  })
  .meta({ id: "Revision" });

/** Loose: fields that mean nothing are answered with warnings. */
export const rollbackSchema = z
  .looseObject(
    { revision: z.int({ error: "must be the number of a revision" }).positive("must be the number of a revision") },
    { error: 'must be a JSON object such as {"revision": 7}' },
  )
  .meta({ id: "Rollback" });

/** Loose: fields that mean nothing are answered with warnings. */
export const flowDocumentSchema = z
  .looseObject(
    {
      yaml: z
        .string({
          error: ({ input }) =>
            input === undefined
              ? "is missing: send the flow's YAML as a string"
              : "must be the flow's YAML as a string",
        })
        .refine((text) => text.isWellFormed(), "must not have half a surrogate pair"),
      params: paramsSchema.nullish(),
      limits: limitsSchema.nullish(),
    },
    { error: 'must be a JSON object such as {"yaml": "..."}' },
  )
  .meta({ id: "FlowDocument" });

const placeFields = {
  code: z.string(),
  message: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
};

const planSchema = z
  .object({ start: z.array(z.string()), stop: z.array(z.string()), unchanged: z.array(z.string()) })
  .meta({ id: "Plan" });

export const putAnswerSchema = z
  .object({
    id: z.string(),
    hash: z.string(),
    lastModified: z.string(),
    routeCount: z.int(),
    revision: z.int(),
    created: z.boolean(),
    changed: z.boolean(),
    restarted: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    plan: planSchema.optional(),
    routes: z.array(routeSummarySchema),
    warnings: z.array(z.object(placeFields)),
    swap: z.object({
      readyMs: z.number(),
      draining: z.int(),
      drained: z.int().optional(),
      killed: z.int().optional(),
    }),
  })
  .meta({ id: "PutAnswer" });

export const validateAnswerSchema = z
  .object({
    valid: z.boolean(),
    routeCount: z.int(),
    diagnostics: z.array(
      z.object({
        severity: z.enum(["error", "warning"]),
        ...placeFields,
        endLine: z.int().nullable(),
        endColumn: z.int().nullable(),
        pointer: z.string(),
        routeId: z.string().nullable(),
        stepId: z.string().nullable(),
      }),
    ),
    plan: planSchema,
  })
  .meta({ id: "ValidateAnswer" });

export const deleteAnswerSchema = z
  .object({
    id: z.string(),
    deleted: z.literal(true),
    draining: z.int(),
    drained: z.int().optional(),
    killed: z.int().optional(),
  })
  .meta({ id: "DeleteAnswer" });
