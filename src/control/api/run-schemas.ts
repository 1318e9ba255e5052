/** The documents of `/_api/runs`. */
import * as z from "zod";
import { mappingKinds } from "../../shared/mapping.ts";
import { announceCauses } from "../../shared/protocol.ts";

export const runStatusSchema = z.enum(["running", "completed", "failed", "timeout", "killed", "shed", "cancelled"]);

const previewSchema = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  bodyType: z.string(),
});

const errorSchema = z.object({
  type: z.string(),
  message: z.string(),
  stepId: z.string().nullable(),
  line: z.int().nullable(),
});

const summaryFields = {
  id: z.string(),
  flowId: z.string(),
  routeId: z.string(),
  hash: z.string(),
  revision: z.int(),
  trigger: z.object({
    kind: z.enum(["webhook", "http", "timer", "direct", "test", ...announceCauses]),
    uri: z.string(),
    method: z.string().optional(),
    path: z.string().optional(),
    principal: z.string().optional(),
  }),
  status: runStatusSchema,
  outcome: z
    .enum([
      "ok",
      "error",
      "timeout",
      "cpu_limit",
      "memory_limit",
      "collateral",
      "queue_full",
      "client_gone",
      "redeploy",
      "cancelled",
    ])
    .nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  durationMs: z.number(),
  queueMs: z.number(),
  cpuMs: z.number(),
  httpStatus: z.int().nullable(),
  bytesIn: z.int(),
  bytesOut: z.int(),
  steps: z.object({ executed: z.int(), failedStepId: z.string().nullable() }),
  error: errorSchema.nullable(),
  traceId: z.string(),
  parentRunId: z.string().nullable(),
  testSessionId: z.string().nullable(),
  worker: z.int().nullable(),
};

export const runSummarySchema = z.object(summaryFields).meta({ id: "Run" });

export const runDetailSchema = z
  .object({
    ...summaryFields,
    mappings: z
      .array(z.object({ kind: z.enum(mappingKinds), id: z.string(), revision: z.int(), hash: z.string() }))
      .describe("The versions of the mappings that it saw, from its beginning to its end."),
    stepRuns: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        start: z.string(),
        duration: z.number(),
        status: z.enum(["completed", "failed"]),
        mocked: z.boolean(),
        in: previewSchema.optional(),
      }),
    ),
  })
  .meta({ id: "RunDetail" });
