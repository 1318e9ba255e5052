/** Policies as they are stored and shown: without clear keys and secrets, and otherwise as they were sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hashKeys, maskPolicy } from "../../../src/control/access/reading/kept-document.ts";
import { aPolicy, bearer, codes, sha256 } from "./a-policy.ts";

const good = "f3b1c09e77d24a6881a5c0d3e92b4f6a";

test("clear keys are replaced by their hashes wherever a key may be", async () => {
  const sent = {
    principals: {
      shop: { type: "apiKey", key: good, roles: ["r"] },
      mill: { type: "apiKey", keys: [{ key: "weak", expiresAt: "2027-01-01T00:00:00Z" }] },
    },
    apiKeys: [{ name: "bob", key: `${good}b` }],
    roles: ["r"],
    allow: ["bob", "mill"],
  };
  const before = structuredClone(sent);
  const { document, hashed } = hashKeys(sent as unknown);
  assert.equal(hashed, true);
  assert.deepEqual(sent, before);
  assert.deepEqual(document, {
    principals: {
      shop: { type: "apiKey", sha256: sha256(good), roles: ["r"] },
      mill: { type: "apiKey", keys: [{ sha256: sha256("weak"), weak: true, expiresAt: "2027-01-01T00:00:00Z" }] },
    },
    apiKeys: [{ name: "bob", sha256: sha256(`${good}b`) }],
    roles: ["r"],
    allow: ["bob", "mill"],
  });
  const kept = aPolicy(document);
  for (const [key, name] of [
    [good, "shop"],
    ["weak", "mill"],
    [`${good}b`, "bob"],
  ] as const) {
    assert.equal(await kept.outcome({ headers: bearer(key) }), `allow ${name}`);
  }
  assert.deepEqual(codes(kept.policy), ["weak_key"], "that it is weak is known though the key is gone");
  assert.deepEqual(hashKeys(document), { document, hashed: false });
  assert.deepEqual(maskPolicy(document), document);
});

test("a key that no header could carry matches no caller, is not stored, and causes a warning", () => {
  for (const key of [`${good}\n`, ` ${good}`, `${good}\u0000a`]) {
    const { document, hashed } = hashKeys({ apiKeys: [{ name: "a", key }] } as unknown);
    assert.equal(hashed, false);
    assert.deepEqual(document, { apiKeys: [{ name: "a", key: "***" }] });
    const { policy } = aPolicy(document);
    assert.deepEqual(codes(policy), ["bad_value", "no_principals"]);
    assert.match(policy.warnings[0]?.message ?? "", /^\/apiKeys\/0\/key: .*no line end/);
  }
});

test("keys are hashed in a list of principals and in keys by name", () => {
  const { document } = hashKeys({
    principals: [{ name: "a", type: "apiKey", key: good }],
    apiKeys: { b: { key: good } },
  } as unknown);
  const expected = {
    principals: [{ name: "a", type: "apiKey", sha256: sha256(good) }],
    apiKeys: { b: { sha256: sha256(good) } },
  };
  assert.deepEqual(document, expected);
});

test("values that are not secrets stay as they were sent", () => {
  const document = {
    version: 1,
    principals: {
      "secret-service": { type: "apiKey", sha256: sha256("k"), header: "X-Token", roles: ["token"] },
      github: { type: "hmac", scheme: "github", secretRef: "HOOK", description: "our key customer" },
      both: { type: "hmac", scheme: "standard", secretRefs: ["OLD", "NEW"] },
      idp: {
        type: "jwt",
        issuer: "https://idp.example/",
        audience: "flows",
        jwks: { keys: [{ kty: "EC", crv: "P-256", x: "a", y: "b", kid: "1" }] },
      },
    },
    rules: [{ allow: ["invoke"], routes: ["*"], roles: ["password"] }],
    public: false,
    cors: { origins: ["https://a.example"], headers: ["authorization"], credentials: true },
  };
  assert.deepEqual(maskPolicy(document), document);
  assert.deepEqual(hashKeys(document).document, document);
});

test("secrets are neither shown nor stored", () => {
  const sent = {
    principals: {
      a: {
        type: "hmac",
        scheme: "github",
        secretRef: "S14 is the secret itself",
        secret: "S1",
        secrets: ["S2", { value: "S3" }],
      },
      b: {
        type: "jwt",
        jwks: {
          keys: [
            { kty: "EC", d: "S4", x: "open" },
            { kty: "oct", k: "S5" },
          ],
        },
        jwksUri: "https://u:S6@idp.example/",
      },
      c: { type: "apiKey", sha256: "S7", keys: ["S8"] },
      token: "S9",
      d: { type: "apiKey", key: 1234, password: 5678 },
      e: { type: "apiKey", sha256: sha256("k"), key: "S13" },
      f: { type: "apiKey", Key: "S15", KEYS: ["S16"], sha256: ["S17"], clientKey: "S18" },
    },
    apiKeys: ["S10", { name: "x", apiKey: "S11" }],
    credentials: { user: "S12" },
  };
  for (const document of [maskPolicy(sent), hashKeys(sent as unknown).document]) {
    const text = JSON.stringify(document);
    assert.doesNotMatch(text, /S\d|1234|5678/);
    assert.match(text, /"x":"open"/);
  }
});

test("values that are nested too deeply are cut off", () => {
  const deep = JSON.parse(
    `{"public": true, "x": ${"[".repeat(50_000)}${"]".repeat(50_000)}, "secretRefs": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  );
  for (const document of [maskPolicy(deep), hashKeys(deep).document]) assert(JSON.stringify(document).length < 1000);
  assert.equal(aPolicy(deep).policy.understood, false);
});

test("a masked key is never accepted as a key", async () => {
  const { document } = hashKeys({ apiKeys: [{ name: "a", key: "***" }] } as unknown);
  assert.equal(await aPolicy(document).outcome({ headers: bearer("***") }), "deny forbidden");
});

/** Names under which no value is shown, spelt as people spell them. */
const secretNames = fc.constantFrom(
  "key",
  "secret",
  "token",
  "password",
  "apiKey",
  "api_key",
  "client_secret",
  "accessToken",
  "X-Api-Key",
  "Authorization",
  "secrets",
  "keys",
);
const plainNames = fc.oneof(
  fc.constantFrom("principals", "apiKeys", "keys", "rules", "a", "__proto__", "constructor", "jwks", "roles"),
  fc.string({ maxLength: 6 }),
);
const planted = "PLANTED-7f3a";

