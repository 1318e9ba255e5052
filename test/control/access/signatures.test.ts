/** Signatures over a body's bytes: Standard Webhooks, GitHub's, Stripe's, and those of others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReplayCache } from "../../../src/control/access/schemes/hmac.ts";
import { aCaller, aPolicy, type Called, Clock, mac, noon, sha256 } from "./a-policy.ts";

const raw = Buffer.from("an old secret of enough bytes");
const secrets = { HOOK: `whsec_${raw.toString("base64")}`, NEXT: "the-next-secret", EMPTY: "", BROKEN: "whsec_!!" };
const body = '{"order": 17}';
const allowed = "allow sender";
const refused = "deny unauthenticated";

type Signer = (options?: { key?: string | Buffer; at?: number; id?: string; over?: string | Buffer }) => Called;

const seconds = (at: number): string => String(Math.floor(at / 1000));

const standard: Signer = ({ key = raw, at = noon, id = "msg_1", over = body } = {}) => {
  const signature = mac(key, Buffer.concat([Buffer.from(`${id}.${seconds(at)}.`), Buffer.from(over)]), "base64");
  const headers = { "webhook-id": id, "webhook-timestamp": seconds(at), "webhook-signature": `v1,${signature}` };
  return { body: over, headers };
};
const github: Signer = ({ key = secrets.HOOK, id = "72d3162e", over = body } = {}) => ({
  body: over,
  headers: { "x-hub-signature-256": `sha256=${mac(key, over)}`, "x-github-delivery": id },
});
const stripe: Signer = ({ key = secrets.HOOK, at = noon, over = body } = {}) => ({
  body: over,
  headers: { "stripe-signature": `t=${seconds(at)},v0=${"0".repeat(64)},v1=${mac(key, `${seconds(at)}.${over}`)}` },
});

function hmac(scheme: string, fields: Record<string, unknown> = { secretRef: "HOOK" }) {
  return { principals: { sender: { type: "hmac", scheme, ...fields } }, rules: [{ allow: ["invoke"] }] };
}

const schemes = { standard, github, stripe };

for (const [scheme, sign] of Object.entries(schemes)) {
  const document = hmac(scheme);
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
  const rows: (readonly [name: string, called: Called, expected: string])[] = [
    ["missing", { body }, refused],
    ["right", sign(), allowed],
    ["right, of nothing", sign({ over: "" }), allowed],
    ["of another secret", sign({ key: "wrong" }), refused],
    ["of another body", { ...sign(), body: `${body} ` }, refused],
    ["malformed", { body, headers: malformed(sign()) }, refused],
    ["cut short", { body, headers: changed(sign(), (value) => value.slice(0, -3)) }, refused],
  ];
  for (const [name, called, expected] of rows) {
    test(`${scheme}: a signature that is ${name}`, async () => {
      assert.equal(await aPolicy(document, { secrets }).outcome(called), expected);
    });
  }
  test(`${scheme}: any bytes can be signed`, async () => {
    if (scheme === "stripe") return;
    assert.equal(await aPolicy(document, { secrets }).outcome(sign({ over: bytes })), allowed);
  });
  test(`${scheme}: a delivery is accepted once per flow`, async () => {
    const clock = new Clock();
    const replay = new ReplayCache({ clock: clock.read });
    const { outcome } = aPolicy(document, { secrets, clock, replay });
    assert.equal(await outcome(sign()), allowed);
    assert.equal(await outcome(sign()), refused);
    assert.equal(await aPolicy(document, { secrets, clock, replay, flowId: "other" }).outcome(sign()), allowed);
    // A changed policy shares the deliveries of the previous one.
    assert.equal(await aPolicy({ ...document, version: 2 }, { secrets, clock, replay }).outcome(sign()), refused);
  });
  test(`${scheme}: neither a wrong signature nor a caller that the rules refuse uses up a delivery`, async () => {
    const { outcome } = aPolicy({ ...document, rules: [{ allow: ["invoke"], routes: ["order-*"] }] }, { secrets });
    assert.equal(await outcome(sign({ key: "wrong" })), refused);
    assert.equal(await outcome({ ...sign(), route: "secret" }), "deny forbidden");
    assert.equal(await outcome(sign()), allowed);
  });
  test(`${scheme}: a delivery that is refused later can be repeated`, async () => {
    const { decide } = aPolicy(document, { secrets });
    const first = await decide(sign());
    assert(first.kind === "allow");
    first.forget?.();
    assert.equal((await decide(sign())).kind, "allow");
  });
  test(`${scheme}: old and new secrets are both accepted, and a new value applies without a restart`, async () => {
    const under = aPolicy(hmac(scheme, { secretRefs: ["HOOK", "NEXT"] }), { secrets });
    assert.equal(await under.outcome(sign({ id: "a" })), allowed);
    assert.equal(await under.outcome(sign({ id: "b", key: secrets.NEXT, over: "next" })), allowed);
    under.secrets.set("NEXT", "newer");
    under.clock.now += 5000;
    assert.equal(await under.outcome(sign({ id: "c", key: secrets.NEXT, over: "old" })), refused);
    assert.equal(await under.outcome(sign({ id: "d", key: "newer", over: "new" })), allowed);
  });
  test(`${scheme}: a missing or empty secret denies the call`, async () => {
    for (const secretRef of ["NONE", "EMPTY"]) {
      const { decide } = aPolicy(hmac(scheme, { secretRef }), { secrets });
      const decision = await decide(sign({ key: "" }));
      assert(decision.kind === "deny" && decision.code === "unauthenticated");
      assert.match(
        decision.reason,
        new RegExp(`none of its secrets is there and usable: put one into SECRETS_DIR/[^/]+/${secretRef}$`),
      );
      assert.doesNotMatch(decision.message, /secret|sender/);
    }
  });
  test(`${scheme}: a signature beside an API key: both must be valid and belong to one principal`, async () => {
    const key = { type: "apiKey", sha256: sha256("k") };
    const { principals, rules } = document;
    const { outcome } = aPolicy({ principals: { ...principals, shop: key }, rules }, { secrets });
    const and = (called: Called, value: string) => ({ ...called, headers: { ...called.headers, "x-api-key": value } });
    assert.equal(await outcome(and(sign(), "wrong")), refused);
    assert.equal(await outcome(and(sign(), "k")), refused);
    assert.equal(await outcome(and(sign({ key: "wrong" }), "k")), refused);
    assert.equal(await outcome({ headers: { "x-api-key": "k" } }), "allow shop");
    assert.equal(await outcome(sign()), allowed);
  });
}

for (const [scheme, sign] of Object.entries({ standard, stripe })) {
  const within: (readonly [name: string, at: number, expected: string])[] = [
    ["as old as it may be", noon - 300_000, allowed],
    ["too old", noon - 301_000, refused],
    ["as early as it may be", noon + 300_000, allowed],
    ["too early", noon + 301_000, refused],
  ];
  for (const [name, at, expected] of within) {
    test(`${scheme}: a time that is ${name}`, async () => {
      assert.equal(await aPolicy(hmac(scheme), { secrets }).outcome(sign({ at })), expected);
    });
  }
  test(`${scheme}: the policy sets the tolerance`, async () => {
    const { outcome } = aPolicy(hmac(scheme, { secretRef: "HOOK", toleranceSeconds: 10 }), { secrets });
    assert.equal(await outcome(sign({ at: noon - 10_000 })), allowed);
    assert.equal(await outcome(sign({ at: noon - 11_000 })), refused);
  });
  test(`${scheme}: a second attempt at another time is not a repetition`, async () => {
    const { outcome, clock } = aPolicy(hmac(scheme), { secrets });
    assert.equal(await outcome(sign()), allowed);
    clock.now += 5000;
    assert.equal(await outcome(sign({ at: clock.now })), allowed);
    assert.equal(await outcome(sign({ at: clock.now })), refused);
  });
  test(`${scheme}: a delivery is not accepted twice while its time is valid`, async () => {
    const { outcome, clock } = aPolicy(hmac(scheme), { secrets });
    const early = sign({ at: noon + 300_000 });
    assert.equal(await outcome(early), allowed);
    clock.now += 600_000;
    assert.equal(await outcome(early), refused);
    clock.now += 1;
    assert.equal(await outcome(early), refused);
  });
  test(`${scheme}: one valid signature of several is enough`, async () => {
    const name = scheme === "standard" ? "webhook-signature" : "stripe-signature";
    const good = String(sign().headers?.[name]);
    const bad = String(sign({ key: "wrong" }).headers?.[name]);
    const first = scheme === "standard" ? `v1a,x ${bad} ${good}` : `${bad},${good.split(",")[2]}`;
    const headers = { ...sign().headers, [name]: first };
    assert.equal(await aPolicy(hmac(scheme), { secrets }).outcome({ body, headers }), allowed);
  });
}

test("standard: the signed parts cannot be shifted, and none may be missing", async () => {
  const { headers } = standard();
  const without = (name: string) => Object.fromEntries(Object.entries(headers ?? {}).filter(([key]) => key !== name));
  const rows = [
    standard({ id: "msg.1" }),
    standard({ id: "" }),
    { body, headers: without("webhook-id") },
    { body, headers: without("webhook-timestamp") },
    { body, headers: { ...headers, "webhook-timestamp": `${seconds(noon)}.0` } },
    { body, headers: { ...headers, "webhook-timestamp": "1e9" } },
    { body, headers: { ...headers, "webhook-id": "msg_2" } },
  ];
  for (const called of rows) assert.equal(await aPolicy(hmac("standard"), { secrets }).outcome(called), refused);
});

test("standard: a secret with the prefix is base64, one without it is text, and a malformed one is refused", async () => {
  const plain = aPolicy(hmac("standard", { secretRef: "NEXT" }), { secrets });
  assert.equal(await plain.outcome(standard({ key: secrets.NEXT })), allowed);
  const broken = aPolicy(hmac("standard", { secretRef: "BROKEN" }), { secrets });
  assert.equal(await broken.outcome(standard({ key: secrets.BROKEN })), refused);
});

test("standard: the specification's reference vector is accepted", async () => {
  const around = { secrets: { HOOK: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }, clock: new Clock() };
  around.clock.now = 1_614_265_330_000;
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const vector = { body: '{"test": 2432232314}', headers };
  assert.equal(await aPolicy(hmac("standard"), around).outcome(vector), allowed);
});

test("github: the documentation's example is accepted", async () => {
  const headers = {
    "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  };
  const under = aPolicy(hmac("github"), { secrets: { HOOK: "It's a Secret to Everybody" } });
  assert.equal(await under.outcome({ body: "Hello, World!", headers }), allowed);
  // Without a delivery id the bytes identify the delivery.
  assert.equal(await under.outcome({ body: "Hello, World!", headers }), refused);
});

test("sha256: senders may sign bodies in any header", async () => {
  const fields = {
    secretRef: "NEXT",
    header: "X-Acme-Signature",
    prefix: "v=",
    encoding: "base64",
    idHeader: "X-Acme-Id",
  };
  const { outcome, policy } = aPolicy(hmac("sha256", fields), { secrets });
  const acme = (id: string, key: string = secrets.NEXT) => ({
    body,
    headers: { "x-acme-signature": `v=${mac(key, body, "base64")}`, "x-acme-id": id },
  });
  assert.deepEqual(policy.warnings, []);
  assert.deepEqual([...policy.credentialHeaders], ["x-acme-signature"]);
  assert.equal(await outcome(acme("1")), allowed);
  assert.equal(await outcome(acme("1")), refused);
  assert.equal(await outcome(acme("2")), allowed);
  assert.equal(await outcome(acme("3", "wrong")), refused);
});

test("a call that can be refused without the body is refused, and any other waits for one body", async () => {
  const { policy } = aPolicy(hmac("standard"), { secrets });
  const old = await policy.decide(aCaller(standard({ at: noon - 400_000 })));
  assert.equal(old.kind, "deny");
  const waiting = await policy.decide(aCaller(standard()));
  assert(waiting.kind === "body");
  assert.equal(waiting.decide(Buffer.from(body)).kind, "allow");
});

test("another invalid credential is refused before the body arrives", async () => {
  const { principals, rules } = hmac("standard");
  const { policy } = aPolicy(
    { principals: { ...principals, shop: { type: "apiKey", sha256: sha256("k") } }, rules },
    { secrets },
  );
  const { headers } = standard();
  const decision = await policy.decide(aCaller({ headers: { ...headers, "x-api-key": "wrong" } }));
  assert(decision.kind === "deny" && decision.code === "unauthenticated");
});

test("two senders of one scheme are distinguished by their secrets", async () => {
  const principals = {
    a: { type: "hmac", scheme: "github", secretRef: "HOOK" },
    b: { type: "hmac", scheme: "github", secretRef: "NEXT", expiresAt: "2026-06-01T12:01:00Z" },
  };
  const { outcome, clock } = aPolicy({ principals, rules: [{ allow: ["invoke"] }] }, { secrets });
  assert.equal(await outcome(github()), "allow a");
  assert.equal(await outcome(github({ key: secrets.NEXT })), "allow b");
  clock.now += 60_000;
  assert.equal(await outcome(github({ key: secrets.NEXT, id: "later" })), refused);
});

test("the number of remembered deliveries is bounded, and the oldest are forgotten", () => {
  const clock = new Clock();
  const cache = new ReplayCache({ clock: clock.read, max: 3 });
  for (const id of ["a", "b", "c", "d"]) assert(cache.take("f", "p", id, 1000));
  assert.equal(cache.size, 3);
  assert.equal(cache.take("f", "p", "d", 1000), undefined);
  assert(cache.take("f", "p", "a", 1000));
  clock.now += 1000;
  assert(cache.take("f", "p", "d", 1000), "its time is over");
  assert.equal(cache.size, 1);
});

function changed({ headers = {} }: Called, change: (value: string) => string) {
  const name = Object.keys(headers).find((one) => one.includes("signature")) ?? "";
  return { ...headers, [name]: change(String(headers[name])) };
}

function malformed(called: Called) {
  return changed(called, () => "nonsense");
}
