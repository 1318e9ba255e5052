/** The events of the streams, for the OpenAPI document: nothing is checked against these schemas when it is sent. */
import * as z from "zod";
import type { TraceEvent } from "../../shared/trace-event.ts";
import type { NumberedLogEvent } from "../streams/log-hub.ts";
import { streamWords } from "../streams/stream-filter.ts";
import { errorSchema, previewSchema } from "./run-schemas.ts";

const text = z.string().optional();
const number = z.number().optional();

const traceFields = {
  type: z.enum(streamWords.type),
  ts: z.string().describe("ISO 8601, UTC, milliseconds."),
  flowId: z.string(),
  routeId: text,
  runId: text,
  traceId: text,
  spanId: text,
  parentRunId: text.describe("The run that caused this one."),
  testSessionId: text.describe("Of a run in several test sessions the first one's."),
  stepId: text,
  stepType: text,
  line: number,
  durationMs: number,
  worker: number.describe("The number of the thread."),
  status: text.describe("Of a run, on its events."),
  outcome: text,
  error: errorSchema.optional(),
  limit: z
    .object({ name: z.string(), allowed: z.number(), used: z.number() })
    .optional()
    .describe("The limit that ended the run, in the limit's unit."),
  lostWith: text.describe("The run that its thread was killed for."),
  collateral: z.array(z.string()).optional().describe("Runs that were lost with the thread."),
  collateralCount: number,
  branch: number.describe("The branch that a choice took: the index of its when, -1 for otherwise."),
  in: previewSchema.optional().describe("The message before the step, as the reader's body= wants it."),
  out: previewSchema.optional().describe("The message after the step."),
  mock: number.describe("The index of the mock that answered or observed the step."),
  action: z.enum(["respond", "throw", "spy"]).optional().describe("What the mock did."),
  attempt: number.describe("On retry.scheduled: the number of the retry, from 1."),
  delayMs: number.describe("On retry.scheduled: the wait before it."),
  by: text.describe("On failure.handled: what handled it, and its line."),
  hash: text.describe("On deployment events."),
  revision: number,
  message: text,
} satisfies Record<keyof TraceEvent, z.ZodType>;

export const traceEventSchema = z.object(traceFields).meta({ id: "TraceEvent" });

const logFields = {
  ts: z.string().describe("ISO 8601, UTC, milliseconds."),
  seq: z.int().describe("Its number, as in its id."),
  level: z.enum(["TRACE", "DEBUG", "INFO", "WARN", "ERROR"]),
  message: z.string(),
  logger: z.string().describe("The route, or the name that a step gives; runtime for the runtime's own lines."),
  flowId: text,
  routeId: text,
  stepId: text,
  runId: text,
  traceId: text,
  parentRunId: text.describe("On lines about failures: the run that caused this one."),
  testSessionId: text,
  marker: text.describe("What a log step or endpoint marks its lines with."),
} satisfies Record<keyof NumberedLogEvent, z.ZodType>;

export const logEventSchema = z.object(logFields).meta({ id: "LogEvent" });

/** Events that a reader does not get; docs/operating.md (Event streams) describes the reasons. */
export const droppedSchema = z
  .object({
    from: z.int(),
    to: z.int(),
    count: z.int(),
    reason: z.enum(["resume_gap", "slow_consumer", "producer_overrun", "thread_ended"]),
    flowId: text.describe("The flow whose thread has lost them."),
  })
  .meta({ id: "DroppedEvents" });
