/** Every scheme with every kind of credential, under every kind of policy, through real sockets: who gets in, and what the flow sees. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  github,
  jwt,
  type Sent,
  seconds,
  sha256,
  standard,
  startProvider,
  stripe,
  tokenKey,
} from "../support/credentials.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, token } from "../support/start-app.ts";

const past = "2020-01-01T00:00:00Z";
const future = "2999-01-01T00:00:00Z";
const key = (name: string): string => `${name}-${sha256(name).slice(0, 40)}`;
const whsec = (name: string): string => `whsec_${Buffer.from(sha256(name), "hex").toString("base64")}`;

const names = [
  ..."missing malformed wrong expired future right rotatedOld rotatedNew twoAtOnce twoThatDiffer".split(" "),
] as const;

/** What a flow answers: its caller, and the credentials that have reached it. */
const seen = webhook(
  "ROUTE",
  'setBody: { simple: "${header.CamelPrincipal}|${header.authorization}${header.x-api-key}${header.webhook-signature}${header.x-hub-signature-256}${header.stripe-signature}" }',
);

const secrets = {
  STANDARD_OLD: whsec("standard old"),
  STANDARD_NEW: whsec("standard new"),
  GITHUB_OLD: key("github old"),
  GITHUB_NEW: key("github new"),
  GITHUB_LATE: key("github late"),
  GITHUB_EARLY: key("github early"),
  STRIPE_OLD: key("stripe old"),
  STRIPE_NEW: key("stripe new"),
};

const oldKey = tokenKey("old");
const newKey = tokenKey("new");
/** Says that it is the old one. */
const strangeKey = tokenKey("old");
let calls = 0;

/** Headers for a body that comes once. */
type Make = (body: string, id: string, claims: (more?: object) => object) => Sent;
const bearer = (value: string): Sent => ({ Authorization: `Bearer ${value}` });
const late = 400;

/** In the order of `names`; the caller that is recognised, if it is the usual one of the scheme. */
const schemes: Readonly<Record<string, { readonly caller: string; readonly sent: readonly (Make | undefined)[] }>> = {
  apiKey: {
    caller: "shop",
    sent: [
      () => ({}),
      () => bearer(""),
      () => bearer(key("wrong")),
      () => bearer(key("expired")),
      () => bearer(key("future")),
      () => bearer(key("right")),
      () => ({ "X-API-Key": key("shop old") }),
      () => ({ "X-API-Key": key("shop new") }),
      () => ({ "X-API-Key": key("shop old"), ...bearer(key("shop new")) }),
      () => ({ "X-API-Key": key("wrong"), ...bearer(key("right")) }),
    ],
  },
  standard: {
    caller: "standard",
    sent: [
      (body, id) => ({ "webhook-id": standard(whsec("x"), body, id)["webhook-id"] ?? "" }),
      (body, id) => ({ ...standard(secrets.STANDARD_NEW, body, id), "webhook-signature": "v1,nothing" }),
      (body, id) => standard(whsec("wrong"), body, id),
      (body, id) => standard(secrets.STANDARD_NEW, body, id, seconds(-late)),
      (body, id) => standard(secrets.STANDARD_NEW, body, id, seconds(late)),
      (body, id) => standard(secrets.STANDARD_NEW, body, id),
      (body, id) => standard(secrets.STANDARD_OLD, body, id),
      (body, id) => standard(secrets.STANDARD_NEW, body, id),
      (body, id) => standard([secrets.STANDARD_OLD, secrets.STANDARD_NEW], body, id),
      (body, id) => ({ ...standard(secrets.STANDARD_NEW, body, id), ...bearer(key("right")) }),
    ],
  },
  github: {
    caller: "github",
    sent: [
      () => ({ "x-github-delivery": "1" }),
      (_, id) => ({ "x-hub-signature-256": "sha256=zz", "x-github-delivery": id }),
      (body, id) => github(key("wrong"), body, id),
      (body, id) => github(secrets.GITHUB_LATE, body, id),
      (body, id) => github(secrets.GITHUB_EARLY, body, id),
      (body, id) => github(secrets.GITHUB_NEW, body, id),
      (body, id) => github(secrets.GITHUB_OLD, body, id),
      (body, id) => github(secrets.GITHUB_NEW, body, id),
      undefined,
      (body, id) => ({ ...github(secrets.GITHUB_NEW, body, id), ...standard(secrets.STANDARD_NEW, body, id) }),
    ],
  },
  stripe: {
    caller: "stripe",
    sent: [
      undefined,
      () => ({ "stripe-signature": "t=now,v1=00" }),
      (body) => stripe(key("wrong"), body),
      (body) => stripe(secrets.STRIPE_NEW, body, seconds(-late)),
      (body) => stripe(secrets.STRIPE_NEW, body, seconds(late)),
      (body) => stripe(secrets.STRIPE_NEW, body),
      (body) => stripe(secrets.STRIPE_OLD, body),
      (body) => stripe(secrets.STRIPE_NEW, body),
      (body) => stripe([secrets.STRIPE_OLD, secrets.STRIPE_NEW], body),
      (body) => ({ ...stripe(secrets.STRIPE_NEW, body), "X-API-Key": key("wrong") }),
    ],
  },
  jwt: {
    caller: "idp:alice",
    sent: [
      undefined,
      () => bearer("one.two.three"),
      (_body, _id, claims) => bearer(jwt(strangeKey, claims())),
      (_body, _id, claims) => bearer(jwt(newKey, claims({ exp: seconds(-late) }))),
      (_body, _id, claims) => bearer(jwt(newKey, claims({ nbf: seconds(late) }))),
      (_body, _id, claims) => bearer(jwt(newKey, claims())),
      (_body, _id, claims) => bearer(jwt(oldKey, claims())),
      (_body, _id, claims) => bearer(jwt(newKey, claims())),
      undefined,
      (_body, _id, claims) => ({ ...bearer(jwt(newKey, claims())), "X-API-Key": key("right") }),
    ],
  },
};

