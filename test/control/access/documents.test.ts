/** The meaning of a policy document, and the warnings about what is not understood. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenPolicy, readPolicy } from "../../../src/control/access/reading/read-policy.ts";
import { principalNames } from "../../../src/control/access/reading/read-principals.ts";
import { ReplayCache } from "../../../src/control/access/schemes/hmac.ts";
import { JwksCache } from "../../../src/control/access/schemes/provider-keys.ts";
import { aCaller, aPolicy, codes, sha256 } from "./a-policy.ts";

const shop = { type: "apiKey", sha256: sha256("k"), roles: ["sender"] };
const principals = { shop };
const invoke = { allow: ["invoke"] };

test("the contract's example is understood without a warning", () => {
  const { policy } = aPolicy({
    mode: "enforce",
    principals: {
      shop: { ...shop, expiresAt: "2027-01-01T00:00:00Z" },
      github: { type: "hmac", scheme: "github", secretRef: "GITHUB_HOOK", roles: ["sender"] },
      idp: {
        type: "jwt",
        issuer: "https://idp/x",
        audience: "flows",
        jwksUri: "https://idp/x/jwks",
        algorithms: ["RS256"],
        rolesClaim: "roles",
      },
    },
    rules: [{ ...invoke, roles: ["sender"], routes: ["order-*"], methods: ["POST"], cidrs: ["10.0.0.0/8"] }],
    anonymous: { allow: [] },
    rateLimit: { perPrincipal: { rps: 100, burst: 200 } },
    concurrency: { maxInflight: 50 },
  });
  assert.deepEqual(policy.warnings, []);
  assert.equal(policy.understood, true);
  assert.deepEqual(policy.perPrincipal, { rps: 100, burst: 200 });
  assert.equal(policy.perAddress, undefined);
  assert.equal(policy.maxInflight, 50);
  assert.equal(policy.cors, undefined);
});

const forms: (readonly [name: string, document: unknown, warnings: readonly string[]])[] = [
  [
    "principals as a list",
    {
      principals: [
        { name: "shop", ...shop },
        { id: "b", ...shop, sha256: sha256("b") },
      ],
      roles: ["sender"],
    },
    [],
  ],
  ["the type token", { principals: { ci: { type: "token", sha256: sha256("c") } }, allow: ["ci"] }, []],
  ["keys with names", { apiKeys: { shop: { sha256: sha256("k") } } }, []],
  [
    "remarks everywhere",
    {
      version: 1,
      name: "n",
      description: "d",
      $schema: "s",
      principals: { shop: { ...shop, labels: {} } },
      rules: [{ ...invoke, comment: "c" }],
    },
    [],
  ],
  ["public", { public: true }, []],
  ["not public", { public: false }, []],
  ["anonymous", { anonymous: invoke }, []],
  ["a range for everybody", { anonymous: { ...invoke, cidrs: ["10.0.0.0/8"] } }, []],
  ["roles without principals", { roles: ["sender"] }, ["no_principals"]],
  ["names without principals", { allow: ["alice"] }, ["no_principals"]],
  ["a rule without principals", { rules: [invoke] }, ["no_principals"]],
  ["a role that nobody has", { principals, roles: ["sendr"] }, ["no_principals"]],
  [
    "a name that nobody has",
    { principals, rules: [invoke, { deny: ["invoke"], principals: ["shpo"] }] },
    ["no_principals"],
  ],
  ["principals without rules", { principals }, ["no_rules"]],
  ["an action of the future", { principals, rules: [{ allow: ["invoke", "read"] }] }, ["action_not_enforced"]],
  ["no such action", { principals, rules: [{ allow: ["invoke", "fly"] }] }, ["action_not_enforced"]],
  ["a weak key", { apiKeys: [{ name: "a", key: "short" }] }, ["weak_key"]],
  ["a long key that repeats itself", { apiKeys: [{ name: "a", key: "ab".repeat(20) }] }, ["weak_key"]],
  ["a good key", { apiKeys: [{ name: "a", key: "f3b1c09e77d24a6881a5c0d3e92b4f6a" }] }, []],
  ["a key that was masked", { apiKeys: [{ name: "a", key: "***" }] }, ["bad_value", "no_principals"]],
  ["key and hash", { apiKeys: [{ name: "a", key: "b", sha256: sha256("b") }] }, ["bad_value", "no_principals"]],
  [
    "a principal without a type",
    { principals: { a: { sha256: sha256("b") } }, roles: [] },
    ["unknown_type", "no_principals"],
  ],
  [
    "a type that is not known",
    { principals: { a: { type: "basic" } }, allow: ["a"] },
    ["unknown_type", "no_principals"],
  ],
  [
    "a type of every object",
    { principals: { a: { type: "constructor" } }, allow: ["a"] },
    ["unknown_type", "no_principals"],
  ],
  ["a name with a colon", { principals: { "idp:alice": shop }, public: true }, ["bad_value"]],
  [
    "a name twice",
    { principals, apiKeys: [{ name: "shop", sha256: sha256("b") }], roles: ["sender"] },
    ["duplicate_principal"],
  ],
  [
    "a key of two",
    {
      apiKeys: [
        { name: "a", sha256: sha256("k") },
        { name: "b", sha256: sha256("k") },
      ],
    },
    ["duplicate_key"],
  ],
  [
    "a secret in clear",
    { principals: { a: { type: "hmac", scheme: "github", secret: "s" } }, public: true },
    ["inline_secret"],
  ],
  [
    "a scheme that is not known",
    { principals: { a: { type: "hmac", scheme: "md5", secretRef: "S" } }, public: true },
    ["bad_value"],
  ],
  ["no secretRef", { principals: { a: { type: "hmac", scheme: "github" } }, public: true }, ["bad_value"]],
  [
    "too many secrets",
    { principals: { a: { type: "hmac", scheme: "github", secretRefs: ["1", "2", "3", "4", "5", "6"] } }, public: true },
    ["bad_value"],
  ],
  [
    "a secret's name that is none",
    { principals: { a: { type: "hmac", scheme: "github", secretRef: "../x" } }, public: true },
    ["bad_value"],
  ],
  [
    "a header of another scheme",
    { principals: { a: { ...shop, header: "Stripe-Signature" } }, public: true },
    ["bad_value"],
  ],
  [
    "settings of another scheme",
    { principals: { a: { type: "hmac", scheme: "github", secretRef: "S", prefix: "x" } }, public: true },
    ["bad_value"],
  ],
  ["a date that is none", { principals: { a: { ...shop, expiresAt: "tomorrow" } }, public: true }, ["bad_value"]],
  ["nothing", {}, ["policy_not_understood"]],
  ["limits only", { rateLimit: {} }, ["policy_not_understood"]],
  ["no object", [], ["policy_not_understood"]],
  ["a text", "public", ["policy_not_understood"]],
  ["null", null, ["policy_not_understood"]],
  ["a field that is not known", { public: true, ipAllow: [] }, ["unknown_field", "policy_not_understood"]],
  [
    "a burst of nothing",
    { public: true, rateLimit: { perAddress: { rps: 1, burst: 0 } } },
    ["bad_value", "policy_not_understood"],
  ],
  [
    "a rate that is not finite",
    { public: true, rateLimit: { perAddress: { rps: Number.POSITIVE_INFINITY } } },
    ["bad_value", "policy_not_understood"],
  ],
  ["no rate at all", { public: true, rateLimit: { perAddress: { rps: 0 } } }, ["bad_value", "policy_not_understood"]],
];
for (const [name, document, warnings] of forms) {
  test(`a document: ${name}`, async () => {
    const { policy, outcome } = aPolicy(document);
    assert.deepEqual(codes(policy), warnings, JSON.stringify(policy.warnings));
    assert.equal(policy.understood, !warnings.includes("policy_not_understood"));
    assert.equal(await outcome({ deployToken: true }), "allow deployToken");
    if (!policy.understood) assert.equal(await outcome(), "deny forbidden");
  });
}

test("warnings have their places, and their number is bounded", () => {
  const { policy } = aPolicy({
    principals: { "a/b~c": 1, shop: { ...shop, "only/from": 1 } },
    rules: [{ ...invoke, x: 1 }],
  });
  assert.deepEqual(
    policy.warnings.map(({ code, pointer }) => `${code} ${pointer}`),
    [
      "bad_value /principals/a~1b~0c",
      "unknown_field /principals/shop/only~1from",
      "unknown_field /rules/0/x",
      "no_principals ",
    ],
  );
  const many = aPolicy({ public: true, ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, 1])) });
  assert.equal(many.policy.warnings.length, 101);
  assert.equal(many.policy.warnings.at(-1)?.code, "more_warnings");
});

test("the warning of an unknown field suggests the field that may be meant and states the effect", () => {
  const { policy } = aPolicy({ public: true, rateLimits: {}, cors: { origins: ["*"], maxAge: 5 } });
  assert.deepEqual(
    policy.warnings.map(({ message }) => message),
    [
      "/rateLimits: unknown field (did you mean 'rateLimit'?): only the deploy token gets in",
      "the policy: it has fields that are not known, which may restrict what the others allow, so only the deploy token gets in",
    ],
  );
  assert.deepEqual(
    aPolicy({ public: true, cors: { origins: ["*"], maxAge: 5 } }).policy.warnings.map(({ message }) => message),
    ["/cors/maxAge: unknown field (did you mean 'maxAgeSeconds'?): pages of other origins are offered nothing"],
  );
});

test("the cost of a stranger's call is bounded by a maximum of secrets and providers", async () => {
  const hook = { type: "hmac", scheme: "github", secretRefs: ["A", "B", "C"] };
  const hooks = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`h${i}`, hook]));
  const idp = { type: "jwt", issuer: "i", audience: "a", algorithms: ["RS256"], jwksUri: "https://i.example/" };
  const idps = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`j${i}`, idp]));
  const { policy } = aPolicy({ principals: { ...hooks, ...idps }, rules: [invoke] });
  assert.deepEqual(
    policy.warnings.map(({ code, message }) => `${code} ${message}`),
    [
      "too_many /principals: at most 10 secrets of signatures are looked at: 'h3' is nobody",
      "too_many /principals: at most 20 principals of the type jwt are looked at: 'j20' is nobody",
    ],
  );
});

test("a policy in report mode that is not understood closes its flow all the same", () => {
  assert.equal(aPolicy({ mode: "report", public: true }).policy.mode, "report");
  assert.equal(aPolicy({ mode: "report" }).policy.mode, "enforce");
  assert.equal(aPolicy({ mode: "report", public: true, extra: 1 }).policy.mode, "enforce");
});

test("an absent burst is the calls of one second", () => {
  const { policy } = aPolicy({ public: true, rateLimit: { perPrincipal: { rps: 0.5 }, perAddress: { rps: 7 } } });
  assert.deepEqual(policy.perPrincipal, { rps: 0.5, burst: 1 });
  assert.deepEqual(policy.perAddress, { rps: 7, burst: 7 });
});

test("a policy that exists and cannot be read denies with 503, except for the deploy token", async () => {
  const sources = {
    secrets: { read: async () => undefined },
    jwks: new JwksCache({ egress: () => ({ rules: [] }) }),
    replay: new ReplayCache(),
  };
  const policy = brokenPolicy("it is no JSON", sources);
  assert.equal(policy.understood, false);
  assert.deepEqual(codes(policy), ["policy_unavailable"]);
  const denied = await policy.decide(aCaller({}));
  assert(denied.kind === "deny" && denied.code === "policy_unavailable");
  assert.doesNotMatch(denied.message, /JSON/);
  assert.equal((await policy.decide(aCaller({ deployToken: true }))).kind, "allow");
});

test("a store of secrets that fails denies the call and does not reject the decision", async () => {
  const secrets = { read: () => Promise.reject(new Error("disk")) };
  const document = { principals: { a: { type: "hmac", scheme: "github", secretRef: "S" } }, rules: [invoke] };
  const sources = { secrets, jwks: new JwksCache({ egress: () => ({ rules: [] }) }), replay: new ReplayCache() };
  const decision = await readPolicy("f", document, sources).decide(
    aCaller({ headers: { "x-hub-signature-256": `sha256=${sha256("x")}` } }),
  );
  assert(decision.kind === "deny" && decision.code === "unauthenticated");
});

test("all names of a document are listed, including principals that match no caller", () => {
  assert.deepEqual(principalNames({ principals: { a: shop, b: { type: "?" } }, apiKeys: [{ name: "c" }] }), [
    "a",
    "b",
    "c",
  ]);
});

const cors: (readonly [name: string, value: unknown, expected: unknown, code?: string])[] = [
  [
    "whole",
    {
      origins: ["https://a.example", "http://localhost:3000"],
      methods: ["post"],
      headers: ["X-API-Key"],
      exposed: ["X-Run-Id"],
      credentials: true,
      maxAgeSeconds: 5,
    },
    {
      origins: ["https://a.example", "http://localhost:3000"],
      methods: ["POST"],
      headers: ["x-api-key"],
      exposed: ["X-Run-Id"],
      credentials: true,
      maxAgeSeconds: 5,
    },
  ],
  [
    "short",
    { origins: ["*"] },
    {
      origins: ["*"],
      methods: ["GET", "HEAD", "POST"],
      headers: [],
      exposed: [],
      credentials: false,
      maxAgeSeconds: 600,
    },
  ],
  ["any origin with credentials", { origins: ["*"], credentials: true }, undefined, "cors_wildcard"],
  ["without origins", { methods: ["GET"] }, undefined, "bad_value"],
  ["an origin with a path", { origins: ["https://a.example/"] }, undefined, "bad_value"],
  ["an origin in capitals", { origins: ["https://A.example"] }, undefined, "bad_value"],
  ["an origin with a pattern", { origins: ["https://*.example"] }, undefined, "bad_value"],
  ["the origin null", { origins: ["null"] }, undefined, "bad_value"],
  ["any header", { origins: ["*"], headers: ["*"] }, undefined, "bad_value"],
  ["credentials as a text", { origins: ["*"], credentials: "yes" }, undefined, "bad_value"],
  ["an age of years", { origins: ["*"], maxAgeSeconds: 1e9 }, undefined, "bad_value"],
  ["an unknown field", { origins: ["*"], regex: ".*" }, undefined, "unknown_field"],
  ["true", true, undefined, "bad_value"],
];
for (const [name, value, expected, code] of cors) {
  test(`cors: ${name}`, async () => {
    const { policy, outcome } = aPolicy({ public: true, cors: value });
    assert.deepEqual(policy.cors, expected);
    assert.deepEqual(codes(policy), code === undefined ? [] : [code]);
    assert.equal(await outcome(), "allow anonymous", "the rest of the policy stands");
  });
}
