/** Tokens: what must hold, claim by claim, before the bearer is identified. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { SignJWT, UnsecuredJWT } from "jose";
import { aPolicy, bearer, Clock, codes, noon, sha256 } from "./a-policy.ts";
import { aKey, aProvider, aToken, issuer, type SigningKey } from "./a-provider.ts";

const refused = "deny unauthenticated";
const rules = [{ allow: ["invoke"] }];
let key: SigningKey;
let stranger: SigningKey;
before(async () => {
  [key, stranger] = await Promise.all([aKey("one"), aKey("one")]);
});

/** A policy whose document contains the keys. */
function inline(fields: Record<string, unknown> = {}) {
  const jwks = { keys: [key.jwk] };
  return {
    principals: { idp: { type: "jwt", issuer, audience: "flows", algorithms: ["ES256"], jwks, ...fields } },
    rules,
  };
}

const at = noon / 1000;
const claims: (readonly [name: string, claims: Record<string, unknown>, expected: string])[] = [
  ["right", {}, "allow idp:alice"],
  ["of another issuer", { iss: "https://evil.example" }, refused],
  ["without an issuer", { iss: undefined }, refused],
  ["for another audience", { aud: "others" }, refused],
  ["for several audiences", { aud: ["others", "flows"] }, "allow idp:alice"],
  ["without an audience", { aud: undefined }, refused],
  ["without a subject", { sub: undefined }, refused],
  ["with an empty subject", { sub: "" }, refused],
  ["with a line break in its subject", { sub: "a\nb" }, refused],
  ["with a very long subject", { sub: "a".repeat(256) }, refused],
  ["without an end", { exp: undefined }, refused],
  ["at its end, within the skew", { exp: at - 59 }, "allow idp:alice"],
  ["expired", { exp: at - 60 }, refused],
  ["not yet valid, within the skew", { nbf: at + 60 }, "allow idp:alice"],
  ["not yet valid", { nbf: at + 61 }, refused],
];
for (const [name, given, expected] of claims) {
  test(`a token that is ${name}`, async () => {
    const { outcome } = aPolicy(inline());
    assert.equal(await outcome({ headers: bearer(await aToken(key, given)) }), expected);
  });
}

test("a token that is missing, malformed, of another key, changed, or too long is refused", async () => {
  const { outcome } = aPolicy(inline());
  const good = await aToken(key);
  const [header, , signature] = good.split(".");
  const payload = Buffer.from(JSON.stringify({ iss: issuer, aud: "flows", sub: "root", exp: at + 60 })).toString(
    "base64url",
  );
  const bad = [
    await aToken(stranger),
    `${header}.${payload}.${signature}`,
    good.slice(0, -2),
    `${good}.${good}`,
    "a.b.c",
    "",
    await aToken(key, { filler: "x".repeat(8 * 1024) }),
  ];
  assert.equal(await outcome(), refused);
  for (const token of bad) assert.equal(await outcome({ headers: bearer(token) }), refused, token.slice(0, 100));
  assert.equal(await outcome({ headers: { "x-api-key": good } }), refused);
  assert.equal(await outcome({ headers: { authorization: `Token ${good}` } }), refused);
  assert.equal(await outcome({ headers: bearer(good) }), "allow idp:alice");
});

test("`none`, the public key as a shared secret, and algorithms that are not named are refused", async () => {
  const { outcome } = aPolicy(inline());
  const payload = { iss: issuer, aud: "flows", sub: "alice", exp: at + 60 };
  const none = new UnsecuredJWT(payload).encode();
  const shared = new TextEncoder().encode(JSON.stringify(key.jwk));
  const confused = await new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(shared);
  const rsa = await aKey("two", "RS256");
  const both = aPolicy(inline({ jwks: { keys: [key.jwk, rsa.jwk] } }));
  for (const token of [none, confused]) assert.equal(await outcome({ headers: bearer(token) }), refused);
  assert.equal(await both.outcome({ headers: bearer(await aToken(rsa)) }), refused);
});

test("keys that a token contains are ignored", async (t) => {
  const provider = await aProvider(t, [stranger]);
  const { outcome } = aPolicy(inline(), { jwks: provider.jwks });
  for (const header of [{ jku: provider.uri }, { jwk: stranger.jwk }, { x5u: provider.uri, x5c: ["AAAA"] }]) {
    assert.equal(await outcome({ headers: bearer(await aToken(stranger, {}, header)) }), refused);
  }
  assert.equal(provider.requests, 0);
});

test("`typ` is checked if the policy has it", async () => {
  const { outcome } = aPolicy(inline({ typ: "at+jwt" }));
  const typed = async (typ: string) => outcome({ headers: bearer(await aToken(key, {}, { typ })) });
  assert.equal(await typed("at+jwt"), "allow idp:alice");
  assert.equal(await typed("application/at+jwt"), "allow idp:alice");
  assert.equal(await typed("JWT"), refused);
  assert.equal(await outcome({ headers: bearer(await aToken(key)) }), refused);
});

