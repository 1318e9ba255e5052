/** The documents of `/_api/test`. */
import * as z from "zod";
import { idPattern } from "../../shared/ids.ts";
import type { InvokeAnswer, OpenedSession, SessionReport, SessionSummary } from "../runs/test-sessions/test-service.ts";
import { runDetailSchema, shownAttachments } from "./run-schemas.ts";
import {
  base64Pattern,
  leastTtlMs,
  mostAssertions,
  mostName,
  mostNote,
  mostNotes,
  mostSessionName,
  mostTimeoutMs,
  mostUri,
} from "./session-reading/reading.ts";

const anything = z.unknown();
const values = z.record(z.string(), anything);
const sessionId = z.string();
const scope = z.enum(["deployment", "session"]);

/** session-reading/ validates it, so that all problems are reported at once with their places; the schema only describes it for authors. */
function sentDocument(id: string, description: string, schema: object) {
  return z.custom<unknown>(() => true).meta({ id, type: "object", description, ...schema });
}

const text = { type: "string" };
const upTo = (maxLength: number) => ({ ...text, minLength: 1, maxLength });
const json = { description: "Any JSON value." };
const byName = { type: "object", additionalProperties: true };
const exclude = (...pairs: readonly (readonly string[])[]) => pairs.map((required) => ({ not: { required } }));

const invokeProperties = {
  endpoint: { ...upTo(mostUri), description: "direct:name, of the flow or of replaceFrom; also as uri." },
  uri: upTo(mostUri),
  routeId: { ...upTo(mostName), description: "In place of an endpoint." },
  body: json,
  bodyBase64: { ...text, pattern: base64Pattern, description: "In place of a body: bytes." },
  headers: byName,
  timeoutMs: { type: "integer", minimum: 1, maximum: mostTimeoutMs },
};
const oneOfEach = exclude(["endpoint", "uri"], ["endpoint", "routeId"], ["uri", "routeId"], ["body", "bodyBase64"]);
const assertionList = {
  type: "array",
  maxItems: mostAssertions,
  items: { type: "object" },
  description: 'Such as {"mockCalled": {"stepId": "to-crm", "times": 2, "with": {"body": {"$contains": {"id": 17}}}}}.',
};

export const sessionDocumentSchema = sentDocument(
  "TestSessionRequest",
  "Mocks of steps and of endpoints, and what is to be true of their calls at the end. Fields that are not known are left out with a warning, or refused with strict=true.",
  {
    additionalProperties: true,
    properties: {
      flowId: { ...text, pattern: idPattern, description: "Absent: the flow that has the steps which the mocks name." },
      name: upTo(mostSessionName),
      ttlMs: { type: "integer", minimum: leastTtlMs, description: "At most testSessionMostMs." },
      scope: { enum: scope.options, default: "deployment" },
      mocks: {
        type: ["array", "object"],
        description:
          'A list of {"stepId" or "uri", one of "respond", "throw", "spy", "sequence", and "times", "after", "when"}; or an object: by step id one such, or a list.',
      },
      assertions: assertionList,
      replaceFrom: {
        type: "object",
        additionalProperties: text,
        description: "By route id the direct: endpoint by which test/invoke begins it.",
      },
      invoke: {
        type: "object",
        properties: invokeProperties,
        additionalProperties: true,
        allOf: oneOfEach,
        anyOf: [{ required: ["endpoint"] }, { required: ["uri"] }, { required: ["routeId"] }],
        description: "What test/invoke begins when it names nothing.",
      },
      recordedFrom: {
        type: "object",
        properties: { runId: upTo(mostName), hash: upTo(mostName) },
        required: ["runId", "hash"],
      },
      notes: {
        type: ["array", "string"],
        maxItems: mostNotes,
        maxLength: mostNote,
        items: { ...text, maxLength: mostNote },
        description: "The report shows them.",
      },
    },
  },
);

export const invokeDocumentSchema = sentDocument(
  "TestInvokeRequest",
  "What is sent, and where to; without an endpoint or a route what the session's own invoke says.",
  {
    additionalProperties: false,
    properties: { sessionId: upTo(mostName), ...invokeProperties },
    required: ["sessionId"],
    allOf: oneOfEach,
  },
);

export const givenMessageSchema = sentDocument("GivenMessage", "The message that a run begins with.", {
  additionalProperties: false,
  properties: { headers: byName, body: json },
});

export const moreAssertionsSchema = sentDocument("TestSessionAssertions", "Assertions beside those of the session.", {
  additionalProperties: false,
  properties: { assertions: assertionList },
});

