/** Schemas and answers that several endpoints share. */
import * as z from "zod";
import { isUpTo } from "../../shared/document-fields.ts";
import { flowIdPattern, flowIdProblem, idPattern, idProblem } from "../../shared/ids.ts";
import type { Answer } from "./endpoint.ts";

export const errorBodySchema = z.object({ error: z.string() }).meta({ id: "Error" });

/** An id in a path; its issue's message is the whole message of `bad_id`. */
function idOf(problemOf: (id: string) => string | undefined, pattern = idPattern) {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = problemOf(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ pattern });
}

const id = idOf(idProblem);
const flowId = idOf(flowIdProblem, flowIdPattern);

export const idParams = z.object({ id });
/** The id of a flow, as `id` and as `flowId`. */
export const flowParams = z.object({ id: flowId });
export const flowIdParams = z.object({ flowId });
export const runIdParams = z.object({ runId: id });

/** The pattern of texts without half a surrogate pair, which UTF-8 cannot represent. */
export const wellFormed = "^[^\\ud800-\\udfff]*$";

export const noQuery = z.strictObject({});

/** A query parameter that may be given once. */
export function once(expected: string) {
  return z.string({
    error: ({ input }) => (Array.isArray(input) ? "is given more than once" : `must be ${expected}`),
  });
}

/** One of these words, given once. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, {
    error: ({ input }) => (Array.isArray(input) ? "is given more than once" : `must be one of ${words.join(", ")}`),
  });
}

/** A text of at most so many characters, counted as JSON Schema counts them: one beyond U+FFFF is one character. */
export function textUpTo(most: number) {
  return z
    .string()
    .refine((text) => isUpTo(text, most), `must have at most ${most} characters`)
    .meta({ maxLength: most });
}

/** The largest number of 15 digits, all of which a double keeps. */
export const mostWhole = 999_999_999_999_999;

export function wholeNumber(expected: string, least: number, most: number) {
  return once(expected)
    .regex(/^\d{1,15}$/, `must be ${expected}`)
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be ${expected}`)
    .meta({ type: "integer", minimum: least, maximum: most, pattern: undefined });
}

export const flag = z
  .enum(["true", "false"], {
    error: ({ input }) => (Array.isArray(input) ? "is given more than once" : "must be true or false"),
  })
  .transform((text) => text === "true")
  .meta({ type: "boolean", enum: undefined });

/** What a removal leaves. */
export const keepQuery = z
  .enum(["state"], { error: "must be state" })
  .describe("What the flow keeps between messages stays, for a flow that is made again under the id.");

/** The profile of RFC 3339 for moments: with `T` and `Z` or an offset, and without leap seconds. */
export const momentPattern = z.regexes.datetime({ offset: true }).source;

/** A moment, as epoch ms. */
export const moment = once("an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z")
  .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z" }))
  .transform((text) => Date.parse(text))
  .meta({ type: "string", format: "date-time", pattern: momentPattern });

export function jsonAnswer(description: string, schema: z.ZodType): Answer {
  return { description, content: { "application/json": schema } };
}

/** A document whose fields are described elsewhere. */
export const anyObject = z.looseObject({});
