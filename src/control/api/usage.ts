/** `GET /_api/usage` and `/_api/metrics`: what flows have used, by period, and the figures for Prometheus. */
import * as z from "zod";
import { parseDuration } from "../../shared/duration.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { usageNowFields, usedFields } from "./flow-schemas.ts";
import { jsonAnswer, momentPattern, noQuery, once, oneOf } from "./schemas.ts";
import type { Services } from "./services.ts";

const groupings = ["flow", "group", "none"] as const;
const sinceExpected =
  "an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z, or a time back from now, such as 15m or 24h";

/** Refuses a number without a unit, which might be a year, seconds or milliseconds, and a duration of 0. */
const sincePattern = new RegExp(`^(?=[^1-9]*[1-9])(?:[0-9]{1,9}(?:[.][0-9]{1,9})?(?:ms|[dhms]))+$|${momentPattern}`);

/** As epoch ms. */
const since = once(sinceExpected)
  .regex(sincePattern, `must be ${sinceExpected}`)
  .transform((text) => {
    const ms = parseDuration(text);
    return ms === undefined ? Date.parse(text) : Date.now() - ms;
  })
  .meta({ type: "string", pattern: sincePattern.source, examples: ["15m", "24h", "2026-01-31T08:00:00Z"] });

const query = z.strictObject({
  groupBy: oneOf(groupings).optional(),
  since: since.optional(),
});

const entrySchema = z
  .object({
    flowId: z.string().optional().describe("With groupBy=flow."),
    deleted: z.literal(true).optional().describe("The flow is not installed any more, or never was."),
    group: z
      .string()
      .optional()
      .describe("With groupBy=group: the ids of its flows up to their first dot; empty: those without one."),
    ...usedFields,
    threadSeconds: z.number().describe("One for each second of each thread."),
    peakHeapBytes: z.number().describe("The most at one time; of several flows their sum, though not of one time."),
    peakExternalBytes: z.number(),
    kills: z.int().describe("Threads that were killed."),
    demotions: z.int().describe("Times that a thread lost its priority."),
    now: z.object(usageNowFields),
  })
  .meta({ id: "UsageEntry" });

const usageSchema = z
  .object({
    groupBy: z.enum(groupings),
    from: z.string().describe("What is really covered: at the earliest the runtime's start, or a week ago."),
    to: z.string(),
    resolution: z.enum(["minute", "hour"]).describe("from is rounded down to it: minutes are kept for an hour."),
    usage: z.array(entrySchema),
  })
  .meta({ id: "Usage" });

export function usageEndpoints({ usage }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/usage",
      action: "runtime.read",
      name: "getUsage",
      summary: "What flows have used since a time, deleted flows too; since the runtime's start when none is given.",
      query,
      answers: { 200: jsonAnswer("One entry per flow or group, sorted by it; or one for all.", usageSchema) },
      handle: ({ query: { groupBy = "flow", since: from } }) => usage({ groupBy, since: from }),
    }),
  ];
}

export function metricEndpoints({ metrics }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/metrics",
      action: "runtime.read",
      name: "getMetrics",
      summary: "Metrics in the Prometheus text format.",
      query: noQuery,
      answers: { 200: { description: "The exposition.", content: { "text/plain": z.string() } } },
      async handle({ reply }) {
        const { contentType, body } = await metrics();
        return reply.type(contentType).send(body);
      },
    }),
  ];
}
