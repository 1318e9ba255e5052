/** API keys: a key identifies its principal, and every other key is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aPolicy, bearer, Clock, sha256 } from "./a-policy.ts";

const key = "kY3vN8sQ1xWz5tRb7mLc2pHd9fGj4aUe";
const other = "Zq6wE2rT8yU4iO0pA7sD3fG9hJ5kL1xC";
const rules = [{ allow: ["invoke"] }];
const shop = (fields: Record<string, unknown> = {}) => ({
  principals: {
    shop: { type: "apiKey", sha256: sha256(key), ...fields },
    mill: { type: "token", sha256: sha256(other) },
  },
  rules,
});

const allowed = "allow shop";
const refused = "deny unauthenticated";
const cases: (readonly [name: string, fields: Record<string, unknown>, headers: Record<string, string>, string])[] = [
  ["none", {}, {}, refused],
  ["the right one as a bearer", {}, bearer(key) as Record<string, string>, allowed],
  ["the scheme in capitals", {}, { authorization: `BEARER ${key}` }, allowed],
  ["the scheme of the challenge", {}, { authorization: `ApiKey ${key}` }, allowed],
  ["the right one in X-API-Key", {}, { "x-api-key": key }, allowed],
  ["another principal's", {}, { "x-api-key": other }, "allow mill"],
  ["a wrong one", {}, { "x-api-key": `${key.slice(1)}x` }, refused],
  ["one that is longer", {}, { "x-api-key": `${key}x` }, refused],
  ["an empty one", {}, { "x-api-key": "" }, refused],
  ["a bearer without anything", {}, { authorization: "Bearer" }, refused],
  ["the hash in place of the key", {}, { "x-api-key": sha256(key) }, refused],
  ["under a scheme that is no matter of the policy", {}, { authorization: `Basic ${key}` }, refused],
  ["two values of one header", {}, { "x-api-key": `${key}, ${key}` }, refused],
  ["two of one principal", {}, { "x-api-key": key, authorization: `Bearer ${key}` }, allowed],
  ["a right and a wrong one", {}, { "x-api-key": key, authorization: "Bearer wrong" }, refused],
  ["two of two principals", {}, { "x-api-key": key, authorization: `Bearer ${other}` }, refused],
  ["in a header of its own", { header: "X-Shop-Key" }, { "x-shop-key": key }, allowed],
  ["wrong in a header of its own", { header: "X-Shop-Key" }, { "x-shop-key": "x" }, refused],
  ["in a header that is not its own", {}, { "x-shop-key": key }, refused],
  ["with its hash's name", { sha256: `sha256:${sha256(key).toUpperCase()}` }, { "x-api-key": key }, allowed],
  ["expired", { expiresAt: "2026-06-01T12:00:00Z" }, { "x-api-key": key }, refused],
  ["about to expire", { expiresAt: "2026-06-01T12:00:00.001Z" }, { "x-api-key": key }, allowed],
  ["expired by an offset", { expiresAt: "2026-06-01T13:59:59+02:00" }, { "x-api-key": key }, refused],
  ["not yet valid", { notBefore: "2026-06-01T12:00:00.001Z" }, { "x-api-key": key }, refused],
  ["valid from now on", { notBefore: "2026-06-01T12:00:00Z" }, { "x-api-key": key }, allowed],
  ["a date that is none", { expiresAt: "soon" }, { "x-api-key": key }, refused],
  ["a day that is none", { expiresAt: "2027-02-30T00:00:00Z" }, { "x-api-key": key }, refused],
  ["a date without an offset", { expiresAt: "2027-01-01T00:00:00" }, { "x-api-key": key }, refused],
  ["an unknown field", { onlyFrom: "10.0.0.0/8" }, { "x-api-key": key }, refused],
  ["a remark", { description: "the shop's" }, { "x-api-key": key }, allowed],
];

for (const [name, fields, headers, expected] of cases) {
  test(`an API key: ${name}`, async () => {
    assert.equal(await aPolicy(shop(fields)).outcome({ headers }), expected);
  });
}

test("while keys are exchanged, the old and the new one are valid, each in its period", async () => {
  const clock = new Clock();
  const keys = [
    { sha256: sha256(key), expiresAt: clock.at(1000) },
    { sha256: sha256(other), notBefore: clock.at(-1000) },
  ];
  const { outcome } = aPolicy({ principals: { shop: { type: "apiKey", keys } }, rules }, { clock });
  const both = async () => [await outcome({ headers: bearer(key) }), await outcome({ headers: bearer(other) })];
  assert.deepEqual(await both(), [allowed, allowed]);
  clock.now += 1000;
  assert.deepEqual(await both(), [refused, allowed]);
  clock.now -= 2001;
  assert.deepEqual(await both(), [allowed, refused]);
});

test("a key that two principals have identifies the first one", async () => {
  const both = { first: { type: "apiKey", sha256: sha256(key) }, second: { type: "apiKey", sha256: sha256(key) } };
  assert.equal(await aPolicy({ principals: both, rules }).outcome({ headers: bearer(key) }), "allow first");
});

test("a key that is not understood does not affect the others", async () => {
  const keys = [{ sha256: "short" }, { sha256: sha256(other), from: "x" }, "clear", { sha256: sha256(key) }];
  const { outcome, policy } = aPolicy({ principals: { shop: { type: "apiKey", keys } }, rules });
  assert.equal(await outcome({ headers: bearer(key) }), allowed);
  assert.equal(await outcome({ headers: bearer(other) }), refused);
  assert.deepEqual(
    policy.warnings.map(({ code, pointer }) => `${code} ${pointer}`),
    [
      "bad_value /principals/shop/keys/0/sha256",
      "unknown_field /principals/shop/keys/1/from",
      "bad_value /principals/shop/keys/2",
    ],
  );
});

test("bytes beyond ASCII are compared as they were sent", async () => {
  const accented = "schlüssel-für-den-händler-ä-ö-ü-0123456789";
  const { outcome } = aPolicy({ apiKeys: [{ name: "shop", sha256: sha256(accented) }] });
  const received = Buffer.from(accented).toString("latin1");
  assert.equal(await outcome({ headers: bearer(received) }), allowed);
});

test("a 401 names the schemes and the error of a bad bearer; its message names no principal", async () => {
  const { decide } = aPolicy(shop());
  const missing = await decide();
  const wrong = await decide({ headers: bearer("wrong") });
  assert(missing.kind === "deny" && wrong.kind === "deny");
  assert.equal(missing.challenge, 'Bearer realm="flow", ApiKey realm="flow"');
  assert.equal(wrong.challenge, 'Bearer realm="flow", error="invalid_token", ApiKey realm="flow"');
  for (const { message } of [missing, wrong]) assert.doesNotMatch(message, /shop|mill|rule/);
});

test("headers that carry keys are listed, so that flows do not see them", () => {
  const { policy } = aPolicy(shop({ header: "X-Shop-Key" }));
  assert.deepEqual([...policy.credentialHeaders].sort(), ["authorization", "x-api-key", "x-shop-key"]);
  assert.deepEqual([...aPolicy({ public: true }).policy.credentialHeaders], []);
});
