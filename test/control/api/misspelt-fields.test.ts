/** A misspelt field of a document: none is without an effect and without a word. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answering } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { assertError, send } from "./calls.ts";

const yaml = answering("made", "x");
const flow = { id: "made", yaml };
const options = "params limits isolation threads record keepFailed logHandled description category tests policy".split(
  " ",
);
const ofFlow = ["yaml", ...options];
const ofSetFlow = ["id", "ifMatch", "ifNoneMatch", ...ofFlow];
const policy = { public: true };
const value = { rows: [{ from: "DE", to: "Germany" }] };

/** Texts that are one slip away from a name: another case, a letter twice, one left out, one wrong, two in the wrong order. */
function slips(name: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.nat(name.length - 1),
      fc.constantFrom("case", "twice", "out", "wrong", "order"),
      fc.constantFrom("q", "x"),
    )
    .map(([at, slip, letter]) => {
      const [before, own, after] = [name.slice(0, at), name[at] ?? "", name.slice(at + 1)];
      if (slip === "case") return before + (own === own.toUpperCase() ? own.toLowerCase() : own.toUpperCase()) + after;
      if (slip === "twice") return before + own + own + after;
      if (slip === "out") return before + after;
      return slip === "wrong" ? before + letter + after : before + after.slice(0, 1) + own + after.slice(1);
    });
}

/** A known name and a slip of it. A single letter suggests nothing. */
function misspelt(known: readonly string[]): fc.Arbitrary<readonly [name: string, meant: string]> {
  return fc
    .constantFrom(...known)
    .chain((name) => fc.tuple(slips(name), fc.constant(name)))
    .filter(([slip]) => slip.length > 1 && !known.includes(slip));
}

const refused: readonly (readonly [string, readonly string[], string, string, (extra: object) => unknown])[] = [
  ["a PUT of a flow", ofFlow, "PUT", "/flows/made", (extra) => ({ yaml, ...extra })],
  ["a rollback", ["revision"], "POST", "/flows/kept/rollback", (extra) => ({ revision: 1, ...extra })],
  [
    "a set",
    ["set", "flows", "policies", "connections", "mappings"],
    "POST",
    "/deployments",
    (extra) => ({ flows: [flow], ...extra }),
  ],
  ["a flow of a set", ofSetFlow, "POST", "/deployments", (extra) => ({ flows: [{ ...flow, ...extra }] })],
  [
    "a policy of a set",
    ["flowId", "policy"],
    "POST",
    "/deployments",
    (extra) => ({ flows: [flow], policies: [{ flowId: "made", policy, ...extra }] }),
  ],
  [
    "a mapping of a set",
    ["kind", "id", "ifMatch", "ifNoneMatch", "document", "text"],
    "POST",
    "/deployments",
    (extra) => ({ flows: [flow], mappings: [{ kind: "value", id: "m", document: value, ...extra }] }),
  ],
  [
    "a connection of a set",
    ["name", "document"],
    "POST",
    "/deployments",
    (extra) => ({
      flows: [flow],
      connections: [{ name: "c", document: { kind: "kafka", servers: ["x:1"] }, ...extra }],
    }),
  ],
];

test("a misspelt field of a flow or of a set is refused by its name, and nothing is deployed", async (t) => {
  const app = await startTestApp(t, { files: { "kept.yaml": answering("kept", "x") } });
  for (const [what, known, method, path, body] of refused) {
    await t.test(what, () =>
      fc.assert(
        fc.asyncProperty(misspelt(known), async ([name]) => {
          const message = await assertError(
            await send(app, method, path, { body: body({ [name]: {} }) }),
            422,
            "flow_invalid",
          );
          assert.match(message, new RegExp(`unknown field '${name}': did you mean '`));
          await assertError(await send(app, "GET", "/flows/made"), 404, "not_found");
        }),
        { numRuns: 20 },
      ),
    );
  }
});

test("a document with more unknown fields than are compared is refused as a whole", async (t) => {
  const app = await startTestApp(t);
  const extra = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, at]));
  const message = await assertError(
    await send(app, "PUT", "/flows/made", { body: { yaml, ...extra } }),
    422,
    "flow_invalid",
  );
  assert.match(message, /^the body has 101 unknown fields, more than 100: leave them out$/);
});

const told: readonly (readonly [string, readonly string[], string, string, (extra: object) => unknown])[] = [
  ["a validation", ofFlow, "POST", "/flows/made/validate", (extra) => ({ yaml, ...extra })],
  [
    "a policy",
    ["public", "principals", "rules", "cors", "mode"],
    "PUT",
    "/auth/other",
    (extra) => ({ ...policy, ...extra }),
  ],
  [
    "a question about a policy",
    ["as", "roles", "route", "method", "address"],
    "POST",
    "/auth/kept/can",
    (extra) => ({ route: "kept", ...extra }),
  ],
  ["a value mapping", ["name", "columns", "tests"], "PUT", "/value-mappings/m", (extra) => ({ ...value, ...extra })],
  [
    "a connection",
    ["kind", "servers", "database", "username", "options", "flows"],
    "PUT",
    "/connections/c",
    (extra) => ({ kind: "kafka", servers: ["x:1"], ...extra }),
  ],
  [
    "a message mapping",
    ["name", "source", "target", "rules", "onError"],
    "PUT",
    "/message-mappings/m",
    (extra) => ({ rules: [{ target: "/a", expr: "b" }], ...extra }),
  ],
  [
    "a call of a test session",
    ["sessionId", "endpoint", "headers", "timeoutMs"],
    "POST",
    "/test/invoke",
    (extra) => ({ sessionId: "s", endpoint: "direct:x", ...extra }),
  ],
  [
    "a message for a route",
    ["headers", "body"],
    "POST",
    "/flows/kept/routes/kept/trigger",
    (extra) => ({ body: "x", ...extra }),
  ],
  [
    "a test session",
    ["flowId", "mocks", "ttlMs", "scope"],
    "POST",
    "/test/validate",
    (extra) => ({ flowId: "kept", mocks: [], ...extra }),
  ],
  [
    "a choice of failed messages",
    ["flowId", "routeId", "before", "ids"],
    "POST",
    "/failed/discard",
    (extra) => ({ flowId: "kept", ...extra }),
  ],
  [
    "a lookup",
    ["from", "to", "qualifiers", "default"],
    "POST",
    "/value-mappings/codes/lookup",
    (extra) => ({ value: "DE", ...extra }),
  ],
  [
    "an expression",
    ["language", "expression", "params"],
    "POST",
    "/test/expression",
    (extra) => ({ language: "simple", expression: "x", ...extra }),
  ],
];

test("a misspelt field of any other document is told by its name", async (t) => {
  const app = await startTestApp(t, { files: { "kept.yaml": answering("kept", "x") } });
  assert.ok((await send(app, "PUT", "/auth/kept", { body: policy })).ok);
  assert.ok((await send(app, "PUT", "/value-mappings/codes", { body: value })).ok);
  for (const [what, known, method, path, body] of told) {
    await t.test(what, () =>
      fc.assert(
        fc.asyncProperty(misspelt(known), async ([name]) => {
          const answer = await send(app, method, path, { body: body({ [name]: {} }) });
          const text = await answer.text();
          assert.ok(
            answer.status === 200 || answer.status === 201 || answer.status === 400 || answer.status === 422,
            text,
          );
          assert.match(text, new RegExp(`unknown.*${name}|${name}.*unknown`, "s"));
        }),
        { numRuns: 20 },
      ),
    );
  }
});
