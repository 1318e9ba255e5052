/** The documents of `/_api/runs`. */
import * as z from "zod";
import { mappingKinds } from "../../shared/mapping.ts";

export const runStatusSchema = z.enum(["running", "completed", "failed", "timeout", "killed", "shed", "cancelled"]);

export const shownAttachments = z
  .array(z.object({ name: z.string(), fileName: z.string().exactOptional(), contentType: z.string(), bytes: z.int() }))
  .exactOptional()
  .describe("The message's attachments, without their bytes; absent: it has none.");

export const previewSchema = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  bodyType: z.string(),
  attachments: shownAttachments,
});

const remoteAnswerSchema = z
  .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
  .describe("Of a failed call: what the server answered, redacted, at most 4 KiB of its body. Not with record: off.");

export const errorSchema = z.object({
  type: z.string(),
  message: z.string(),
  stepId: z.string().nullable(),
  line: z.int().nullable(),
  detail: remoteAnswerSchema.exactOptional(),
});

const summaryFields = {
  id: z.string(),
  flowId: z.string(),
  routeId: z.string(),
  hash: z.string(),
  revision: z.int(),
  trigger: z.object({
    kind: z
      .string()
      .describe(
        "webhook, http, timer, direct or test; manual: it was begun now by the management API; of a run that began in its flow's thread wireTap, aggregate, resequence or onCompletion, or the scheme of the endpoint that received its message, such as seda or file.",
      ),
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
  cpuMs: z.number().describe("While it runs: so far."),
  httpStatus: z.int().nullable(),
  bytesIn: z.int(),
  bytesOut: z.int(),
  steps: z.object({
    executed: z.int().describe("While it runs: so far."),
    failed: z.int().describe("Those whose failure was handled included."),
    failedStepId: z.string().nullable(),
  }),
  handled: z
    .array(
      z.object({
        stepId: z.string().nullable(),
        type: z.string(),
        message: z.string(),
        by: z.string(),
        detail: remoteAnswerSchema.optional(),
      }),
    )
    .describe("The first ten failures that the flow handled itself, and the construct and line that did it."),
  children: z
    .object({ started: z.int(), failed: z.int(), running: z.int() })
    .describe("The runs that it has caused: taps, messages for queues, groups, calls of other flows."),
  split: z
    .object({ done: z.int(), of: z.int().nullable() })
    .nullable()
    .describe(
      "While it runs: of the outermost split that is under way, the parts that have ended, and how many there are; null: not known yet.",
    ),
  error: errorSchema.nullable(),
  traceId: z.string(),
  parentRunId: z.string().nullable(),
  testSessionId: z.string().nullable(),
  worker: z.int().nullable(),
  limit: z
    .object({ name: z.string(), allowed: z.number(), used: z.number() })
    .nullable()
    .describe("The limit that it was ended for, in the limit's unit."),
  lostWith: z.string().nullable().describe("The run that its thread was killed for, when it was not the one."),
  collateral: z
    .array(z.string())
    .describe("The runs that were lost because its thread was killed for it, at most a hundred of them."),
  collateralCount: z.int().describe("How many they were."),
  reruns: z.int().describe("1: it was begun anew in another thread, since its first one was lost for another run."),
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
        mocked: z.boolean().describe("A mock of a test session answered in its place, or looked on."),
        in: previewSchema.optional().describe("Of runs that are recorded, and of the step that a run failed in."),
        out: previewSchema.optional(),
        error: z.object({ type: z.string(), message: z.string() }).optional(),
        omitted: z.literal(true).optional().describe("Its messages are not there: those of the run were too many."),
        sameBody: z
          .literal(true)
          .optional()
          .describe(
            "The step has not changed the body, although `in` and `out` show different parts of it, since they are cut.",
          ),
      }),
    ),
  })
  .meta({ id: "RunDetail" });

const headers = z.record(z.string(), z.unknown());

export const fixtureSchema = z
  .object({
    flowId: z.string(),
    name: z.string(),
    scope: z.literal("session"),
    mocks: z.array(z.looseObject({ stepId: z.string().optional(), uri: z.string().optional() })),
    replaceFrom: z
      .record(z.string(), z.string())
      .optional()
      .describe("Of a route that no direct: endpoint begins: the one that stands for its own."),
    invoke: z.object({
      endpoint: z.string(),
      body: z.unknown().optional(),
      bodyBase64: z.string().optional(),
      headers,
    }),
    assertions: z.array(headers),
    notes: z.array(z.string()).describe("What of the run is not in here, or may be another with each run."),
    recordedFrom: z.object({ runId: z.string(), hash: z.string() }),
  })
  .meta({ id: "Fixture" });
