/** The access policy as a field of a flow's PUT: the document of /_api/auth, kept in one piece with the revision. */
import assert from "node:assert/strict";
import test from "node:test";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Reported {
  readonly changed: boolean;
  readonly revision: number;
  readonly policy: {
    readonly revision: number;
    readonly mode: string;
    readonly understood: boolean;
    readonly writtenBy: { readonly via: string; readonly actor: string; readonly at: string };
  } | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

const policyOf = (digit: string) => ({
  principals: { shop: { type: "apiKey", sha256: digit.repeat(64), roles: ["sender"] } },
  rules: [{ allow: ["invoke"], roles: ["sender"] }],
});
const yaml = answering("r", "x");
const read = async (answer: Response): Promise<Reported> => {
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text) as Reported;
};
const called = async (app: TestApp): Promise<number> => (await app.post("/api/r")).status;
const putAuth = (app: TestApp, document: object): Promise<Response> =>
  app.api("/auth/f", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(document),
  });

test("a policy comes into force with its flow, stays when a PUT leaves it out, and goes with null", async (t) => {
  const app = await startTestApp(t);
  const first = await read(await app.put("f", yaml, { policy: policyOf("a") }));
  assert.deepEqual([first.policy?.revision, first.policy?.mode, first.policy?.understood], [1, "enforce", true]);
  assert.equal(first.policy?.writtenBy.via, "PUT /_api/flows/f");
  assert.equal(await called(app), 401);
  const bare = await read(await app.put("f", `${yaml}# changed\n`));
  assert.deepEqual([bare.revision, bare.policy?.revision], [2, 1]);
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.equal(await called(second), 401);
  assert.deepEqual((await read(await second.api("/flows/f"))).policy, first.policy);
  const same = await read(await second.put("f", `${yaml}# changed\n`, { policy: policyOf("b") }));
  assert.deepEqual([same.changed, same.revision, same.policy?.revision], [false, 2, 2]);
  const gone = await read(await second.put("f", yaml, { policy: null }));
  assert.equal(gone.policy, null);
  assert.equal(await called(second), 200);
  assert.equal((await second.api("/auth/f")).status, 404);
});

test("the last writer wins, and both report who that was", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml, { policy: policyOf("a") });
  const auth = (await (await putAuth(app, policyOf("b"))).json()) as NonNullable<Reported["policy"]>;
  assert.deepEqual([auth.revision, auth.writtenBy.via], [2, "PUT /_api/auth/f"]);
  const bare = await read(await app.put("f", `${yaml}#\n`));
  assert.deepEqual(bare.policy?.writtenBy, auth.writtenBy);
  const own = await read(await app.put("f", yaml, { policy: policyOf("c") }));
  assert.deepEqual([own.policy?.revision, own.policy?.writtenBy.via], [3, "PUT /_api/flows/f"]);
  assert.match(own.policy?.writtenBy.actor ?? "", /^[0-9a-f]{8}$/);
  const shown = await app.api("/auth/f");
  assert.match(shown.headers.get("x-written-by") ?? "", /^PUT \/_api\/flows\/f by [0-9a-f]{8} at 2/);
  assert.deepEqual(await shown.json(), policyOf("c"));
});

test("keys in clear are refused, and so is a policy whose flow does not pass: nothing changes", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml, { policy: policyOf("a") });
  const key = "a-key-that-is-long-enough-to-be-one";
  for (const [policy, place] of [
    [{ principals: { shop: { type: "apiKey", key } } }, "/principals/shop/key"],
    [{ apiKeys: [{ name: "shop", key }] }, "/apiKeys/0/key"],
    [{ principals: { hook: { type: "hmac", secret: key } } }, "/principals/hook/secret"],
  ] as const) {
    const answer = await app.put("f", `${yaml}#\n`, { policy });
    const text = await answer.text();
    assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [422, "policy_invalid"], text);
    assert.ok(text.includes(`in clear at ${place}`) && !text.includes(key), text);
  }
  const invalid = await app.put("f", webhook("r", "lgo: x"), { policy: policyOf("b") });
  assert.equal(invalid.status, 422);
  const now = await read(await app.api("/flows/f"));
  assert.deepEqual([now.revision, now.policy?.revision], [1, 1]);
  const dry = await read(await app.put("f", `${yaml}#\n`, { policy: policyOf("b") }, "?dryRun=true"));
  assert.equal(dry.policy?.revision, 1);
});

test("warnings of a policy are among those of the PUT", async (t) => {
  const app = await startTestApp(t);
  const { warnings, policy } = await read(await app.put("f", yaml, { policy: { pricipals: {} } }));
  assert.equal(policy?.understood, false);
  assert.ok(warnings.some(({ code, message }) => code === "policy_not_understood" && message.startsWith("policy: ")));
});

test("validate reports of a policy what the PUT would, and changes nothing", async (t) => {
  const app = await startTestApp(t);
  const validate = async (policy: object | null) => {
    const init = { method: "POST", headers: { "Content-Type": "application/json" } };
    const answer = await app.api("/flows/f/validate", { ...init, body: JSON.stringify({ yaml, policy }) });
    return (await answer.json()) as {
      valid: boolean;
      diagnostics: { severity: string; code: string; message: string; pointer: string }[];
    };
  };
  const clear = { apiKeys: [{ name: "shop", key: "a-key-that-is-long-enough-to-be-one" }] };
  const refused = (await (await app.put("f", yaml, { policy: clear })).json()) as { error: string };
  const bad = await validate(clear);
  const [{ severity, code, message, pointer } = { severity: "", code: "", message: "", pointer: "" }] = bad.diagnostics;
  assert.deepEqual([bad.valid, severity, code, pointer], [false, "error", "policy_invalid", "/policy"]);
  assert.equal(message, refused.error);
  const warned = await validate({ pricipals: {} });
  assert.equal(warned.valid, true);
  assert.ok(warned.diagnostics.some((one) => one.severity === "warning" && one.code === "policy_not_understood"));
  for (const policy of [policyOf("a"), null]) {
    const { valid, diagnostics } = await validate(policy);
    assert.deepEqual([valid, diagnostics], [true, []]);
  }
  assert.equal((await app.api("/auth/f")).status, 404);
});

test("a rollback leaves the policy as it is", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml);
  await app.put("f", `${yaml}#\n`, { policy: policyOf("a") });
  const back = await app.api("/flows/f/rollback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"revision": 1}',
  });
  assert.ok(back.ok);
  assert.equal(await called(app), 401);
});
