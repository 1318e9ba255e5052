/**
 * Keys of a provider, over real sockets: how long they are kept, when they are fetched again, and which answers are
 * refused.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { before, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { JwksCache } from "../../../src/control/access/schemes/provider-keys.ts";
import { cert as localhostCert, key as localhostKey } from "../../support/localhost-cert.ts";
import { aPolicy, bearer } from "./a-policy.ts";
import { aKey, aProvider, aToken, type Provider, type SigningKey } from "./a-provider.ts";

const known = "allow idp:alice";
const refused = "deny unauthenticated";
const unavailable = "deny policy_unavailable";
const minute = 60_000;
let old: SigningKey;
let next: SigningKey;
before(async () => {
  [old, next] = await Promise.all([aKey("old"), aKey("next")]);
});

/** The tokens of these tests are valid longer than any clock is set to. */
const long = { exp: 4_000_000_000 };

function under(provider: Provider) {
  const document = { principals: { idp: provider.principal() }, rules: [{ allow: ["invoke"] }] };
  const { outcome, decide, policy } = aPolicy(document, { jwks: provider.jwks, clock: provider.clock });
  assert.deepEqual(policy.warnings, []);
  return {
    decide: async (key: SigningKey) => decide({ headers: bearer(await aToken(key, long)) }),
    outcome: async (key: SigningKey) => outcome({ headers: bearer(await aToken(key, long)) }),
  };
}

test("keys are fetched once in ten minutes, and concurrent callers share one fetch", async (t) => {
  const provider = await aProvider(t, [old]);
  const { outcome } = under(provider);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(old)));
  assert.deepEqual(new Set(outcomes), new Set([known]));
  assert.equal(provider.requests, 1);
  provider.clock.now += 10 * minute - 1;
  await outcome(old);
  assert.equal(provider.requests, 1);
  provider.clock.now += 1;
  assert.equal(await outcome(old), known);
  assert.equal(provider.requests, 2);
});

test("a new key is accepted as soon as a token names it, and a removed one for at most ten minutes", async (t) => {
  const provider = await aProvider(t, [old]);
  const { outcome } = under(provider);
  assert.equal(await outcome(old), known);
  provider.serve([old, next]);
  provider.clock.now += 30_000;
  assert.equal(await outcome(next), known);
  assert.equal(await outcome(old), known);
  assert.equal(provider.requests, 2);
  provider.serve([next]);
  provider.clock.now += 10 * minute;
  assert.equal(await outcome(old), refused);
  assert.equal(await outcome(next), known);
});

test("tokens with unknown keys cause at most one request in 30 seconds", async (t) => {
  const provider = await aProvider(t, [old]);
  const { outcome } = under(provider);
  for (let i = 0; i < 5; i += 1) assert.equal(await outcome(next), refused);
  assert.equal(provider.requests, 1);
  provider.clock.now += 30_000;
  for (let i = 0; i < 5; i += 1) assert.equal(await outcome(next), refused);
  assert.equal(provider.requests, 2);
});

test("while the provider is down its last keys are used for another hour; then callers are refused as unavailable, not as invalid", async (t) => {
  const provider = await aProvider(t, [old]);
  const { outcome, decide } = under(provider);
  assert.equal(await outcome(old), known);
  provider.answer((_request, response) => response.writeHead(503).end());
  provider.clock.now += 70 * minute - 1;
  assert.equal(await outcome(old), known);
  const asked = provider.requests;
  assert.equal(await outcome(old), known);
  assert.equal(provider.requests, asked, "a provider that is down is not asked for each token");
  provider.clock.now += 1;
  assert.equal(await outcome(old), unavailable);
  const decision = await decide(old);
  assert(decision.kind === "deny");
  assert.match(
    decision.reason,
    /principal 'idp': its keys cannot be fetched: 127\.0\.0\.1:\d+ has answered with status 503/,
  );
  assert.doesNotMatch(decision.message, /idp|127|keys/);
  provider.serve([old]);
  provider.clock.now += 30_000;
  assert.equal(await outcome(old), known);
});

test("an invalid credential beside a token that cannot be verified is refused as invalid", async (t) => {
  const provider = await aProvider(t, [old], { allow: [] });
  const shop = { type: "apiKey", sha256: "0".repeat(64) };
  const document = { principals: { idp: provider.principal(), shop }, rules: [{ allow: ["invoke"] }] };
  const { outcome } = aPolicy(document, { jwks: provider.jwks, clock: provider.clock });
  const headers = bearer(await aToken(old, long));
  assert.equal(await outcome({ headers }), unavailable);
  assert.equal(await outcome({ headers: { ...headers, "x-api-key": "wrong" } }), refused);
});

