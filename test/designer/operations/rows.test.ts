/** What the screen of operations lists: routes by what begins them, policies, lines of the audit log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessRows } from "../../../designer/web/src/operations/access/access-rows.ts";
import { readPolicy, textOfPolicy } from "../../../designer/web/src/operations/access/policy-text.ts";
import { questionOf } from "../../../designer/web/src/operations/access/question.ts";
import { actions, filterOf, personOf, requestOf } from "../../../designer/web/src/operations/audit/audit-filter.ts";
import { kindOf, triggerRows } from "../../../designer/web/src/operations/health/trigger-rows.ts";

test("routes are told apart by what begins their runs", () => {
  const kinds = [
    "timer:t?period=1s",
    "quartz:q",
    "webhook",
    "webhook:x",
    "platform-http:/x",
    "rest",
    "direct:a",
    "seda:b",
    "file:in",
    "kamelet:source",
  ];
  assert.deepEqual(kinds.map(kindOf), [
    "clock",
    "clock",
    "call",
    "call",
    "call",
    "call",
    "internal",
    "internal",
    "source",
    "internal",
  ]);
  const rows = triggerRows(
    [
      { id: "r", flowId: "f", status: "Started", lastError: { type: "T", message: "m", at: "" } },
      { id: "gone", flowId: "f", status: "Started" },
    ],
    [
      {
        ...{ id: "f", hash: "", lastModified: "", routeCount: 1, state: "Started", revision: 1, deployedHash: null },
        routes: [{ id: "r", uri: "timer:t", status: "Started" }],
      },
    ],
  );
  assert.deepEqual(rows, [
    { flowId: "f", routeId: "r", uri: "timer:t", kind: "clock", status: "Started", lastError: "T: m", queued: 0 },
  ]);
});

test("flows without a policy are open, policies that are not understood close, and some belong to no flow", () => {
  const policy = {
    ...{
      hash: "",
      revision: 1,
      mode: "enforce" as const,
      enforced: true,
      understood: true,
      principals: [],
      warnings: [],
    },
    writtenBy: null,
  };
  const routes = [{ id: "r", uri: "webhook", status: "Started" as const }];
  const rows = accessRows(
    ["d", "c", "b", "a"].map((id) => ({ id, routes })),
    [
      { ...policy, flowId: "b" },
      { ...policy, flowId: "c", mode: "report" },
      { ...policy, flowId: "d", understood: false },
      { ...policy, flowId: "e" },
    ],
  );
  assert.deepEqual(
    rows.map(({ flowId, guard, routes: ids }) => `${flowId} ${guard} ${ids}`),
    ["a open r", "b enforce r", "c report r", "d closed r", "e unused "],
  );
});

test("a policy is edited as YAML or JSON, and one with hidden values is not sent back", () => {
  const document = { principals: { shop: { type: "apiKey", sha256: "ab" } }, allow: ["shop"] };
  assert.deepEqual(readPolicy(textOfPolicy(document)), { document });
  assert.deepEqual(readPolicy('{"public": true}'), { document: { public: true } });
  for (const [text, expected] of [
    ["a: [", /not YAML/],
    ["- a", /is a map/],
    ["", /is a map/],
    ["principals: { x: { type: hmac, secret: '***' } }", /hides values/],
  ] as const) {
    const result = readPolicy(text);
    assert.match("problem" in result ? result.problem : "", expected, text);
  }
});

test("the question who could call leaves out what is empty", () => {
  const none = { as: " ", roles: " , ", route: "r", method: "POST", address: "" };
  assert.deepEqual(questionOf(none), { route: "r", method: "POST" });
  assert.deepEqual(questionOf({ ...none, as: "idp:alice", roles: "a, b", address: "10.0.0.1" }), {
    ...{ route: "r", method: "POST", as: "idp:alice", roles: ["a", "b"], address: "10.0.0.1" },
  });
});

test("the filters of the address become those of the runtime; the person of a designer is named", () => {
  assert.deepEqual(requestOf(filterOf({}), 0), {});
  assert.deepEqual(
    requestOf(filterOf({ resource: "f", action: "flows.write", outcome: "failed", span: "day" }), 86_400_000),
    {
      ...{ resource: "f", action: "flows.write", outcome: "failed", since: "1970-01-01T00:00:00.000Z" },
    },
  );
  assert.deepEqual(requestOf(filterOf({ action: "nonsense", outcome: "x", span: "y" }), 0), {});
  assert.ok(actions.includes("refused.more"));
  assert.equal(personOf({ requestId: "designer-ada-of-x-0123456789ab", actor: "01234567" }), "ada-of-x");
  assert.equal(personOf({ requestId: "designer-0123456789ab", actor: "01234567" }), "01234567");
  assert.equal(personOf({ requestId: null, actor: "runtime" }), "runtime");
});
