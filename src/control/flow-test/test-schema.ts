/** What a test file may say. */
import * as z from "zod";

const words = z.string().min(1, "must not be empty");
const headers = z.record(z.string(), z.unknown(), { error: "must be an object of header names and their values" });
const isFlat = (value: unknown): boolean => value === null || typeof value !== "object";
const flat = z.record(
  z.string(),
  z.custom<string | number | boolean | null>(isFlat, "must be a text, a number, true, false or null"),
);
const list = (what: string) => z.array(words, { error: `must be a list of ${what}` });

const invokeSchema = z.strictObject({
  endpoint: words.optional(),
  uri: words.optional(),
  routeId: words.optional(),
  body: z.unknown().optional(),
  bodyBase64: z.string().optional(),
  headers: headers.optional(),
  timeoutMs: z.int().positive().optional(),
});

const postSchema = z.strictObject({
  path: z.string().regex(/^\//, "must begin with '/', as /api/orders does"),
  method: z
    .string()
    .regex(/^[A-Z]+$/, "must be a method such as POST")
    .optional(),
  body: z.unknown().optional(),
  bodyBase64: z.string().optional(),
  headers: headers.optional(),
});

const expectSchema = z.strictObject({
  status: z.unknown().optional(),
  headers: headers.optional(),
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
    waitMs: z.int().min(0).optional(),
    skip: z.union([z.boolean(), z.string()]).optional(),
    only: z.boolean().optional(),
  })
  .refine(
    ({ invoke, post }) => (invoke === undefined) !== (post === undefined),
    "needs 'invoke' or 'post': one of them",
  );

export const fileSchema = z.strictObject({
  flow: words,
  with: list("flow ids").optional(),
  params: flat.optional(),
  limits: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  documents: list("documents such as value-mappings/order-status").optional(),
  secrets: z.record(z.string(), z.string("must be a text")).optional(),
  tests: z.array(testSchema, "must be a list of tests").min(1, "has no test"),
});

/** What `GET /_api/runs/:id/fixture` answers: one test. */
export const fixtureSchema = z.strictObject({
  flowId: words,
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
