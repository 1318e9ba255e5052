/** `GET /_api/usage`: what flows have used, by period. */
import * as z from "zod";
import { parseDuration } from "../../shared/duration.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { usageNowFields, usedFields } from "./flow-schemas.ts";
import { jsonAnswer, once } from "./schemas.ts";
import type { Services } from "./services.ts";

const groupings = ["flow", "group", "none"] as const;
const sinceExpected =
  "an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z, or a time back from now, such as 15m or 24h";

/** As epoch ms. */
const since = once(sinceExpected)
  .transform((text, context) => {
    const at = momentOf(text);
    if (at === undefined) context.addIssue({ code: "custom", message: `must be ${sinceExpected}` });
    return at;
  })
  .meta({ type: "string", examples: ["15m", "24h", "2026-01-31T08:00:00Z"] });

function momentOf(text: string): number | undefined {
  // A number alone has no unit: a year, seconds, milliseconds?
  if (/^\d*$/.test(text)) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms > 0 ? Date.now() - ms : undefined;
  const iso = z.iso.datetime({ offset: true }).safeParse(text);
  return iso.success ? Date.parse(iso.data) : undefined;
}

const query = z.strictObject({
  groupBy: once(`one of ${groupings.join(", ")}`)
    .pipe(z.enum(groupings, { error: `must be one of ${groupings.join(", ")}` }))
    .optional(),
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