const good = new Set(["right", "rotatedOld", "rotatedNew", "twoAtOnce"]);

test("who gets in: scheme x credential x policy", async (t) => {
  const provider = await startProvider(t, [oldKey, newKey]);
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-test-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, "data", "policies"), { recursive: true });
  await writeFile(join(directory, "data", "policies", "broken.document"), "half a docu");
  const app = await startTestApp(t, {
    directory,
    egressAllow: provider.host,
    limits: { authFailuresPerMinute: 1_000_000 },
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`_shared/${name}`, value])),
  });
  const policy = {
    principals: {
      shop: {
        ...{ type: "apiKey", sha256: sha256(key("right")) },
        keys: [
          { sha256: sha256(key("shop old")), expiresAt: future },
          { sha256: sha256(key("shop new")), notBefore: past },
        ],
      },
      gone: { type: "apiKey", sha256: sha256(key("expired")), expiresAt: past },
      coming: { type: "apiKey", sha256: sha256(key("future")), notBefore: future },
      standard: { type: "hmac", scheme: "standard", secretRefs: ["STANDARD_OLD", "STANDARD_NEW"] },
      github: { type: "hmac", scheme: "github", secretRefs: ["GITHUB_OLD", "GITHUB_NEW"] },
      githubLate: { type: "hmac", scheme: "github", secretRef: "GITHUB_LATE", expiresAt: past },
      githubEarly: { type: "hmac", scheme: "github", secretRef: "GITHUB_EARLY", notBefore: future },
      stripe: { type: "hmac", scheme: "stripe", secretRefs: ["STRIPE_OLD", "STRIPE_NEW"] },
      ...provider.policy.principals,
    },
    rules: [{ allow: ["invoke"], principals: ["*"] }],
  };
  const policies = {
    guarded: policy,
    reporting: { ...policy, mode: "report" },
    strange: { guardians: policy.principals },
  };
  for (const [id, document] of Object.entries(policies)) {
    const answer = await app.api(`/auth/${id}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(document),
    });
    assert.equal(answer.status, 201, await answer.text());
  }
  for (const id of ["open", "guarded", "reporting", "strange", "broken"]) {
    assert.equal((await app.put(id, seen.replace("ROUTE", id))).status, 201);
  }

  async function call(flow: string, make: Make): Promise<string> {
    const id = `delivery-${++calls}`;
    const body = `{"call":${calls}}`;
    const answer = await app.post(`/api/${flow}`, body, make(body, id, provider.claims));
    const text = await answer.text();
    return answer.status === 200 ? `200 ${text}` : `${answer.status} ${answer.headers.get("x-error-code")}`;
  }

  const wrong: string[] = [];
  let rows = 0;
  async function expect(what: string, flow: string, make: Make, expected: string | RegExp): Promise<void> {
    rows += 1;
    const got = await call(flow, make);
    if (typeof expected === "string" ? got !== expected : !expected.test(got)) wrong.push(`${what}, ${flow}: ${got}`);
  }

  for (const [scheme, { caller, sent }] of Object.entries(schemes)) {
    for (const [i, make] of sent.entries()) {
      const name = names[i] as string;
      if (make === undefined) continue;
      const what = `${scheme}, ${name}`;
      const isGood = good.has(name);
      await expect(what, "guarded", make, isGood ? `200 ${caller}|` : "401 unauthenticated");
      await expect(what, "reporting", make, isGood ? `200 ${caller}|` : /^200 (?:anonymous)?\|$/);
      await expect(what, "strange", make, "403 forbidden");
      await expect(what, "broken", make, "503 policy_unavailable");
      // It sees what its caller has sent, and no caller.
      await expect(what, "open", make, name === "missing" ? "200 |" : /^200 \|.+/);
    }
  }
  for (const flow of ["guarded", "reporting", "strange", "broken"]) {
    await expect("deploy token", flow, () => bearer(token), "200 deployToken|");
  }
  await expect("deploy token", "open", () => bearer(token), "200 |");
  assert.deepEqual(wrong, []);
  assert.ok(rows > 200, `${rows} rows`);
});