const openedSession = z.object({
  sessionId,
  ttlMs: z.int(),
  expiresAt: z.string(),
  flowId: z.string(),
  hash: z.string(),
  scope,
  armed: z
    .array(
      z.union([
        z.object({ stepId: z.string(), routeId: z.string(), mocks: z.int() }),
        z.object({ uri: z.string(), mocks: z.int() }),
      ]),
    )
    .describe("What is mocked, and how many mocks there are for it."),
  header: z.literal("X-Test-Session").describe("A request that carries the session's id in it is in the session."),
  warnings: z.array(z.string()),
});

export const validatedSessionSchema = z
  .object({
    valid: z.boolean(),
    problems: z
      .array(z.object({ pointer: z.string(), message: z.string() }))
      .describe("All of them, with their places as JSON Pointers; empty: the whole document."),
    warnings: z.array(z.string()).describe("What would have no effect, as opening the session warns of it."),
  })
  .meta({ id: "ValidatedTestSession" });

const recordedMessage = {
  headers: values,
  body: anything,
  bodyType: z.string(),
  encoding: z.literal("base64").exactOptional(),
  attachments: shownAttachments,
  cut: z.literal(true).exactOptional().describe("Something of it is not whole."),
  redacted: z.literal(true).exactOptional().describe("Something in it was hidden."),
};
const recordedError = z.object({
  type: z.string(),
  message: z.string(),
  statusCode: z.int().exactOptional(),
  responseBody: anything.exactOptional(),
  responseHeaders: values.exactOptional(),
  cut: z.literal(true).exactOptional().describe("The answer is not whole."),
  redacted: z.literal(true).exactOptional().describe("Something in the answer was hidden."),
});

const recordedCall = z.object({
  seq: z.int(),
  stepId: z.string(),
  routeId: z.string(),
  runId: z.string(),
  flowId: z.string(),
  mock: z.int().describe("Its place among the mocks, counted from 0."),
  action: z.enum(["respond", "throw", "spy"]),
  at: z.string(),
  durationMs: z.number(),
  request: z.object({ ...recordedMessage, uri: z.string().exactOptional(), properties: values }),
  response: z.object({ ...recordedMessage, status: z.int().exactOptional() }).nullable(),
  error: recordedError.nullable(),
});

const sessionSummary = z.object({
  sessionId,
  name: z.string().nullable(),
  flowId: z.string(),
  hash: z.string(),
  scope,
  closed: z.boolean(),
  expired: z.boolean(),
  stale: z.boolean().describe("The flow has been deployed anew, or removed, since."),
  expiresAt: z.string(),
  passed: z.boolean().nullable().describe("Whether all assertions hold; null while the session is open."),
});

const sessionReport = sessionSummary.extend({
  notes: z.array(z.string()),
  recordedCalls: z.array(recordedCall).describe("What each mocked step saw, in order."),
  callCounts: z.record(z.string(), z.int()).describe("By step id or pattern: exact."),
  unrecorded: z
    .object({ overLimit: z.int(), lost: z.int() })
    .describe("Calls that were counted and that nothing is kept of: over the limit, or lost with their thread."),
  assertions: z.array(values).describe("Each as it was sent, with passed, actual and message."),
  unusedMocks: z.array(z.int()).describe("Places of mocks that nothing has called."),
  runs: z.array(z.string()),
  pending: z.array(z.string()).describe("Runs that were under way when it was closed."),
});

const invokeAnswer = z.object({
  runId: z.string(),
  status: z.string(),
  body: anything,
  bodyEncoding: z.literal("base64").exactOptional(),
  headers: values,
  durationMs: z.number(),
  error: runDetailSchema.shape.error,
  steps: runDetailSchema.shape.stepRuns,
  mocksHit: z.array(z.string()).describe("Steps and patterns of the mocks that were called, by their first call."),
});

export const openedSessionSchema: z.ZodType<OpenedSession> = openedSession.meta({ id: "OpenedTestSession" });
export const sessionSummarySchema: z.ZodType<SessionSummary> = sessionSummary.meta({ id: "TestSessionSummary" });
export const sessionReportSchema: z.ZodType<SessionReport> = sessionReport.meta({ id: "TestSessionReport" });
/** The steps are those of the document of a run. */
export const invokeAnswerSchema: z.ZodType<Omit<InvokeAnswer, "steps">> = invokeAnswer.meta({ id: "TestInvokeAnswer" });
