/** The schema of a test file. */
import * as z from "zod";
import { type Fields, fields } from "../../shared/document-fields.ts";
import { sentOptionFields } from "../../shared/document-options.ts";
import { idProblem } from "../../shared/ids.ts";
import { headerProblems, matcherProblems, refinedBy } from "../../shared/matcher-problems.ts";

/** The API's own maximum for closing a session. */
const mostWaitMs = 60_000;

/** The message for a value of a wrong type, in the wording of the other messages. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? "is missing" : `must be ${what}`),
});

const text = z.string(must("a text"));
const words = text.min(1, "must not be empty");
const flowId = text.superRefine((text, { addIssue }) => {
  const problem = idProblem(text);
  if (problem !== undefined) addIssue(`is no flow's id: ${problem}`);
});
const isFlat = (value: unknown): boolean => value === null || typeof value !== "object";
const flat = z.record(
  z.string(),
  z.custom<string | number | boolean | null>(isFlat, "must be a text, a number, true, false or null"),
  must("an object"),
);
const anyHeaders = z.record(z.string(), z.unknown(), { error: "must be an object of header names and their values" });
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const object = { expected: (value: unknown) => (value === undefined ? "is missing" : "must be an object") };

const invokeSchema = fields(
  {
    endpoint: words.optional(),
    uri: words.optional(),
    routeId: words.optional(),
    body: z.unknown().optional(),
    bodyBase64: text.optional(),
    headers: anyHeaders.optional(),
    timeoutMs: z
      .int(must("a number of milliseconds from 1 on"))
      .positive("must be a number of milliseconds from 1 on")
      .optional(),
  },
  object,
);

const sentHeaders = anyHeaders.superRefine((given, { addIssue }) => {
  for (const [name, value] of Object.entries(given)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) addIssue({ code: "custom", path: [name], message: problem });
  }
});

const postSchema = fields(
  {
    path: text.regex(/^\//, "must begin with '/', as /api/orders does"),
    method: z.enum(methods, `must be one of ${methods.join(", ")}`).optional(),
    body: z.unknown().optional(),
    bodyBase64: z.base64("must be base64 (A-Z a-z 0-9 + /, padded with =)").optional(),
    headers: sentHeaders.optional(),
  },
  object,
)
  .refine(({ body, bodyBase64 }) => body === undefined || bodyBase64 === undefined, {
    path: ["bodyBase64"],
    message: "stands beside 'body': one of them is sent",
  })
  .refine(
    ({ method = "POST", body, bodyBase64 }) => !/^(?:GET|HEAD)$/.test(method) || (body ?? bodyBase64) === undefined,
    { path: ["method"], message: "must be another one: GET and HEAD send no body" },
  );

/** As expectation.ts compiles the patterns. */
const compile = (pattern: string): RegExp => new RegExp(pattern, "u");
const badMatcher = { code: "bad_matcher" };

const matcher = z
  .unknown()
  .superRefine(refinedBy(matcherProblems, compile, badMatcher))
  .optional();
const headerMatchers = anyHeaders.superRefine(refinedBy(headerProblems, compile, badMatcher)).optional();

const expectSchema = fields(
  {
    status: matcher,
    headers: headerMatchers,
    body: matcher,
    error: fields({ type: matcher, message: matcher, stepId: matcher }, object).nullable().optional(),
  },
  object,
);

const mocks = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], "must be a list, or an object by step id")
  .optional();
const replaceFrom = z.record(z.string(), words, must("an object")).optional();
const assert = z.array(z.unknown(), "must be a list of assertions").optional();

const testSchema = fields(
  {
    name: words,
    mocks,
    replaceFrom,
    invoke: invokeSchema.optional(),
    post: postSchema.optional(),
    expect: expectSchema.optional(),
    assert,
    waitMs: z
      .int(must("a number of milliseconds"))
      .min(0, "must not be negative")
      .max(mostWaitMs, `must be at most ${mostWaitMs} milliseconds`)
      .optional(),
    skip: z.union([z.boolean(), z.string()], "must be true, false, or the reason").optional(),
    only: z.boolean(must("true or false")).optional(),
  },
  object,
).refine(
  ({ invoke, post }) => (invoke === undefined) !== (post === undefined),
  "needs 'invoke' or 'post': one of them",
);

export const fileSchema = fields(
  {
    flow: flowId,
    with: z.array(flowId, "must be a list of flow ids").optional(),
    params: flat.optional(),
    limits: z
      .record(z.string(), z.union([z.number(), z.string()], "must be a number or a text"), must("an object"))
      .optional(),
    documents: z.array(words, "must be a list of documents such as value-mappings/order-status").optional(),
    secrets: z.record(z.string(), text, must("an object")).optional(),
    tests: z.array(testSchema, must("a list of tests")).min(1, "has no test"),
  },
  object,
);
export interface FileDocument extends z.output<typeof fileSchema> {
  /** Of a companion file: what it has beside the tests, as the flow's PUT takes it. */
  readonly options?: Fields | undefined;
}
export type TestDocument = z.output<typeof testSchema>;

const otherOptions = Object.keys(sentOptionFields).filter((name) => name !== "tests");

/** The companion file of a flow, with or without tests; what it has beside them is checked where it is installed. */
export function companionFileSchema(flow: string) {
  const options = Object.fromEntries(otherOptions.map((name) => [name, z.unknown().optional()]));
  return fields(
    { ...options, tests: z.array(testSchema, must("a list of tests")).min(1, "has no test").optional() },
    object,
  ).transform(({ tests = [], ...options }): FileDocument => ({ flow, tests, options }));
}

/** A document of `GET /_api/runs/:id/fixture`: one test. */
export const fixtureSchema = fields(
  {
    flowId,
    name: words.optional(),
    scope: z.literal("session", "must be 'session': tests leave other callers alone").optional(),
    ttlMs: z.number(must("a number")).optional(),
    mocks,
    replaceFrom,
    invoke: invokeSchema,
    assertions: assert,
    recordedFrom: z.unknown().optional(),
    notes: z.array(text, must("a list of texts")).optional(),
  },
  object,
).transform(({ flowId, name = "recorded run", assertions, scope: _, ttlMs: __, ...rest }): FileDocument => {
  return { flow: flowId, tests: [{ name, ...rest, ...(assertions && { assert: assertions }) }] };
});

export type Expectation = z.output<typeof expectSchema>;
export type PostDocument = z.output<typeof postSchema>;

/** Returns why the header cannot be sent. */
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