/** Any JSON, in which a secret stands under a secret name, at any depth, by itself or in lists. */
const withSecret = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null)),
  secret: fc
    .tuple(secretNames, fc.oneof(fc.constant(planted), fc.constant([planted]), fc.constant([["x", planted]])))
    .map(([name, value]) => Object.fromEntries([[name, value]])),
  nest: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    tie("secret"),
    fc
      .tuple(plainNames, tie("nest"), tie("leaf"))
      .map(([name, value, other]) =>
        JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)},"z":${JSON.stringify(other)}}`),
      ),
    fc.tuple(tie("leaf"), tie("nest")),
  ),
}));

test("a secret under a secret name is masked at any place", () => {
  fc.assert(
    fc.property(withSecret.nest, (document) => {
      assert(!JSON.stringify(maskPolicy(document)).includes(planted));
      assert(!JSON.stringify(hashKeys(document).document).includes(planted));
    }),
    { numRuns: 500 },
  );
});

test("masking changes only texts and numbers, and masking again changes nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      const masked = maskPolicy(document);
      assert.deepEqual(maskPolicy(masked), masked);
      assert.deepEqual(shape(masked), shape(document));
    }),
    { numRuns: 300 },
  );
});

/** Names and nesting. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : 0;
  return Object.entries(value).map(([name, item]) => [name, shape(item)]);
}