const answers: (readonly [name: string, answer: Parameters<Provider["answer"]>[0], reason: RegExp])[] = [
  ["a redirect", (_, response) => response.writeHead(302, { Location: "/elsewhere" }).end(), /status 302/],
  ["too much", (_, response) => response.end(`{"keys":[]${" ".repeat(64 * 1024)}}`), /more than 65536 bytes/],
  ["no JSON", (_, response) => response.end("<html>"), /no JSON/],
  ["no set of keys", (_, response) => response.end('{"keys":{}}'), /no set of keys/],
  ["a list", (_, response) => response.end("[]"), /no set of keys/],
  ["nothing, the connection cut", (_, response) => response.destroy(), /socket hang up|ECONNRESET/],
];
for (const [name, answer, reason] of answers) {
  test(`a provider's answer gives no keys: ${name}`, async (t) => {
    const provider = await aProvider(t, [old]);
    const { decide } = under(provider);
    provider.answer(answer);
    const decision = await decide(old);
    assert(decision.kind === "deny" && decision.code === "policy_unavailable");
    assert.match(decision.reason, reason);
    assert.equal(provider.requests, 1);
  });
}

for (const [name, begin] of [
  ["never", () => {}],
  ["without end", (response: { write(text: string): void }) => response.write('{"keys":')],
] as const) {
  test(`a fetch times out if the provider answers ${name}`, async (t) => {
    const provider = await aProvider(t, [old], { withinMs: 50 });
    const { decide } = under(provider);
    provider.answer((_, response) => begin(response));
    const decision = await decide(old);
    assert(decision.kind === "deny" && decision.code === "policy_unavailable");
    assert.match(decision.reason, /has not answered within 50 ms/);
  });
}

test("a token of one provider causes no request to another", async (t) => {
  const [one, other] = [await aProvider(t, [old]), await aProvider(t, [next])];
  const principals = { idp: one.principal(), far: other.principal({ issuer: "https://far.example" }) };
  const { outcome } = aPolicy({ principals, allow: ["idp", "far"] }, { jwks: one.jwks, clock: one.clock });
  assert.equal(await outcome({ headers: bearer(await aToken(old, long)) }), known);
  assert.equal(
    await outcome({ headers: bearer(await aToken(next, { ...long, iss: "https://who.example" })) }),
    refused,
  );
  assert.deepEqual([one.requests, other.requests], [1, 0]);
  assert.equal(
    await outcome({ headers: bearer(await aToken(next, { ...long, iss: "https://far.example" })) }),
    "allow far:alice",
  );
});

test("any failure within a decision denies the call", async (t) => {
  class Failing extends JwksCache {
    override keys(): Promise<never> {
      return Promise.reject(new Error("a fault of ours"));
    }
  }
  const provider = await aProvider(t, [old]);
  const document = { principals: { idp: provider.principal() }, allow: ["idp"] };
  const { outcome } = aPolicy(document, {
    jwks: new Failing({ egress: () => ({ rules: [] }) }),
    clock: provider.clock,
  });
  assert.equal(await outcome({ headers: bearer(await aToken(old, long)) }), unavailable);
});

test("over https the provider needs a valid certificate", async (t) => {
  const server = createServer({ key: localhostKey, cert: localhostCert }, (_, response) =>
    response.end(JSON.stringify({ keys: [old.jwk] })),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const provider = await aProvider(t, []);
  const ask = async () => {
    const jwksUri = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const document = { principals: { idp: provider.principal({ jwksUri }) }, allow: ["idp"] };
    const rules = [{ kind: "host", host: "localhost", below: false }] as const;
    const jwks = new JwksCache({ egress: () => ({ rules }), clock: provider.clock.read });
    return aPolicy(document, { jwks, clock: provider.clock }).decide({ headers: bearer(await aToken(old, long)) });
  };
  const unknown = await ask();
  assert(unknown.kind === "deny" && unknown.code === "policy_unavailable");
  assert.match(unknown.reason, /certificate/);
  const before = getCACertificates("default");
  t.after(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, localhostCert]);
  assert.equal((await ask()).kind, "allow");
});

test("keys are fetched only from where flows may call", async (t) => {
  const provider = await aProvider(t, [old], { allow: [] });
  const decision = await under(provider).decide(old);
  assert(decision.kind === "deny" && decision.code === "policy_unavailable");
  assert.match(
    decision.reason,
    /loopback address, which flows may not call: the operator may allow it with EGRESS_ALLOW/,
  );
  assert.equal(provider.requests, 0);
});

test("a name is checked by the addresses that it resolves to", async (t) => {
  const byName = async (allow: Parameters<typeof aProvider>[2]) => {
    const provider = await aProvider(t, [old], allow);
    const uri = provider.uri.replace("127.0.0.1", "localhost");
    const document = { principals: { idp: provider.principal({ jwksUri: uri }) }, rules: [{ allow: ["invoke"] }] };
    const { outcome } = aPolicy(document, { jwks: provider.jwks, clock: provider.clock });
    return outcome({ headers: bearer(await aToken(old)) });
  };
  assert.equal(await byName({ allow: [{ kind: "host", host: "localhost", below: false }] }), known);
  assert.equal(await byName({ allow: [] }), unavailable);
});

test("a key that a provider publishes with its private part verifies nothing", async (t) => {
  const provider = await aProvider(t, [old]);
  provider.serve([{ ...old, jwk: { ...old.jwk, d: "AAAA" } }]);
  assert.equal(await under(provider).outcome(old), refused);
});
