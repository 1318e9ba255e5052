/** The documents of `/_api/value-mappings` and `/_api/message-mappings`. */
import * as z from "zod";
import { missingModes } from "../../shared/value-lookup.ts";
import type { RawBody } from "./body.ts";
import { flag } from "./schemas.ts";

const summaryFields = {
  id: z.string(),
  name: z.string(),
  lastModified: z.string(),
  hash: z.string(),
};
const error = z.string().optional().describe("Why no run can use it.");
const usedBy = z
  .array(
    z.union([
      z.object({ flowId: z.string(), routeId: z.string(), stepId: z.string() }),
      z.object({ mapping: z.string().describe("A message mapping.") }),
    ]),
  )
  .describe("Steps of deployed flows, and message mappings.");

export const valueSummarySchema = z
  .object({ ...summaryFields, rows: z.int(), columns: z.array(z.string()), usedBy, error })
  .meta({ id: "ValueMappingSummary" });

export const messageSummarySchema = z
  .object({ ...summaryFields, rules: z.int(), usedBy, error })
  .meta({ id: "MessageMappingSummary" });

/** A document that check threads read; the schema only describes it for authors. */
function rawDocument(id: string, description: string, schema: object = {}) {
  return z.custom<RawBody>(() => true).meta({ id, type: "object", description, ...schema });
}

const json = { description: "Any JSON value." };
const byName = { type: "object", additionalProperties: true };
const flagField = { type: "boolean" };
const column = { type: "string", description: "The name of a column." };

export const valueDocumentSchema = rawDocument(
  "ValueMapping",
  'A value mapping: {"columns", "rows", "lookups", "tests"}, or a short form such as {"entries": {"DE": "Germany"}}.',
);
export const messageDocumentSchema = rawDocument(
  "MessageMapping",
  'A message mapping: {"source", "target", "rules", "tests"}, or a short form such as {"expression": "..."}.',
);
export const trialSchema = rawDocument(
  "MappingTrial",
  'A message: {"input": ...}, and with it "headers", "properties", "variables" and "params" if need be. "document": a mapping to try in place of the installed one, which need not exist; "tests": true runs its tests, too. "frozen": true has the clock, the random numbers and the UUIDs of tests.',
  {
    additionalProperties: false,
    properties: {
      ...{ input: json, document: { description: "A mapping to try, in place of the installed one." } },
      ...{ headers: byName, properties: byName, variables: byName, params: byName },
      ...{ tests: flagField, frozen: flagField },
    },
    required: ["input"],
  },
);

const problems = z.array(z.object({ pointer: z.string(), message: z.string() }));
const trialRule = z.object({
  id: z.string(),
  target: z.string().describe("JSON pointer into the result; a nested rule has an entry for each item."),
  matched: z.boolean().describe("false: its when does not hold."),
  value: z.unknown().optional(),
  truncated: z.literal(true).optional().describe("The value is too long: its beginning as text, or null."),
  missing: z.literal(true).optional().describe("Its expression gives nothing."),
  error: z.string().optional(),
});
export const trialAnswerSchema = z
  .object({
    output: z.unknown().describe("The new body; null when the mapping fails."),
    rules: z.array(trialRule),
    errors: z.array(z.object({ rule: z.string().optional(), target: z.string().optional(), message: z.string() })),
    problems: problems
      .optional()
      .describe("With document: why it would be refused; nothing is mapped then. pointer: the place in the document."),
    warnings: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .optional()
      .describe("With document."),
    tests: z
      .array(z.object({ pointer: z.string(), name: z.string(), passed: z.boolean(), problem: z.string().optional() }))
      .optional()
      .describe("With tests."),
  })
  .meta({ id: "MappingTrialAnswer" });

export const valueTrialSchema = rawDocument(
  "ValueMappingTrial",
  'A document to try: {"document": ...}. With "value", and "from", "to", "qualifiers", "onMissing" and "default" if need be, the value is looked up in it.',
  {
    additionalProperties: false,
    properties: {
      ...{ document: byName, value: json, from: column, to: column, qualifiers: byName },
      ...{ onMissing: { type: "string", enum: missingModes }, default: json },
    },
    required: ["document"],
  },
);

const headFields = { id: z.string(), hash: z.string(), revision: z.int() };
const tailFields = {
  tests: z.object({ passed: z.int(), failed: z.int() }),
  usedBy,
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
};

export const valuePutSchema = z
  .object({ ...headFields, rows: z.int(), columns: z.array(z.string()), ...tailFields })
  .meta({ id: "ValueMappingPutAnswer" });

export const messagePutSchema = z
  .object({
    ...headFields,
    rules: z.int(),
    compiledRules: z.int(),
    untestedRules: z.array(z.string()),
    uses: z.array(z.string()).describe("Value mappings that it looks up in."),
    ...tailFields,
  })
  .meta({ id: "MessageMappingPutAnswer" });

export const removedSchema = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: "MappingDeleteAnswer" });

export const lookupSchema = z
  .strictObject({
    from: z.string({ error: "must be the name of a column" }).optional(),
    to: z.string({ error: "must be the name of a column" }).optional(),
    value: z.unknown(),
    qualifiers: z.record(z.string(), z.unknown(), { error: "must be an object" }).optional(),
    onMissing: z.enum(missingModes, { error: `must be one of ${missingModes.join(", ")}` }).optional(),
    default: z.unknown().optional(),
  })
  .meta({ id: "ValueLookup" });

export const lookupAnswerSchema = z
  .object({
    value: z.unknown(),
    found: z.boolean().describe("false: the value is given in place of one that is not in the mapping."),
    error: z.string().optional().describe("What a run would fail with."),
  })
  .meta({ id: "ValueLookupAnswer" });

export const valueTrialAnswerSchema = z
  .object({
    problems: problems.describe("What a PUT would refuse the document for, each with its place; the first 20."),
    problemCount: z.int(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    rows: z.int().optional(),
    columns: z.array(z.string()).optional(),
    tests: z.object({ passed: z.int(), failed: z.int() }).optional(),
    lookup: lookupAnswerSchema
      .optional()
      .describe("With value; absent when the problems leave no table to look it up in."),
  })
  .meta({ id: "ValueMappingTrialAnswer" });

export const strictQuery = z.strictObject({ strict: flag.optional() });
export const forceQuery = z.strictObject({ force: flag.optional() });
