/** What a test file may say. */
import * as z from "zod";
import { idProblem } from "../../shared/ids.ts";

/** As the API has it for closing a session. */
const mostWaitMs = 60_000;

const words = z.string().min(1, "must not be empty");
const flowId = z.string().superRefine((text, { addIssue }) => {
  const problem = idProblem(text);
  if (problem !== undefined) addIssue(`is no flow's id: ${problem}`);
});
const isFlat = (value: unknown): boolean => value === null || typeof value !== "object";
const flat = z.record(
  z.string(),
  z.custom<string | number | boolean | null>(isFlat, "must be a text, a number, true, false or null"),
);
const anyHeaders = z.record(z.string(), z.unknown(), { error: "must be an object of header names and their values" });

const invokeSchema = z.strictObject({
  endpoint: words.optional(),
  uri: words.optional(),
  routeId: words.optional(),
  body: z.unknown().optional(),
  bodyBase64: z.string().optional(),
  headers: anyHeaders.optional(),
  timeoutMs: z.int().positive("must be a number of milliseconds from 1 on").optional(),
});

const sentHeaders = anyHeaders.superRefine((given, { addIssue }) => {
  for (const [name, value] of Object.entries(given)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) addIssue({ code: "custom", path: [name], message: problem });
  }
});

const postSchema = z
  .strictObject({
    path: z.string().regex(/^\//, "must begin with '/', as /api/orders does"),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).optional(),
    body: z.unknown().optional(),
    bodyBase64: z.base64("must be base64 (A-Z a-z 0-9 + /, padded with =)").optional(),
    headers: sentHeaders.optional(),
  })
  .refine(({ body, bodyBase64 }) => body === undefined || bodyBase64 === undefined, {
    path: ["bodyBase64"],
    message: "stands beside 'body': one of them is sent",
  })
  .refine(
    ({ method = "POST", body, bodyBase64 }) => !/^(?:GET|HEAD)$/.test(method) || (body ?? bodyBase64) === undefined,
    { path: ["method"], message: "must be another one: GET and HEAD send no body" },
  );

const expectSchema = z.strictObject({
  status: z.unknown().optional(),
  headers: anyHeaders.optional(),
  body: z.unknown().optional(),
  error: z
    .strictObject({
      type: z.unknown().optional(),
      message: z.unknown().optional(),
      stepId: z.unknown().optional(),
    })
    .nullable()
    .optional(),
});

const testSchema = z
  .strictObject({
    name: words,
    mocks: z
      .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], "must be a list, or an object by step id")
      .optional(),
    replaceFrom: z.record(z.string(), words).optional(),
    invoke: invokeSchema.optional(),
    post: postSchema.optional(),
    expect: expectSchema.optional(),
    assert: z.array(z.unknown(), "must be a list of assertions").optional(),
    waitMs: z
      .int()
      .min(0, "must not be negative")
      .max(mostWaitMs, `must be at most ${mostWaitMs} milliseconds`)
      .optional(),
    skip: z.union([z.boolean(), z.string()], "must be true, false, or the reason").optional(),
    only: z.boolean().optional(),
  })
  .refine(
    ({ invoke, post }) => (invoke === undefined) !== (post === undefined),
    "needs 'invoke' or 'post': one of them",
  );

export const fileSchema = z.strictObject({
  flow: flowId,
  with: z.array(flowId, "must be a list of flow ids").optional(),
  params: flat.optional(),
  limits: z.record(z.string(), z.union([z.number(), z.string()], "must be a number or a text")).optional(),
  documents: z.array(words, "must be a list of documents such as value-mappings/order-status").optional(),
  secrets: z.record(z.string(), z.string("must be a text")).optional(),
  tests: z.array(testSchema, "must be a list of tests").min(1, "has no test"),
});

/** What `GET /_api/runs/:id/fixture` answers: one test. */
export const fixtureSchema = z.strictObject({
  flowId,
  name: words.optional(),
  scope: z.literal("session", "must be 'session': tests leave other callers alone").optional(),
  ttlMs: z.number().optional(),
  mocks: testSchema.shape.mocks,
  replaceFrom: testSchema.shape.replaceFrom,
  invoke: invokeSchema,
  assertions: testSchema.shape.assert,
  recordedFrom: z.unknown().optional(),
  notes: z.array(z.string()).optional(),
});

export type FileDocument = z.output<typeof fileSchema>;
export type TestDocument = z.output<typeof testSchema>;
export type Expectation = z.output<typeof expectSchema>;
export type PostDocument = z.output<typeof postSchema>;
export type FixtureDocument = z.output<typeof fixtureSchema>;

const keys = (schema: { readonly shape: object }): readonly string[] => Object.keys(schema.shape);

/** The keys of the object at a path, for who has misspelt one. */
export function keysAt(path: readonly PropertyKey[], fixture: boolean): readonly string[] {
  const names = path.filter((part) => typeof part === "string");
  if (names.length === 0) return keys(fixture ? fixtureSchema : fileSchema);
  const byName: Readonly<Record<string, readonly string[]>> = {
    tests: keys(testSchema),
    invoke: keys(invokeSchema),
    post: keys(postSchema),
    expect: keys(expectSchema),
    error: ["type", "message", "stepId"],
  };
  return byName[String(names.at(-1))] ?? [];
}

/** Why it cannot be sent. */
function headerProblem(name: string, value: unknown): string | undefined {
  if (/^x-test-session$/i.test(name)) return "is sent by the test itself";
  if (!["string", "number", "bigint", "boolean"].includes(typeof value))
    return "must be a text, a number, true or false";
  try {
    new Headers({ [name]: String(value) });
    return undefined;
  } catch {
    return "cannot be sent: a header has a name without spaces, and a value of one line in Latin-1";
  }
}
