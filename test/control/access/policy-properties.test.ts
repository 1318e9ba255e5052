/** Any document as a policy: reading never throws, and only a document that says so admits everybody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { explain } from "../../../src/control/access/explain.ts";
import { hashKeys, maskPolicy } from "../../../src/control/access/reading/kept-document.ts";
import { aCaller, aPolicy } from "./a-policy.ts";

const words = [
  "principals",
  "apiKeys",
  "rules",
  "roles",
  "allow",
  "deny",
  "mode",
  "default",
  "rateLimit",
  "concurrency",
  "cors",
  "type",
  "apiKey",
  "hmac",
  "jwt",
  "scheme",
  "standard",
  "secretRef",
  "key",
  "sha256",
  "invoke",
  "*",
  "routes",
  "methods",
  "cidrs",
  "name",
  "enforce",
  "report",
  "expiresAt",
  "keys",
  "jwks",
  "issuer",
  "audience",
  "algorithms",
  "RS256",
  "jwksUri",
  "header",
  "perPrincipal",
  "rps",
  "maxInflight",
  "origins",
  "0.0.0.0/0",
  "__proto__",
  "constructor",
];
const text = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 }));

/** Shaped like policies; with `open`, also what lets everybody in. */
function documents(open: boolean) {
  const name = open ? fc.oneof(text, fc.constantFrom("public", "anonymous")) : text;
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      text,
      fc.constantFrom(true, false, null, 0, 1, -1, 1e9),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie("json")), { maxLength: 5 }).map((members) => {
        const fields = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        return JSON.parse(`{${fields.join(",")}}`);
      }),
    ),
  }));
  const member = (of: readonly string[]) => fc.tuple(fc.constantFrom(...of), json);
  return fc
    .array(member([...words.slice(0, 11), ...(open ? ["public", "anonymous"] : [])]), { maxLength: 6 })
    .map(Object.fromEntries);
}

const strangers = [
  {},
  { headers: { authorization: "Bearer x", "x-api-key": "***" } },
  { headers: { "webhook-signature": "v1,x" } },
];

test("a document without a rule for anonymous callers admits none", async () => {
  await fc.assert(
    fc.asyncProperty(documents(false), async (document) => {
      const { policy } = aPolicy(document);
      for (const stranger of strangers) {
        const decision = await policy.decide(aCaller(stranger));
        assert.equal(decision.kind, "deny", JSON.stringify(document));
      }
      assert.equal((await policy.decide(aCaller({ deployToken: true }))).kind, "allow");
      assert.equal(explain(policy, { route: "a", as: null }).allowed, false);
    }),
    { numRuns: 500 },
  );
});

test("reading, storing, showing and explaining never throw; the stored document decides like the sent one", async () => {
  await fc.assert(
    fc.asyncProperty(documents(true), async (document) => {
      const { policy } = aPolicy(document);
      const kept = aPolicy(hashKeys(document).document).policy;
      JSON.stringify(maskPolicy(document));
      for (const as of [null, "name", "jwt:a", "apiKey"]) explain(policy, { as, route: "x", address: "10.0.0.1" });
      for (const stranger of strangers) {
        const [one, other] = [await policy.decide(aCaller(stranger)), await kept.decide(aCaller(stranger))];
        assert.equal(one.kind, other.kind, JSON.stringify(document));
      }
      if (!policy.understood) assert(policy.warnings.length > 0);
    }),
    { numRuns: 500 },
  );
});

test("any JSON is read without an error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      aPolicy(document);
      hashKeys(document);
    }),
    { numRuns: 300 },
  );
});
