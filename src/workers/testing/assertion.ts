/** Assertions as they are sent, to what is evaluated; and what is wrong with them. */
import type { Place } from "../../shared/comparison.ts";
import type { MockTarget } from "../../shared/mock.ts";
import { headerProblems, matcherProblems } from "./matcher-problems.ts";
import { type Fields, fieldOf, type Problems } from "./problems.ts";

export type Assertion =
  | ({ readonly kind: "mockCalled" } & CalledAssertion)
  | { readonly kind: "mockOrder"; readonly names: readonly string[] }
  | { readonly kind: "result"; readonly expected: ExpectedResult };

/** `least` to `most` calls, of those that match `call`. */
export interface CalledAssertion {
  readonly target: MockTarget;
  readonly least: number;
  readonly most: number;
  readonly call: ExpectedCall | undefined;
}

/** Matchers; undefined: it does not matter. */
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
  /** null: none. */
  readonly error?: Fields | null | undefined;
}

const kinds = ["mockCalled", "mockOrder", "result"] as const;
const stepNames = ["stepId", "id", "step"];
const calledFields = [...stepNames, "uri", "times", "atLeast", "atMost", "with"];
const callFields = ["body", "headers", "uri"];
const resultFields = ["status", "httpStatus", "body", "headers", "error"];
const errorFields = ["type", "message", "stepId"];
const mostTimes = 1_000_000_000;

/** undefined, with a problem, for what cannot be evaluated. */
export function readAssertion(value: unknown, place: Place, problems: Problems): Assertion | undefined {
  const fields = problems.fields(value, place, kinds, 'an object such as {"mockCalled": {"stepId": "to-crm"}}');
  if (fields === undefined) return undefined;
  const [kind, second] = kinds.filter((one) => Object.hasOwn(fields, one));
  if (kind === undefined) {
    return Object.keys(fields).length > 0 ? undefined : problems.bad(place, `one of ${kinds.join(", ")} is expected`);
  }
  if (second !== undefined) return problems.bad(place, `${kind} and ${second} are assertions of their own`);
  const below = { above: place, key: kind };
  if (kind === "mockCalled") return readCalled(fields[kind], below, problems);
  return kind === "mockOrder" ? readOrder(fields[kind], below, problems) : readResult(fields[kind], below, problems);
}

function readCalled(value: unknown, place: Place, problems: Problems): Assertion | undefined {
  const fields = problems.fields(value, place, calledFields, 'an object such as {"stepId": "to-crm", "times": 2}');
  if (fields === undefined) return undefined;
  const target = readTarget(fields, place, problems);
  const [times, atLeast, atMost] = ["times", "atLeast", "atMost"].map((name) =>
    readCount(fields, name, place, problems),
  );
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    problems.bad(place, `times says it exactly: it does not go with ${atLeast === undefined ? "atMost" : "atLeast"}`);
  }
  const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0);
  const most = times ?? atMost ?? Number.POSITIVE_INFINITY;
  if (least > most) problems.bad(place, `atLeast ${least} is more than atMost ${most}`);
  const call = readCall(fieldOf(fields, "with"), { above: place, key: "with" }, problems);
  return target === undefined ? undefined : { kind: "mockCalled", target, least, most, call };
}

function readTarget(fields: Fields, place: Place, problems: Problems): MockTarget | undefined {
  const [name, second] = [...stepNames, "uri"].filter((one) => Object.hasOwn(fields, one));
  if (name === undefined) {
    return problems.bad(place, 'whose calls? name stepId, or uri for a mock of endpoints: {"stepId": "to-crm"}');
  }
  if (second !== undefined) {
    return problems.bad({ above: place, key: second }, `${name} names the mock already`);
  }
  const value = fields[name];
  if (typeof value !== "string" || value === "") {
    const what = name === "uri" ? "the pattern of a mock, as it was written," : "the id of a step";
    return problems.expected({ above: place, key: name }, what, value);
  }
  return name === "uri" ? { uri: value } : { stepId: value };
}

function readCount(fields: Fields, name: string, place: Place, problems: Problems): number | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTimes) return value;
  return problems.expected({ above: place, key: name }, "a whole number, 0 or more,", value);
}

function readCall(value: unknown, place: Place, problems: Problems): ExpectedCall | undefined {
  if (value === undefined) return undefined;
  const fields = problems.fields(value, place, callFields, 'an object such as {"body": {"$contains": {"id": 17}}}');
  if (fields === undefined) return undefined;
  if (!callFields.some((name) => Object.hasOwn(fields, name))) {
    return problems.bad(place, `one of ${callFields.join(", ")} is expected`);
  }
  for (const key of ["body", "uri"]) matcherProblems(fieldOf(fields, key), { above: place, key }, problems);
  return fields.headers === undefined ? fields : { ...fields, headers: readHeaders(fields, place, problems) };
}

function readHeaders(fields: Fields, place: Place, problems: Problems): Fields | undefined {
  const value = fieldOf(fields, "headers");
  if (value !== undefined) headerProblems(value, { above: place, key: "headers" }, problems);
  return value as Fields | undefined;
}

function readOrder(value: unknown, place: Place, problems: Problems): Assertion | undefined {
  const isNames = Array.isArray(value) && value.every((name): name is string => typeof name === "string");
  if (!isNames || value.length === 0) {
    return problems.expected(place, 'a list of step ids and patterns of mocks, such as ["to-crm", "audit"],', value);
  }
  const twice = value.find((name, i) => value.indexOf(name) < i);
  if (twice !== undefined) {
    return problems.bad(place, `'${twice.slice(0, 100)}' stands in it twice: it is about the first call of each`);
  }
  return { kind: "mockOrder", names: value };
}

function readResult(value: unknown, place: Place, problems: Problems): Assertion | undefined {
  const fields = problems.fields(value, place, resultFields, 'an object such as {"status": "completed"}');
  if (fields === undefined) return undefined;
  if (!resultFields.some((name) => Object.hasOwn(fields, name))) {
    return problems.bad(place, `one of ${resultFields.join(", ")} is expected`);
  }
  for (const key of ["status", "httpStatus", "body"]) {
    matcherProblems(fieldOf(fields, key), { above: place, key }, problems);
  }
  const headers = readHeaders(fields, place, problems);
  const error = fieldOf(fields, "error");
  const below = { above: place, key: "error" };
  if (error !== undefined && error !== null) {
    const what = 'null for none, or an object such as {"type": "java.io.IOException"},';
    const parts = problems.fields(error, below, errorFields, what);
    for (const key of errorFields) matcherProblems(parts && fieldOf(parts, key), { above: below, key }, problems);
  }
  return { kind: "result", expected: { ...fields, headers, error: error as Fields | null | undefined } };
}
