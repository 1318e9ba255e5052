/** The documents of `/_api/failed`. */
import * as z from "zod";
import { momentPattern } from "./schemas.ts";

export const failedStates = ["waiting", "retrying", "retried", "discarded"] as const;

const fields = {
  id: z.string(),
  runId: z.string().describe("The last run with the message."),
  flowId: z.string(),
  routeId: z.string(),
  revision: z.int().describe("The revision of the flow that it failed in first."),
  at: z.string().describe("Of the last failure."),
  trigger: z
    .object({
      kind: z.string(),
      uri: z.string(),
      method: z.string().optional(),
      path: z.string().optional(),
      principal: z.string().optional().describe("The caller that an access policy identified; retries run for it."),
    })
    .describe("Of its first run."),
  error: z
    .object({
      type: z.string(),
      message: z.string(),
      stepId: z.string().nullable(),
      line: z.int().nullable(),
    })
    .nullable()
    .describe("null: its first run is under way."),
  attempts: z.int().describe("How many runs of it have failed."),
  count: z.int().describe("How many equal messages have failed with the same error; a retry runs it once."),
  bytes: z.int().describe("What it takes."),
  state: z
    .enum(failedStates)
    .describe(
      "retrying: a run of it is under way, its first one after 202, too. Of retried and discarded ones the content is gone.",
    ),
  deadLetter: z.boolean().describe("It ended in a dead letter channel."),
};

export const failedSchema = z.object(fields).meta({ id: "FailedMessage" });

export const failedDetailSchema = z
  .object({
    ...fields,
    runs: z.array(z.string()).describe("The runs that it has had, the latest last."),
    headOnly: z
      .literal(true)
      .optional()
      .describe(
        "The source could not read the body, such as one above the limit messageBodyBytes. The runtime stores the headers alone, and a retry needs a body.",
      ),
    message: z
      .looseObject({})
      .nullable()
      .describe(
        "headers, properties, body and attachments (names, types and sizes) as they entered the route, without credentials, with secrets hidden and long parts cut (`redacted`, `cut`); null once it was retried or discarded.",
      ),
  })
  .meta({ id: "FailedMessageDetail" });

export const countSchema = z.object({ count: z.int() }).meta({ id: "FailedCount" });

const text = z.string("must be a text").min(1, "must not be empty");

export const selectionSchema = z
  .strictObject(
    {
      flowId: text.optional(),
      routeId: text.optional(),
      before: z.iso
        .datetime({ offset: true, error: "must be an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z" })
        .meta({ pattern: momentPattern })
        .optional()
        .describe("Only those that have failed before."),
      ids: z.array(text, "must be a list of ids").max(1000, "has at most 1000 ids").optional(),
      all: z.literal(true, "must be true, or left out").optional().describe("Everything that waits; only with expect."),
      expect: z
        .int("must be a whole number")
        .nonnegative("must be a whole number")
        .optional()
        .describe("How many there must be; nothing is done when there are others."),
    },
    {
      error: ({ code }) =>
        code === "unrecognized_keys" ? undefined : 'must be a JSON object such as {"flowId": "orders"}',
    },
  )
  .meta({
    id: "FailedSelection",
    anyOf: ["flowId", "routeId", "before", "ids", "all"].map((name) => ({ required: [name] })),
    dependentRequired: { all: ["expect"] },
  });
