/** Schemas and answers that several endpoints share. */
import * as z from "zod";
import { idProblem } from "../../shared/ids.ts";
import type { Answer } from "./endpoint.ts";

export const errorBodySchema = z.object({ error: z.string() }).meta({ id: "Error" });

/** An id in a path; the error handler turns its issue into `bad_id`. */
const id = z
  .string()
  .superRefine((text, context) => {
    const problem = idProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .meta({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$" });

export const idParams = z.object({ id });
export const flowIdParams = z.object({ flowId: id });
export const runIdParams = z.object({ runId: id });

export const noQuery = z.strictObject({});

/** A query parameter that may be given once. */
export function once(expected: string) {
  return z.string({
    error: ({ input }) => (Array.isArray(input) ? "is given more than once" : `must be ${expected}`),
  });
}

export function wholeNumber(expected: string, least: number, most: number) {
  return once(expected)
    .regex(/^\d{1,15}$/, `must be ${expected}`)
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be ${expected}`)
    .meta({ type: "integer", minimum: least, pattern: undefined });
}

export const flag = z
  .enum(["true", "false"], {
    error: ({ input }) => (Array.isArray(input) ? "is given more than once" : "must be true or false"),
  })
  .transform((text) => text === "true")
  .meta({ type: "boolean", enum: undefined });

/** A moment, as epoch ms. */
export const moment = once("an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z")
  .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z" }))
  .transform((text) => Date.parse(text))
  .meta({ type: "string", format: "date-time", pattern: undefined });

export function jsonAnswer(description: string, schema: z.ZodType): Answer {
  return { description, content: { "application/json": schema } };
}

/** A document whose shape is described elsewhere. */
export const anyObject = z.looseObject({});