const roleCases: (readonly [
  rolesClaim: string | undefined,
  claims: Record<string, unknown>,
  expected: readonly string[],
])[] = [
  ["roles", { roles: ["sender", 7, "", "x"] }, ["always", "sender", "x"]],
  ["scope", { scope: "sender x" }, ["always", "sender", "x"]],
  ["realm_access.roles", { realm_access: { roles: ["sender"] } }, ["always", "sender"]],
  ["https://idp.example/roles", { "https://idp.example/roles": ["sender"] }, ["always", "sender"]],
  ["roles", { roles: { sender: true } }, ["always"]],
  ["constructor.name", {}, ["always"]],
  [undefined, { roles: ["sender"] }, ["always"]],
];
for (const [rolesClaim, given, expected] of roleCases) {
  test(`roles of a token from ${rolesClaim}: ${expected.join(", ")}`, async () => {
    const { decide } = aPolicy(inline({ roles: ["always"], ...(rolesClaim !== undefined && { rolesClaim }) }));
    const decision = await decide({ headers: bearer(await aToken(key, given)) });
    assert(decision.kind === "allow");
    assert.deepEqual(decision.principal, { id: "idp:alice", type: "jwt", roles: expected });
  });
}

test("rules name a provider or one bearer of its tokens", async () => {
  const token = async (sub: string) => ({ headers: bearer(await aToken(key, { sub })) });
  const all = aPolicy({ ...inline(), rules: undefined, allow: ["idp"] });
  assert.deepEqual(all.policy.warnings, []);
  assert.equal(await all.outcome(await token("bob")), "allow idp:bob");
  const one = aPolicy({ ...inline(), rules: undefined, allow: ["idp:alice"] });
  assert.equal(await one.outcome(await token("alice")), "allow idp:alice");
  assert.equal(await one.outcome(await token("bob")), "deny forbidden");
});

test("a policy with tokens and API keys identifies each by its form", async () => {
  const { principals } = inline();
  const shop = { type: "apiKey", sha256: sha256("k") };
  const { outcome, policy } = aPolicy({ principals: { ...principals, shop }, rules });
  const token = await aToken(key);
  assert.deepEqual([...policy.credentialHeaders].sort(), ["authorization", "x-api-key"]);
  assert.equal(await outcome({ headers: bearer(token) }), "allow idp:alice");
  assert.equal(await outcome({ headers: bearer("k") }), "allow shop");
  assert.equal(await outcome({ headers: { ...bearer(token), "x-api-key": "k" } }), refused);
  assert.equal(await outcome({ headers: { ...bearer(token), "x-api-key": "wrong" } }), refused);
});

test("a principal for tokens has its own validity", async () => {
  const clock = new Clock();
  const { outcome } = aPolicy(inline({ expiresAt: clock.at(1000) }), { clock });
  const headers = bearer(await aToken(key));
  assert.equal(await outcome({ headers }), "allow idp:alice");
  clock.now += 1000;
  assert.equal(await outcome({ headers }), refused);
});

const incomplete: (readonly [name: string, fields: Record<string, unknown>, code: string])[] = [
  ["no issuer", { issuer: undefined }, "jwt_incomplete"],
  ["no audience", { audience: undefined }, "jwt_incomplete"],
  ["no algorithms", { algorithms: undefined }, "jwt_incomplete"],
  ["an empty list of audiences", { audience: [] }, "bad_value"],
  ["no keys", { jwks: undefined }, "jwt_incomplete"],
  ["two places of keys", { jwksUri: "https://idp.example/jwks" }, "jwt_incomplete"],
  ["the algorithm none", { algorithms: ["ES256", "none"] }, "jwt_algorithms"],
  ["a shared secret's algorithm", { algorithms: ["HS256"] }, "jwt_algorithms"],
  ["keys that are none", { jwks: { keys: "x" } }, "bad_value"],
  ["a private key", { jwks: { keys: [{ kty: "EC", d: "secret" }] } }, "inline_secret"],
  ["a shared key", { jwks: { keys: [{ kty: "oct", k: "secret" }] } }, "inline_secret"],
  ["keys over http from elsewhere", { jwks: undefined, jwksUri: "http://idp.example/jwks" }, "bad_value"],
  ["keys by another scheme", { jwks: undefined, jwksUri: "file:///etc/passwd" }, "bad_value"],
  ["a password in the keys' URL", { jwks: undefined, jwksUri: "https://a:b@idp.example/jwks" }, "bad_value"],
  ["a user in the keys' URL", { jwks: undefined, jwksUri: "https://a@idp.example/jwks" }, "bad_value"],
  ["an unknown field", { subject: "alice" }, "unknown_field"],
];
for (const [name, fields, code] of incomplete) {
  test(`a principal for tokens with ${name} is nobody`, async () => {
    const { outcome, policy } = aPolicy(JSON.parse(JSON.stringify(inline(fields))));
    assert(codes(policy).includes(code), codes(policy).join());
    assert.notEqual(await outcome({ headers: bearer(await aToken(key)) }), "allow idp:alice");
  });
}
