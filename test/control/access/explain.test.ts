/** `can`: what a policy would decide, and why. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessQuestion, explain } from "../../../src/control/access/explain.ts";
import type { Policy } from "../../../src/control/access/policy.ts";
import { aPolicy, sha256 } from "./a-policy.ts";

const document = {
  mode: "report",
  principals: {
    shop: { type: "apiKey", sha256: sha256("k"), roles: ["sender"] },
    late: { type: "apiKey", keys: [{ sha256: sha256("l"), expiresAt: "2026-01-01T00:00:00Z" }] },
    gone: { type: "hmac", scheme: "github", secretRef: "S", expiresAt: "2026-01-01T00:00:00Z" },
    idp: {
      type: "jwt",
      issuer: "i",
      audience: "a",
      algorithms: ["RS256"],
      jwksUri: "https://i.example/",
      roles: ["all"],
    },
  },
  rules: [
    { allow: ["invoke"], roles: ["sender"], routes: ["order-*"], methods: ["POST"] },
    { deny: ["invoke"], routes: ["order-secret"] },
    { allow: ["invoke"], principals: ["shop"], routes: ["near"], cidrs: ["10.0.0.0/8"] },
  ],
};

const rows: (readonly [question: AccessQuestion, expected: string])[] = [
  [{ as: "shop", route: "order-in" }, "true shop 0: rule 0 allows it"],
  [{ as: "shop", route: "order-in", method: "post" }, "true shop 0: rule 0 allows it"],
  [{ as: "shop", route: "order-in", method: "GET" }, "false shop null: no rule allows it"],
  [{ as: "shop", route: "order-secret" }, "false shop 1: rule 1 denies it"],
  [{ as: "shop", route: "near" }, "false shop null: rule 2 allows it from some addresses only: say from which one"],
  [{ as: "shop", route: "near", address: "10.0.0.1" }, "true shop 2: rule 2 allows it"],
  [{ as: "shop", route: "near", address: "::ffff:10.0.0.1" }, "true shop 2: rule 2 allows it"],
  [{ as: "shop", route: "near", address: "192.0.2.1" }, "false shop null: no rule allows it"],
  [{ as: "shop", route: "near", address: "here" }, "false null null: 'here' is no address"],
  [{ as: null, route: "order-in" }, "false null null: no rule allows it"],
  [{ route: "order-in" }, "false null null: no rule allows it"],
  [{ as: "who", route: "order-in" }, "false null null: no principal of this name can be recognised"],
  [{ as: "late", route: "order-in" }, "false null null: none of the principal's keys is valid now"],
  [{ as: "gone", route: "order-in" }, "false null null: the principal is expired"],
  [{ as: "idp", route: "order-in" }, "false null null: a token's bearer has a name behind its provider's: idp:alice"],
  [{ as: "idp:alice", route: "order-in" }, "false idp:alice null: no rule allows it"],
  [{ as: "idp:alice", roles: ["sender"], route: "order-in" }, "true idp:alice 0: rule 0 allows it"],
  [{ as: "shop", roles: ["admin"], route: "order-in" }, "true shop 0: rule 0 allows it"],
];
for (const [question, expected] of rows) {
  test(`can ${JSON.stringify(question)}`, () => {
    const { allowed, principal, rule, reason, mode, understood } = explain(aPolicy(document).policy, question);
    assert.equal(`${allowed} ${principal} ${rule}: ${reason}`, expected);
    assert.equal(mode, "report");
    assert.equal(understood, true);
  });
}

test("an explanation lists the roles that would count", () => {
  const { policy } = aPolicy(document);
  assert.deepEqual(explain(policy, { as: "shop", roles: ["x"], route: "a" }).roles, ["sender"]);
  assert.deepEqual(explain(policy, { as: "idp:a", roles: ["x"], route: "a" }).roles, ["all", "x"]);
});

test("an explanation names short forms and the reason for a closed policy", () => {
  assert.equal(explain(aPolicy({ public: true }).policy, { route: "a" }).rule, "public");
  assert.equal(explain(aPolicy({ anonymous: { allow: ["invoke"] } }).policy, { route: "a" }).rule, "anonymous");
  const closed = explain(aPolicy({}).policy, { route: "a" });
  assert.equal(closed.understood, false);
  assert.match(closed.reason, /not understood: none of .* only the deploy token gets in/);
  const foreign: Policy = {
    ...aPolicy({ public: true }).policy,
    decide: () => ({ kind: "body", decide: () => assert.fail() }),
  };
  assert.equal(explain(foreign, { route: "a" }).allowed, false);
});
