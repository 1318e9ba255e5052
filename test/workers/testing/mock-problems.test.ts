/** What a session brings is refused, with its place, before a thread meets it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type {
  AssessedAssertion,
  Mock,
  MockAction,
  MockCheckRequest,
  MockCheckResult,
  MockCondition,
  MockTarget,
} from "../../../src/shared/mock.ts";
import { formatNote } from "../../../src/shared/read-document.ts";
import { checkMocks } from "../../../src/workers/check-tasks.ts";
import { checkThreads } from "../../support/check-threads.ts";

const spy: MockAction = { kind: "spy" };

function request(
  mocks: readonly {
    readonly target?: MockTarget;
    readonly when?: MockCondition;
    readonly actions?: readonly MockAction[];
  }[],
  assertions: readonly unknown[] = [],
): MockCheckRequest {
  const targets = mocks.map(({ target }) => target ?? { stepId: "a" });
  const read = mocks.map(
    ({ when, actions }, target): Mock => ({
      target,
      actions: actions ?? [spy],
      times: 0,
      after: "passthrough",
      ...(when && { when }),
    }),
  );
  return { set: { targets, mocks: read }, assertions };
}

const told = async (asked: MockCheckRequest): Promise<readonly string[]> =>
  (await checkMocks(asked)).problems.map((problem) => formatNote(problem, "the set"));

const inBody = (body: unknown) => told(request([{ when: { body } }]));

test("what is in order has no problem, in any language", async () => {
  const when = { body: { id: { $gt: 1 }, $eqx: 0 }, headers: { orderId: { $regex: "^1" } } };
  const texts = {
    simple: "${body.id} == 1",
    jsonata: "id = 1",
    jq: ".id == 1",
    jsonpath: "$.id",
    xpath: "/a",
    js: "body.id === 1",
    constant: "true",
    header: "x",
    tokenize: ",",
  };
  const expressions = Object.entries(texts).map(([language, text]) => ({ when: { expression: { language, text } } }));
  const respond = Object.entries(texts).map(([language, text]) => ({
    actions: [{ kind: "respond", expression: { language, text } } as const],
  }));
  const patterns = ["http:erp*", "direct:a", "http://x/a?b=c", "(?i)http:.*"].map((uri) => ({ target: { uri } }));
  assert.deepEqual(
    await told(request([{ when: { ...when, body: { id: { $gt: 1 } } } }, ...expressions, ...respond, ...patterns])),
    [],
  );
});

for (const [body, problem] of [
  [
    { id: { $regx: "x" } },
    /^\/mocks\/0\/when\/body\/id\/\$regx: unknown operator \(did you mean '\$regex'\?\); there are \$eq, /,
  ],
  [{ $regex: 5 }, /^\/mocks\/0\/when\/body\/\$regex: a regular expression, as a text is expected; found 5$/],
  [{ $regex: "(" }, /^\/mocks\/0\/when\/body\/\$regex: bad regular expression: missing closing \)/],
  [{ $regex: "(?=a)" }, /no look-around/],
  [[{ $in: 5 }], /^\/mocks\/0\/when\/body\/0\/\$in: a list of values is expected; found 5$/],
  [{ $exists: "yes" }, /\$exists: true or false is expected; found "yes"$/],
  [{ $type: "float" }, /\$type: one of string, number, .* is expected; found "float"$/],
  [{ $gt: null }, /\$gt: a number or a text is expected; found null$/],
  [{ a: { $gt: 1, b: 2 } }, /^\/mocks\/0\/when\/body\/a: '\$gt' stands beside 'b': .*\{"\$eq": \.\.\.\}$/],
  [{ $not: { $contains: { a: { $lte: [] } } } }, /^\/mocks\/0\/when\/body\/\$not\/\$contains\/a\/\$lte: /],
] as const) {
  test(`${JSON.stringify(body)} is no matcher`, async () => {
    const problems = await inBody(body);
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0] ?? "", problem);
  });
}

test("what is taken as it is written may look like anything", async () => {
  assert.deepEqual(await inBody({ $eq: { $regx: 1, b: 2 }, $ne: { $in: 3 }, $in: [{ $foo: 1 }] }), []);
});

test("patterns, headers and expressions have problems at their places", async () => {
  const problems = await told(
    request([
      { target: { uri: "http:(" } },
      { when: { headers: { $contains: { a: 1 }, b: { $foo: 1 } } } },
      { when: { expression: { language: "simpel", text: "x" } } },
      { when: { expression: { language: "simple", text: "${body" } } },
      { actions: [{ kind: "respond", expression: { language: "jsonata", text: "a +" } }] },
      { actions: [spy, { kind: "respond", expression: { language: "jq", text: ".a |" } }] },
    ]),
  );
  const expected = [
    /^\/mocks\/0\/uri: bad regular expression: .*; a pattern is an endpoint, /,
    /^\/mocks\/1\/when\/headers\/\$contains: headers are named here/,
    /^\/mocks\/1\/when\/headers\/b\/\$foo: unknown operator/,
    /^\/mocks\/2\/when\/expression: unknown language 'simpel' \(did you mean 'simple'\?\); there are: constant, /,
    /^\/mocks\/3\/when\/expression\/simple: /,
    /^\/mocks\/4\/respond\/expression\/jsonata: /,
    /^\/mocks\/5\/sequence\/1\/respond\/expression\/jq: /,
  ];
  assert.equal(problems.length, expected.length, problems.join("\n"));
  for (const [i, pattern] of expected.entries()) assert.match(problems[i] ?? "", pattern);
});

for (const [assertion, problem] of [
  [5, /^\/assertions\/0: an object such as .* is expected; found 5$/],
  [{}, /^\/assertions\/0: one of mockCalled, mockOrder, result is expected$/],
  [{ mockCaled: {} }, /^\/assertions\/0\/mockCaled: unknown field \(did you mean 'mockCalled'\?\)$/],
  [{ mockCalled: {} }, /^\/assertions\/0\/mockCalled: whose calls\? name stepId/],
  [{ mockCalled: "a" }, /^\/assertions\/0\/mockCalled: an object such as .* found "a"$/],
  [
    { mockCalled: { stepId: "a", tmes: 1 } },
    /^\/assertions\/0\/mockCalled\/tmes: unknown field \(did you mean 'times'\?\)$/,
  ],
  [
    { mockCalled: { stepId: "a", times: -1 } },
    /^\/assertions\/0\/mockCalled\/times: a whole number, 0 or more, is expected; found -1$/,
  ],
  [{ mockCalled: { stepId: "a", times: 1, atLeast: 1 } }, /^\/assertions\/0\/mockCalled: times says it exactly/],
  [{ mockCalled: { stepId: "a", atLeast: 3, atMost: 2 } }, /atLeast 3 is more than atMost 2$/],
  [{ mockCalled: { stepId: "a", uri: "b" } }, /^\/assertions\/0\/mockCalled\/uri: stepId names the mock already$/],
  [{ mockCalled: { stepId: 5 } }, /^\/assertions\/0\/mockCalled\/stepId: the id of a step is expected; found 5$/],
  [
    { mockCalled: { stepId: "a", with: {} } },
    /^\/assertions\/0\/mockCalled\/with: one of body, headers, uri is expected$/,
  ],
  [
    { mockCalled: { stepId: "a", with: { body: { $foo: 1 } } } },
    /^\/assertions\/0\/mockCalled\/with\/body\/\$foo: unknown operator/,
  ],
  [
    { mockCalled: { stepId: "a", with: { headers: [] } } },
    /^\/assertions\/0\/mockCalled\/with\/headers: an object of headers/,
  ],
  [{ mockOrder: [] }, /^\/assertions\/0\/mockOrder: a list of step ids/],
  [{ mockOrder: ["a", "b", "a"] }, /^\/assertions\/0\/mockOrder: 'a' stands in it twice/],
  [{ result: {} }, /^\/assertions\/0\/result: one of status, /],
  [{ result: { error: "x" } }, /^\/assertions\/0\/result\/error: null for none, or an object/],
  [
    { result: { error: { typ: "x" } } },
    /^\/assertions\/0\/result\/error\/typ: unknown field \(did you mean 'type'\?\)$/,
  ],
  [{ result: { body: { $regex: "[" } } }, /^\/assertions\/0\/result\/body\/\$regex: bad regular expression/],
] as const) {
  test(`${JSON.stringify(assertion)} is no assertion`, async () => {
    const problems = await told(request([], [assertion]));
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0] ?? "", problem);
  });
}

test("all problems are told, up to fifty", async () => {
  const problems = await told(
    request(
      [],
      Array.from({ length: 100 }, () => ({ mockCalled: { stepId: "a", x1: 1, x2: 1, x3: 1 } })),
    ),
  );
  assert.equal(problems.length, 50);
  assert.match(problems[49] ?? "", /^\/assertions\/16\/mockCalled\/x2: /);
});

test("check threads have both tasks", async () => {
  const pool = checkThreads();
  const checked = await pool.task(
    "checkMocks",
    request([{ when: { expression: { language: "xpath", text: "/a[" } } }]),
    defaultLimits,
    30_000,
  );
  const { problems } = checked.answer as MockCheckResult;
  assert.deepEqual(
    problems.map(({ path }) => path),
    [["mocks", 0, "when", "expression", "xpath"]],
  );
  const asked = {
    assertions: [{ mockCalled: { stepId: "a" } }],
    targets: [{ stepId: "a" }],
    callCounts: [1],
    calls: [],
    result: null,
  };
  const assessed = await pool.task("assess", asked, defaultLimits, 30_000);
  assert.deepEqual(assessed.answer as readonly AssessedAssertion[], [
    { passed: true, actual: 1, message: "step 'a': expected at least 1 call, got 1" },
  ]);
});
