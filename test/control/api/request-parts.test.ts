/** What refusals of a query, a body or an id say: every message is the schema's or the request reader's own, none is zod's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";
import { assertError, send } from "./calls.ts";

const queries: readonly (readonly [target: string, message: string])[] = [
  ["/runs?lmit=5", "unknown query parameter 'lmit' (did you mean 'limit'?)"],
  ["/runs?page=2", "unknown query parameter 'page'; known here are routeId, flowId, status, since, before, limit"],
  ["/limits?page=2", "unknown query parameter 'page'"],
  ["/limits?a=1&b=2", "unknown query parameter 'a', 'b'"],
  ["/runs?limit=0", "the query parameter 'limit' must be a positive whole number"],
  ["/runs?limit=5&limit=6", "the query parameter 'limit' is given more than once"],
  [
    "/runs?status=done",
    "the query parameter 'status' must be one of running, completed, failed, timeout, killed, shed, cancelled",
  ],
  ["/flows?usage=yes", "the query parameter 'usage' must be true or false"],
  ["/health?probe=none", "the query parameter 'probe' must be live or ready"],
  [
    "/runs?since=now",
    "the query parameter 'since' must be an ISO 8601 time with its zone, such as 2026-01-31T08:00:00Z",
  ],
  [
    "/runs?limit=x&flowd=y",
    "the query parameter 'limit' must be a positive whole number; unknown query parameter 'flowd' (did you mean 'flowId'?)",
  ],
];

const can = "/auth/orders/can";
const lookup = "/value-mappings/codes/lookup";
const flow = "/flows/orders";
const bodies: readonly (readonly [method: string, target: string, body: unknown, message: string])[] = [
  ["POST", can, null, "the body must be an object, not null"],
  ["POST", can, [], "the body must be an object, not an array"],
  ["POST", can, {}, "the body's field 'route' is missing"],
  ["POST", can, { route: 1 }, "the body's field 'route' must be a string, not a number"],
  ["POST", can, { route: "r".repeat(401) }, "the body's field 'route' must have at most 400 characters"],
  [
    "POST",
    can,
    { route: "r", roles: "a", method: true },
    "the body's field 'roles' must be an array, not a string; the body's field 'method' must be a string, not a boolean",
  ],
  ["POST", can, { route: "r", roles: [{}] }, "the body's field 'roles/0' must be a string, not an object"],
  ["POST", can, { route: "r", roles: Array(101).fill("a") }, "the body's field 'roles' must have at most 100 names"],
  ["PUT", "/auth/orders", "public", "the body must be an object, not a string"],
  ["POST", lookup, {}, "the body's field 'value' is missing"],
  ["POST", lookup, { value: 1, form: "a" }, "unknown field 'form' (did you mean 'from'?)"],
  [
    "POST",
    lookup,
    { value: 1, zzz: "a" },
    "unknown field 'zzz'; known here are from, to, value, qualifiers, onMissing, default",
  ],
  ["POST", lookup, { value: 1, from: 2 }, "the body's field 'from' must be the name of a column"],
  ["PUT", flow, null, 'the body must be a JSON object such as {"yaml": "..."}'],
  ["PUT", flow, {}, "the body's field 'yaml' is missing: send the flow's YAML as a string"],
  ["PUT", flow, { yaml: 1 }, "the body's field 'yaml' must be the flow's YAML as a string"],
  ["PUT", flow, { yaml: "x", params: [] }, "the body's field 'params' must be an object"],
  [
    "PUT",
    flow,
    { yaml: "x", params: { a: "b", c: ["d"] } },
    "the body's field 'params/c' must be a number, a string, a boolean or null",
  ],
  [
    "PUT",
    flow,
    { yaml: "x", limits: { queue: null } },
    "the body's field 'limits/queue' must be a number, a string or a boolean",
  ],
  [
    "PUT",
    flow,
    { yaml: "x", limits: JSON.parse('{"__proto__": 5}') },
    "the body's field 'limits' must not have the name '__proto__'",
  ],
  ["POST", `${flow}/rollback`, { revision: 1.5 }, "the body's field 'revision' must be the number of a revision"],
];

test("refusals of a request", async (t) => {
  const app = await startTestApp(t);

  await t.test("refusals of a query name the parameter and what is allowed", async () => {
    for (const [target, message] of queries) {
      assert.equal(await assertError(await send(app, "GET", target), 400, "bad_query"), message, target);
    }
  });

  await t.test("refusals of a body name the field and what is allowed", async () => {
    for (const [method, target, body, message] of bodies) {
      const text = JSON.stringify(body);
      const answer = await send(app, method, target, { body: text });
      assert.equal(await assertError(answer, 400, "bad_request"), message, `${target} ${text.slice(0, 100)}`);
    }
  });

  await t.test("a number that no double holds is refused, in place of becoming null", async () => {
    for (const [field, wanted] of [
      ["params", "a number, a string, a boolean or null"],
      ["limits", "a number, a string or a boolean"],
    ]) {
      const answer = await send(app, "PUT", flow, { body: `{"yaml": "x", "${field}": {"a": 1e999}}` });
      const message = await assertError(answer, 400, "bad_request");
      assert.equal(message, `the body's field '${field}/a' must be ${wanted}`);
    }
  });

  await t.test("an id is refused with what an id is made of", async () => {
    const message = await assertError(await send(app, "GET", "/flows/-x"), 400, "bad_id");
    assert.equal(message, "an id has 1 to 128 characters of A-Z a-z 0-9 . _ - and begins with a letter or a digit");
  });

  await t.test(
    "a refusal stays short, however many unknown fields a body has and however long their names are",
    async () => {
      const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}`.padEnd(20, "x"), i]));
      const many = await assertError(
        await send(app, "POST", lookup, { body: { value: 1, ...fields } }),
        400,
        "bad_request",
      );
      assert.match(many, /^unknown field '0xx.*, and 20 more; known here are from, to/);
      const long = { value: 1, ["x".repeat(500)]: 1 };
      const cut = await assertError(await send(app, "POST", lookup, { body: long }), 400, "bad_request");
      assert.ok(cut.startsWith(`unknown field '${"x".repeat(100)}'; known`));
    },
  );
});
