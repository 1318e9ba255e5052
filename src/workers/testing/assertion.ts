/** Reads the assertions of a session, and reports what is wrong with them. */
import * as z from "zod";
import { type Fields, fields } from "../../shared/document-fields.ts";
import { headerProblems, matcherProblems, refinedBy } from "../../shared/matcher-problems.ts";
import type { MockTarget } from "../../shared/mock.ts";
import { shortJson } from "../../shared/short-json.ts";
import { compileRegex } from "../engine/regex.ts";

export type Assertion =
  | ({ readonly kind: "mockCalled" } & CalledAssertion)
  | { readonly kind: "mockOrder"; readonly names: readonly string[] }
  | { readonly kind: "result"; readonly expected: ExpectedResult };

/** Requires `least` to `most` calls that match `call`. */
export interface CalledAssertion {
  readonly target: MockTarget;
  readonly least: number;
  readonly most: number;
  readonly call: ExpectedCall | undefined;
}

/** Matchers; undefined accepts anything. */
export interface ExpectedCall {
  readonly body?: unknown;
  readonly headers?: Fields | undefined;
  readonly uri?: unknown;
}

export interface ExpectedResult {
  readonly status?: unknown;
  readonly httpStatus?: unknown;
  readonly body?: unknown;
  readonly headers?: Fields | undefined;
  /** null: the call must have no error. */
  readonly error?: Fields | null | undefined;
}

const mostTimes = 1_000_000_000;
const shownCharacters = 80;

const found = (what: string) => (value: unknown) => `${what} is expected; found ${shortJson(value, shownCharacters)}`;

function expected<T>(what: string, is: (value: unknown) => boolean) {
  return z.custom<T>(is, { error: ({ input }) => found(what)(input), abort: false });
}

/** An unknown field is a problem: if it were ignored, the assertion would accept more than its author meant. */
function strictly<Shape extends z.core.$ZodShape>(shape: Shape, what: string) {
  return fields(shape, { strict: true, expected: found(what) });
}

const matcher = z.unknown().superRefine(refinedBy(matcherProblems, compileRegex)).optional();
const headerMatchers = z
  .custom<Fields>(() => true)
  .superRefine(refinedBy(headerProblems, compileRegex))
  .optional();

const isName = (value: unknown): boolean => typeof value === "string" && value !== "";
const stepId = expected<string>("the id of a step", isName).optional();
const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostTimes;
const count = expected<number>("a whole number, 0 or more,", isCount).optional();

const call = strictly(
  { body: matcher, headers: headerMatchers, uri: matcher },
  'an object such as {"body": {"$contains": {"id": 17}}}',
).refine((value) => Object.keys(value).length > 0, "one of body, headers, uri is expected");

const stepNames = ["stepId", "id", "step", "uri"] as const;
const mockCalled = strictly(
  {
    ...{ stepId, id: stepId, step: stepId },
    uri: expected<string>("the pattern of a mock, as it was written,", isName).optional(),
    ...{ times: count, atLeast: count, atMost: count, with: call.optional() },
  },
  'an object such as {"stepId": "to-crm", "times": 2}',
).transform((sent, { addIssue }): CalledAssertion => {
  const { times, atLeast, atMost, with: like } = sent;
  const [name, second] = stepNames.filter((one) => one in sent);
  if (name === undefined) {
    addIssue('whose calls? name stepId, or uri for a mock of endpoints: {"stepId": "to-crm"}');
  }
  if (second !== undefined) addIssue({ code: "custom", path: [second], message: `${name} names the mock already` });
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    addIssue(`times says it exactly: it does not go with ${atLeast === undefined ? "atMost" : "atLeast"}`);
  }
  const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0);
  const most = times ?? atMost ?? Number.POSITIVE_INFINITY;
  if (least > most) addIssue(`atLeast ${least} is more than atMost ${most}`);
  const named = sent.stepId ?? sent.id ?? sent.step;
  const target = named === undefined ? { uri: sent.uri ?? "" } : { stepId: named };
  return { target, least, most, call: like };
});

const mockOrder = expected<readonly string[]>(
  'a list of step ids and patterns of mocks, such as ["to-crm", "audit"],',
  (value) => Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string"),
).transform((names, { addIssue }) => {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) {
    addIssue(`'${twice.slice(0, 100)}' stands in it twice: it is about the first call of each`);
  }
  return names;
});

const resultError = strictly(
  { type: matcher, message: matcher, stepId: matcher },
  'null for none, or an object such as {"type": "java.io.IOException"},',
);
const resultFields = {
  status: matcher,
  httpStatus: matcher,
  headers: headerMatchers,
  error: resultError.nullish(),
  body: matcher,
};
const result = strictly(resultFields, 'an object such as {"status": "completed"}').refine(
  (value) => Object.keys(value).length > 0,
  `one of ${Object.keys(resultFields).join(", ")} is expected`,
);

const kinds = ["mockCalled", "mockOrder", "result"] as const;

export const assertionSchema = strictly(
  { mockCalled: mockCalled.optional(), mockOrder: mockOrder.optional(), result: result.optional() },
  'an object such as {"mockCalled": {"stepId": "to-crm"}}',
).transform((sent, { addIssue }): Assertion => {
  const [kind, second] = kinds.filter((one) => one in sent);
  if (second !== undefined) addIssue(`${kind} and ${second} are assertions of their own`);
  if (sent.mockCalled !== undefined) return { kind: "mockCalled", ...sent.mockCalled };
  if (sent.mockOrder !== undefined) return { kind: "mockOrder", names: sent.mockOrder };
  if (sent.result !== undefined) return { kind: "result", expected: sent.result };
  addIssue(`one of ${kinds.join(", ")} is expected`);
  return z.NEVER;
});
