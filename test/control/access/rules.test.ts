/** Which rule admits whom: a denial outweighs every permission, and what no rule permits is denied. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aPolicy, type Called, sha256 } from "./a-policy.ts";

const principals = {
  alice: { type: "apiKey", sha256: sha256("alice"), roles: ["sender", "tester"] },
  bob: { type: "apiKey", sha256: sha256("bob"), roles: ["reader"] },
};
const as = (name: string, more: Called = {}): Called => ({ headers: { "x-api-key": name }, ...more });
const alice = as("alice");
const bob = as("bob");
const nobody: Called = {};
const invoke = { allow: ["invoke"] };

const in401 = "deny unauthenticated";
const in403 = "deny forbidden";

const cases: (readonly [
  name: string,
  document: Record<string, unknown>,
  rows: readonly (readonly [Called, string])[],
])[] = [
  [
    "no rule",
    { rules: [] },
    [
      [alice, in403],
      [nobody, in401],
    ],
  ],
  [
    "everybody with a name",
    { rules: [invoke] },
    [
      [alice, "allow alice"],
      [bob, "allow bob"],
      [nobody, in401],
    ],
  ],
  [
    "a role",
    { rules: [{ ...invoke, roles: ["x", "sender"] }] },
    [
      [alice, "allow alice"],
      [bob, in403],
    ],
  ],
  [
    "a name",
    { rules: [{ ...invoke, principals: ["bob"] }] },
    [
      [bob, "allow bob"],
      [alice, in403],
    ],
  ],
  [
    "a name as one text",
    { rules: [{ allow: "invoke", principals: "bob" }] },
    [
      [bob, "allow bob"],
      [alice, in403],
    ],
  ],
  [
    "any name",
    { rules: [{ ...invoke, principals: ["*"] }] },
    [
      [bob, "allow bob"],
      [nobody, in401],
    ],
  ],
  [
    "role and name together",
    { rules: [{ ...invoke, roles: ["reader"], principals: ["alice"] }] },
    [
      [alice, in403],
      [bob, in403],
    ],
  ],
  ["another action", { rules: [{ allow: ["read", "logs"] }] }, [[alice, in403]]],
  ["any action", { rules: [{ allow: ["*"] }] }, [[alice, "allow alice"]]],
  [
    "routes",
    { rules: [{ ...invoke, routes: ["order-*", "*-in", "exact"] }] },
    [
      [as("bob", { route: "order-" }), "allow bob"],
      [as("bob", { route: "mail-in" }), "allow bob"],
      [as("bob", { route: "exact" }), "allow bob"],
      [as("bob", { route: "exactly" }), in403],
      [as("bob", { route: "xorder-1" }), in403],
      [as("bob", { route: "Order-1" }), in403],
    ],
  ],
  [
    "methods",
    { rules: [{ ...invoke, methods: ["post", "PUT"] }] },
    [
      [as("bob", { method: "POST" }), "allow bob"],
      [as("bob", { method: "PUT" }), "allow bob"],
      [as("bob", { method: "GET" }), in403],
    ],
  ],
  [
    "addresses",
    { rules: [{ ...invoke, cidrs: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.9"] }] },
    [
      [as("bob", { address: "10.255.0.1" }), "allow bob"],
      [as("bob", { address: "::ffff:10.1.2.3" }), "allow bob"],
      [as("bob", { address: "2001:db8:1::1" }), "allow bob"],
      [as("bob", { address: "192.0.2.9" }), "allow bob"],
      [as("bob", { address: "192.0.2.10" }), in403],
      [as("bob", { address: "11.0.0.1" }), in403],
      [as("bob", { address: "" }), in403],
      [as("bob", { address: "::1" }), in403],
    ],
  ],
  [
    "a mapped range",
    { rules: [{ ...invoke, cidrs: ["::ffff:10.0.0.0/104"] }] },
    [[as("bob", { address: "10.1.1.1" }), "allow bob"]],
  ],
  [
    "denial over permission",
    { rules: [invoke, { deny: ["invoke"], roles: ["tester"] }] },
    [
      [alice, in403],
      [bob, "allow bob"],
    ],
  ],
  [
    "denial first",
    { rules: [{ deny: ["invoke"], principals: ["bob"] }, invoke] },
    [
      [bob, in403],
      [alice, "allow alice"],
    ],
  ],
  ["denial of another action", { rules: [invoke, { deny: ["read"] }] }, [[bob, "allow bob"]]],
  ["denial of all actions", { rules: [invoke, { deny: ["*"] }] }, [[bob, in403]]],
  ["denial of what is no action", { rules: [invoke, { deny: ["call"] }] }, [[bob, in403]]],
  ["both in one rule", { rules: [{ allow: ["invoke"], deny: ["invoke"] }] }, [[bob, in403]]],
  [
    "denial of an address for everybody",
    { rules: [invoke, { deny: ["invoke"], cidrs: ["192.0.2.0/24"] }], anonymous: invoke },
    [
      [nobody, in401],
      [bob, in403],
      [{ address: "10.0.0.1" }, "allow anonymous"],
      [as("bob", { address: "10.0.0.1" }), "allow bob"],
    ],
  ],
  [
    "callers without a name",
    { anonymous: invoke },
    [
      [nobody, "allow anonymous"],
      [bob, "allow bob"],
      [as("eve"), in401],
    ],
  ],
  [
    "nothing for them",
    { anonymous: { allow: [] }, rules: [invoke] },
    [
      [nobody, in401],
      [bob, "allow bob"],
    ],
  ],
  [
    "a route for them",
    { anonymous: { ...invoke, routes: ["open-*"], methods: ["GET"], cidrs: ["10.0.0.0/8"] } },
    [
      [{ route: "open-1", method: "GET", address: "10.1.1.1" }, "allow anonymous"],
      [{ route: "shut-1", method: "GET", address: "10.1.1.1" }, in401],
      [{ route: "open-1", method: "POST", address: "10.1.1.1" }, in401],
      [{ route: "open-1", method: "GET", address: "192.0.2.1" }, in401],
    ],
  ],
  [
    "public",
    { public: true },
    [
      [nobody, "allow anonymous"],
      [alice, "allow alice"],
    ],
  ],
  [
    "public with a denial",
    { public: true, rules: [{ deny: ["invoke"], routes: ["order-in"] }] },
    [
      [nobody, in401],
      [{ route: "a" }, "allow anonymous"],
    ],
  ],
  [
    "not public",
    { public: false },
    [
      [nobody, in401],
      [alice, in403],
    ],
  ],
  [
    "the short form of roles",
    { roles: ["sender"] },
    [
      [alice, "allow alice"],
      [bob, in403],
      [nobody, in401],
    ],
  ],
  [
    "the short form of names",
    { allow: ["bob"] },
    [
      [bob, "allow bob"],
      [alice, in403],
    ],
  ],
  [
    "both short forms",
    { allow: ["bob"], roles: ["sender"] },
    [
      [bob, "allow bob"],
      [alice, "allow alice"],
    ],
  ],
  [
    "short forms that are empty",
    { allow: [], roles: [] },
    [
      [bob, in403],
      [nobody, in401],
    ],
  ],
  [
    "short forms that cannot be read",
    { allow: [1], roles: { a: 1 } },
    [
      [bob, in403],
      [nobody, in401],
    ],
  ],
  [
    "short keys",
    { apiKeys: [{ name: "eve", sha256: sha256("eve") }] },
    [
      [as("eve"), "allow eve"],
      [bob, in403],
      [nobody, in401],
    ],
  ],
  ["short keys under rules", { apiKeys: [{ name: "eve", key: "eve" }], rules: [] }, [[as("eve"), in403]]],
  [
    "short keys with roles",
    { apiKeys: [{ name: "eve", key: "eve", roles: ["r"] }], roles: ["r"] },
    [
      [as("eve"), "allow eve"],
      [alice, in403],
    ],
  ],
  // A part that is not understood closes the flow.
  ["a condition that is not known", { rules: [{ ...invoke, days: ["Mon"] }] }, [[bob, in403]]],
  [
    "a known one beside it",
    {
      rules: [
        { ...invoke, days: ["Mon"] },
        { ...invoke, roles: ["reader"] },
      ],
    },
    [
      [bob, "allow bob"],
      [alice, in403],
    ],
  ],
  [
    "a denial with an unknown condition",
    { rules: [invoke, { deny: ["invoke"], days: ["Mon"], roles: ["reader"] }] },
    [
      [bob, in403],
      [alice, "allow alice"],
    ],
  ],
  [
    "a permission from no address",
    { rules: [{ ...invoke, cidrs: ["10.0.0/8"] }] },
    [[as("bob", { address: "10.0.0.1" }), in403]],
  ],
  ["a denial of no address", { rules: [invoke, { deny: ["invoke"], cidrs: ["nowhere"] }] }, [[bob, in403]]],
  ["a permission of no method", { rules: [{ ...invoke, methods: ["GET POST"] }] }, [[bob, in403]]],
  ["an empty condition", { rules: [{ ...invoke, roles: [] }] }, [[bob, in403]]],
  ["an empty condition of a denial", { rules: [invoke, { deny: ["invoke"], roles: [] }] }, [[bob, in403]]],
  [
    "neither permission nor denial",
    { rules: [invoke, { effect: "allow", roles: ["sender"] }] },
    [
      [alice, in403],
      [bob, "allow bob"],
    ],
  ],
  [
    "a rule that is no object",
    { public: true, rules: ["deny all"] },
    [
      [bob, in403],
      [nobody, in401],
    ],
  ],
  [
    "rules that are no list",
    { public: true, rules: "none" },
    [
      [bob, in403],
      [nobody, in401],
    ],
  ],
  ["an anonymous with unknown conditions", { anonymous: { ...invoke, days: ["Mon"] } }, [[nobody, in401]]],
  ["an anonymous that is no object", { anonymous: true }, [[nobody, in401]]],
  ["public as a text", { public: "true" }, [[nobody, in401]]],
  [
    "a limit that cannot be read",
    { public: true, rateLimit: { perPrincipal: { rps: "10" } } },
    [
      [nobody, in403],
      [bob, in403],
    ],
  ],
  ["a limit that is not known", { public: true, concurrency: { maxQueued: 1 } }, [[nobody, in403]]],
  [
    "a field that is not known",
    { public: true, onlyFrom: ["10.0.0.0/8"] },
    [
      [nobody, in403],
      [bob, in403],
    ],
  ],
  ["another default", { public: true, default: "allow" }, [[nobody, in403]]],
  ["a mode that is not known", { public: true, mode: "audit" }, [[nobody, in403]]],
  ["what every object has", { constructor: true, public: true }, [[nobody, in403]]],
];

for (const [name, document, rows] of cases) {
  test(`rules: ${name}`, async () => {
    const under = aPolicy({ principals, ...document });
    for (const [called, expected] of rows) assert.equal(await under.outcome(called), expected, JSON.stringify(called));
    assert.equal(await under.outcome({ deployToken: true }), "allow deployToken");
  });
}

test("the answer is 403, not 401, if no credential would help", async () => {
  const { decide } = aPolicy({ public: true, rules: [{ deny: ["invoke"], cidrs: ["192.0.2.0/24"] }] });
  const decision = await decide();
  assert(decision.kind === "deny");
  assert.equal(decision.code, "forbidden");
  assert.equal(decision.challenge, undefined);
  assert.equal(decision.principal, undefined);
});

test("a 403 has the principal for the log, and its message does not name it", async () => {
  const decision = await aPolicy({ principals, rules: [{ deny: ["invoke"] }] }).decide(alice);
  assert(decision.kind === "deny");
  assert.equal(decision.principal?.id, "alice");
  assert.equal(decision.reason, "rule 0 denies it");
  assert.doesNotMatch(decision.message, /alice|rule 0/);
});

test("a policy in report mode decides like one in enforce mode", async () => {
  const { policy, outcome } = aPolicy({ mode: "report", principals, rules: [] });
  assert.equal(policy.mode, "report");
  assert.equal(await outcome(alice), in403);
});
