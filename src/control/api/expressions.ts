/** `/_api/test/expression`: what an expression gives for a message, for editors that show values while a person types. */
import * as z from "zod";
import type { ExpressionTrial, ExpressionTrialResult } from "../../shared/expression-trial.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

const anything = z.unknown();
const values = z.record(z.string(), anything, "must be an object").optional();

const trialSchema: z.ZodType<ExpressionTrial> = z
  .strictObject({
    language: z.string("must be the name of a language").describe("Such as simple."),
    expression: z.string("must be a text").describe("Placeholders in it ({{name}}) are not filled."),
    condition: z
      .boolean("must be true or false")
      .optional()
      .describe("It is read as when and filter read theirs: true or false."),
    resultType: z.string("must be the name of a type").optional(),
    body: anything.optional().describe("A JSON value; objects and lists act as a server's JSON does."),
    json: z
      .string("must be a text")
      .optional()
      .describe("In place of body: the text of a JSON body, which keeps every digit."),
    headers: values,
    properties: values,
    variables: values,
    params: z
      .record(z.string(), z.string("must be a text"), "must be an object")
      .optional()
      .describe("Parameters of the flow."),
  })
  .meta({ id: "ExpressionTrial" });

const valueSchema: z.ZodType<ExpressionTrialResult> = z
  .union([
    z.object({
      value: anything,
      cut: z.boolean().describe("It is longer than recordedBytes."),
      redacted: z.boolean().describe("Something in it was hidden."),
    }),
    z.object({ error: z.string() }),
  ])
  .meta({ id: "ExpressionValue" });

export function expressionEndpoints({ expressions }: Services): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/_api/test/expression",
      action: "tests.read",
      name: "tryExpression",
      summary: "Evaluates an expression on a message that comes along: no flow is involved, and nothing is kept.",
      query: noQuery,
      body: { schema: trialSchema, media: ["json"] },
      answers: { 200: jsonAnswer("Its value, or why it has none.", valueSchema) },
      errors: ["draining"],
      handle: ({ body }) => expressions.evaluate(body),
    }),
  ];
}
