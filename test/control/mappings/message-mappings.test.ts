/** Message mappings through the management API, and their dependence on the value mappings that they use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { accepted, lastRun, putMapping, refused } from "./calls.ts";

const document = {
  name: "order",
  rules: [{ id: "r1", target: "/status", expr: "$vmap('codes','from','to',status)" }],
  tests: [{ name: "happy", input: { status: "a" }, expect: { status: "1" } }],
};

const mapped = (app: TestApp, status = "a") =>
  app.post("/api/r", JSON.stringify({ status }), { "Content-Type": "application/json" });

test("a document is returned byte for byte, and is listed", async (t) => {
  const app = await startTestApp(t);
  const text = `${JSON.stringify({ expression: "{ 'id': orderNo }" }, null, 3)}\n`;
  const put = await putMapping(app, "message", "order", text);
  assert.equal(put.status, 201);
  const { hash, warnings: _, ...told } = await accepted(put);
  assert.deepEqual(told, {
    ...{ id: "order", revision: 1, rules: 1, compiledRules: 1, untestedRules: ["r1"] },
    ...{ uses: [], tests: { passed: 0, failed: 0 }, usedBy: [] },
  });
  const got = await app.api("/message-mappings/order");
  assert.deepEqual([await got.text(), got.headers.get("etag")], [text, `"${hash}.1"`]);
  const [entry] = (await (await app.api("/message-mappings")).json()) as { lastModified: string }[];
  assert.deepEqual(
    { ...entry, lastModified: "" },
    { id: "order", name: "", lastModified: "", hash, rules: 1, usedBy: [] },
  );
  assert.equal((await app.api("/message-mappings/order", { method: "DELETE" })).status, 200);
  assert.equal((await app.api("/message-mappings/order")).status, 404);
});

test("the tests of a mapping run with the value mappings that it uses; without these it is accepted with a warning", async (t) => {
  const app = await startTestApp(t);
  const early = await accepted(await putMapping(app, "message", "order", document));
  assert.ok(early.warnings.some(({ message }) => message.includes("there is no value mapping 'codes'")));
  await accepted(await putMapping(app, "value", "codes", { a: "2" }));
  const error = await refused(
    await putMapping(app, "message", "order", { ...document, name: "x" }),
    422,
    "mapping_invalid",
  );
  assert.match(error, /the test 'happy' failed/);
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  const { warnings, revision, ...told } = await accepted(await putMapping(app, "message", "order", document));
  assert.deepEqual(warnings, []);
  assert.equal(revision, 1, "the document has not changed");
  assert.deepEqual((told as unknown as { tests: object }).tests, { passed: 1, failed: 0 });
});

test("a flow gets the value mappings that its message mapping uses, and their new versions", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  await accepted(await putMapping(app, "message", "order", document));
  await accepted(await app.put("f", webhook("r", "messageMapping: order")));
  assert.deepEqual(await (await mapped(app)).json(), { status: "1" });
  const { usedBy } = await accepted(await putMapping(app, "value", "codes", { a: "2" }));
  assert.deepEqual(usedBy, [{ mapping: "order" }]);
  const listed = async (kind: string) => {
    const list = (await (await app.api(`/${kind}-mappings`)).json()) as { id: string; usedBy: object[] }[];
    return list.map((entry) => [entry.id, entry.usedBy]);
  };
  assert.deepEqual(await listed("value"), [["codes", [{ mapping: "order" }]]]);
  const [[id, [step]]] = (await listed("message")) as [[string, [{ flowId: string; routeId: string }]]];
  assert.deepEqual([id, step.flowId, step.routeId], ["order", "f", "r"]);
  assert.deepEqual(await (await mapped(app)).json(), { status: "2" });
  const { mappings } = await lastRun(app, "r");
  assert.deepEqual(
    mappings.map(({ kind, id, revision }) => [kind, id, revision]),
    [
      ["message", "order", 1],
      ["value", "codes", 2],
    ],
  );
  const refusal = await refused(await app.api("/value-mappings/codes", { method: "DELETE" }), 409, "mapping_in_use");
  assert.match(refusal, /used by message mapping 'order'/);
  assert.match(
    await refused(await app.api("/message-mappings/order", { method: "DELETE" }), 409, "mapping_in_use"),
    /flow 'f'/,
  );
});

test("a new version may use another value mapping, which its flows get with it", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  await accepted(await putMapping(app, "value", "others", { a: "other" }));
  await accepted(await putMapping(app, "message", "order", document));
  await accepted(await app.put("f", webhook("r", "messageMapping: order")));
  assert.deepEqual(await (await mapped(app)).json(), { status: "1" });
  const rules = [{ target: "/status", expr: "$vmap('others','from','to',status)" }];
  await accepted(await putMapping(app, "message", "order", { rules }));
  assert.deepEqual(await (await mapped(app)).json(), { status: "other" });
  const { mappings } = await lastRun(app, "r");
  assert.deepEqual(
    mappings.map(({ id, revision }) => [id, revision]),
    [
      ["order", 2],
      ["others", 1],
    ],
  );
});

test("strict=true refuses documents with warnings, such as a rule that no test reaches", async (t) => {
  const app = await startTestApp(t);
  const strict = (body: object) => putMapping(app, "message", "odd", body, { query: "?strict=true" });
  const rules = [{ target: "/a", expr: "a" }];
  assert.match(await refused(await strict({ rules, colour: "red" }), 422, "mapping_invalid"), /colour/);
  assert.match(await refused(await strict({ rules }), 422, "mapping_invalid"), /test/);
  assert.deepEqual(await (await app.api("/message-mappings")).json(), []);
  const { warnings } = await accepted(await strict({ rules, tests: [{ input: { a: 1 }, expect: { a: 1 } }] }));
  assert.deepEqual(warnings, []);
});

test("a trial answers with the output and the result of each rule", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  await accepted(await putMapping(app, "message", "order", document));
  const attempt = (id: string, body: string) =>
    app.api(`/message-mappings/${id}/test`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
  const { output, rules } = (await (await attempt("order", '{"input": {"status": "a"}}')).json()) as {
    output: object;
    rules: { id: string; target: string; value: unknown }[];
  };
  assert.deepEqual(output, { status: "1" });
  assert.deepEqual(
    rules.map(({ id, target, value }) => [id, target, value]),
    [["r1", "/status", "1"]],
  );
  await refused(await attempt("order", "{}"), 400, "bad_request");
  await refused(await attempt("order", "{"), 400, "bad_json");
  await refused(await attempt("nobody", '{"input": 1}'), 404, "not_found");
});

test("a document is tried before it is installed, with the value mappings of the runtime", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "1" }));
  const attempt = async (body: object) => {
    const answer = await app.api("/message-mappings/fresh/test", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { output: unknown; tests: object[]; warnings: { code: string }[] };
  };
  const tried = await attempt({ input: { status: "a" }, document, tests: true });
  assert.deepEqual(tried.output, { status: "1" });
  assert.deepEqual(tried.tests, [{ pointer: "/tests/0", name: "happy", passed: true }]);
  const strange = { expression: "$vmap('nobody', 'from', 'to', 'a')" };
  assert.deepEqual(
    (await attempt({ input: {}, document: strange })).warnings.map(({ code }) => code),
    ["unknown_value_mapping"],
  );
  assert.equal((await app.api("/message-mappings/fresh")).status, 404, "nothing is installed");
});

test("an invalid expression is a 422 that names rule, target and column", async (t) => {
  const app = await startTestApp(t);
  const rules = [{ id: "r7", target: "/a", expr: "1 +" }];
  const error = await refused(await putMapping(app, "message", "order", { rules }), 422, "mapping_invalid");
  assert.match(error, /^message mapping 'order': .*rule r7 -> \/a/s);
});
