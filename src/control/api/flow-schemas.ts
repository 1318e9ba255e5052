/** The documents of `/_api/flows`. */
import * as z from "zod";
import { optionFields, sentOptionFields } from "../../shared/document-options.ts";
import { consumerSchema } from "./consumer-schemas.ts";
import { reportedOptionFields } from "./flow-options.ts";
import { wellFormed } from "./schemas.ts";

const routeStatuses = ["Starting", "Started", "Stopping", "Stopped", "Failed", "Quarantined"] as const;
export const routeStatusSchema = z.enum(routeStatuses);
const flowStateSchema = z.enum([...routeStatuses, "Changed", "Gone"]);

const routeSummarySchema = z
  .object({
    id: z.string(),
    uri: z.string(),
    status: routeStatusSchema,
    webhook: z.string().optional(),
    once: z
      .literal(true)
      .optional()
      .describe(
        "Only one runtime may run it at a time: two would each begin a run for the same tick, file, row or message. Absent: several may.",
      ),
    nextRun: z
      .string()
      .optional()
      .describe(
        "When its timer, scheduler or cron begins the next run, ISO 8601, UTC. Absent: no clock of it runs, or its run is under way and the next one counts from its end.",
      ),
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
  calls: z
    .array(z.string())
    .optional()
    .describe("Names behind `direct:` that its steps call and none of its own routes has: routes of other flows."),
  description: z.string().optional(),
  category: z.string().optional(),
  error: z.string().optional(),
};

/** What a flow has at the moment. */
export const usageNowFields = {
  inflight: z.int().describe("Runs under way."),
  queued: z.int().describe("Runs that wait for a thread, and messages in threads that wait for runs of their own."),
  threads: z.int(),
  heapBytes: z.number().describe("V8's heaps of its threads, as they were last seen."),
  externalBytes: z.number().describe("Their memory outside of the heap: array buffers, WebAssembly, long texts."),
};

/** What a flow has used in a period. */
export const usedFields = {
  cpuMs: z.number().describe("CPU time of its threads, their boot included; without V8's helper threads."),
  runs: z.object({
    completed: z.int(),
    failed: z.int(),
    timeout: z.int(),
    killed: z.int(),
    shed: z.int(),
    cancelled: z.int(),
  }),
  reruns: z.int().describe("Runs that were begun anew, because their thread was lost for another run."),
  bytesIn: z.number().describe("Bodies that runs began with."),
  bytesOut: z.number().describe("Bodies of the answers of its webhooks and paths."),
  outboundCalls: z.int().describe("Calls of endpoints that leave the flow."),
};

const routeUsageSchema = z.object({
  runs: usedFields.runs.describe("Runs that the route began."),
  childFailures: z
    .int()
    .describe("Runs that these have caused (taps, queues, groups, calls of other flows) and that did not complete."),
  retries: z.int().describe("Redeliveries of failed steps by its error handler."),
  deadLetters: z.int().describe("Messages that it has given to its dead letter channel."),
  handledFailures: z.int().describe("Failures that it has handled itself."),
  idempotentHits: z.int().describe("Messages that an idempotentConsumer had seen before."),
  recoveredGroups: z
    .int()
    .describe(
      "Complete groups of its aggregate steps whose steps were begun again after the loss of a thread or of the runtime.",
    ),
  openAggregations: z.int().describe("Groups of its aggregate steps that are not complete, at the moment."),
  heldMessages: z.int().describe("Messages that its resequence steps keep until their turn, at the moment."),
  breakers: z
    .object({ closed: z.int(), open: z.int(), halfOpen: z.int() })
    .describe("Its circuit breakers by their state, at the moment."),
});

const endpointUsageSchema = z.object({
  ok: z.int(),
  failed: z.int(),
  retries: z.int().describe("Calls that were redeliveries."),
});

const flowUsageSchema = z
  .object({
    ...usageNowFields,
    ...usedFields,
    kills: z.record(z.string(), z.int()).describe("Threads that were killed, by reason."),
    restarts: z.int().describe("Of the current deployment: threads that were killed or died."),
    routes: z.record(z.string(), routeUsageSchema).describe("By the route's id."),
    endpoints: z
      .record(z.string(), endpointUsageSchema)
      .describe(
        "Calls by scheme and host of the endpoints that the flow's text names; dynamic: only messages name them; other: beyond the first 20.",
      ),
  })
  .meta({ id: "FlowUsage", description: "Of the moment, and since the runtime's start over all deployments." });

export const flowSummarySchema = z
  .object({ ...summaryFields, usage: flowUsageSchema.optional().describe("With usage=true only.") })
  .meta({ id: "FlowSummary" });

export const flowDetailSchema = z
  .object({
    ...summaryFields,
    yaml: z.string(),
    effects: z
      .record(z.string(), z.enum(["reads", "writes"]))
      .describe(
        "By the step's id: whether the endpoints that it sends to or polls are only asked (`reads`), or may be changed (`writes`), as far as their options say it. Steps that call nothing are left out.",
      ),
    set: z.string().optional().describe("The set whose deployment brought the flow."),
    ...reportedOptionFields,
    usage: flowUsageSchema,
    consumers: z
      .array(consumerSchema)
      .optional()
      .describe("Of GET alone: its routes whose messages come from a source in its thread."),
    watched: z
      .boolean()
      .optional()
      .describe(
        "True: the runtime deploys each file of its routes directory that is saved (ROUTES_WATCH), so the flow's file is a source that people edit. Only GET has it.",
      ),
    quarantinedUntil: z.string().optional().describe("Then it is tried again."),
    lastKill: z
      .object({
        reason: z.string(),
        detail: z.string(),
        at: z.string(),
        limit: z.object({ name: z.string(), allowed: z.number(), used: z.number() }).optional(),
      })
      .optional()
      .describe("Of its threads, since the runtime's start."),
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
    ...optionFields,
    current: z.boolean().describe("It is the flow as it stands. None is while the flow is deleted."),
    yaml: z.string().optional().describe("With yaml=true only."),
  })
  .meta({ id: "Revision" });

/** Loose: unknown fields are answered with warnings. */
export const rollbackSchema = z
  .looseObject(
    { revision: z.int({ error: "must be the number of a revision" }).positive("must be the number of a revision") },
    { error: 'must be a JSON object such as {"revision": 7}' },
  )
  .meta({ id: "Rollback" });

/** Loose: unknown fields are answered with warnings. */
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
        .refine((text) => text.isWellFormed(), "must not have half a surrogate pair")
        .meta({ pattern: wellFormed }),
      ...sentOptionFields,
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
    ...reportedOptionFields,
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
