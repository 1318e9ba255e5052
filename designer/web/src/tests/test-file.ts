/** Tests of a flow as `bulkhead test` reads them (docs/testing-flows.md), and as sessions of the runtime. */
import { stringify } from "yaml";

type Json = unknown;

export interface FlowTest {
  readonly name: string;
  readonly mocks?: readonly Readonly<Record<string, Json>>[] | undefined;
  /** By route id the endpoint that begins it in place of its trigger. */
  readonly replaceFrom?: Readonly<Record<string, string>> | undefined;
  readonly invoke?: Readonly<Record<string, Json>> | undefined;
  readonly post?: Post | undefined;
  readonly expect?: Expectation | undefined;
  readonly assert?: readonly Readonly<Record<string, Json>>[] | undefined;
  /** How long runs that go on behind the answer are waited for, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** true, or the reason why it is not run with the others. */
  readonly skip?: boolean | string | undefined;
}

export interface Post {
  readonly path: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text as it is, anything else as JSON. */
  readonly body?: Json;
}

export interface Expectation {
  readonly status?: Json;
  readonly headers?: Readonly<Record<string, Json>> | undefined;
  readonly body?: Json;
  readonly error?: Json;
}

/** The text of a test file. */
export function writeTestFile(flow: string, tests: readonly FlowTest[], others: readonly string[] = []): string {
  const document = { flow, ...(others.length > 0 && { with: others }), tests: tests.map(plain) };
  return stringify(document, { lineWidth: 0 });
}

/** The tests of a companion with this one in place of that of the same name, or at the end. */
export function withTest(tests: readonly FlowTest[], test: FlowTest): readonly FlowTest[] {
  const at = tests.findIndex(({ name }) => name === test.name);
  return at === -1 ? [...tests, plain(test)] : tests.with(at, plain(test));
}

/** The body that opens a session of this test: its expectation is an assertion about the result there. */
export function sessionOf(flowId: string, test: FlowTest) {
  return {
    flowId,
    name: test.name,
    scope: "session" as const,
    mocks: [...(test.mocks ?? [])],
    assertions: [...resultOf(test), ...(test.assert ?? [])],
    ...(test.replaceFrom !== undefined && { replaceFrom: test.replaceFrom }),
  };
}

/** As `bulkhead test` has it: without a word about status, error or result a failed run fails the test. */
function resultOf({ expect = {}, assert = [], post }: FlowTest): readonly Record<string, Json>[] {
  const { status, headers, body, error } = expect;
  const isSilent = status === undefined && error === undefined && !assert.some((one) => "result" in one);
  const result = {
    ...(status !== undefined && { [post === undefined ? "status" : "httpStatus"]: status }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(error !== undefined && { error }),
    ...(isSilent && { error: null, ...(post !== undefined && { httpStatus: { $lt: 400 } }) }),
  };
  return Object.keys(result).length === 0 ? [] : [{ result }];
}

/** Without what is undefined or empty, in the order of the documentation; what is not known here comes last. */
function plain({ name, mocks, replaceFrom, invoke, post, expect, assert, ...rest }: FlowTest): FlowTest {
  const given = { mocks, replaceFrom, invoke, post, expect, assert, ...rest };
  const filled = Object.entries(given).filter(
    ([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0),
  );
  return { name, ...Object.fromEntries(filled) };
}
