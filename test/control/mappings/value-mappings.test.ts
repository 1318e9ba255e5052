/** Value mappings through the management API: documents are returned as sent, invalid ones are refused, and used ones stay. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";
import { accepted, lastRun, lookingUp, putMapping, refused } from "./calls.ts";

const document = '{\r\n  "name": "Länder",\t"entries": {"DE": "Germany", "FR": "France"}, "default": "?" }\n';
const hash = createHash("sha256").update(document, "utf8").digest("hex");

test("a document is returned byte for byte with the tag of its revision, and is listed", async (t) => {
  const app = await startTestApp(t);
  const first = await putMapping(app, "value", "countries", document);
  assert.equal(first.status, 201);
  assert.equal(first.headers.get("location"), "/_api/value-mappings/countries");
  assert.equal(first.headers.get("etag"), `"${hash}.1"`);
  const { warnings, ...told } = await accepted(first);
  assert.deepEqual(warnings, []);
  assert.deepEqual(told, {
    ...{ id: "countries", hash, revision: 1, rows: 2, columns: ["from", "to"] },
    ...{ tests: { passed: 0, failed: 0 }, usedBy: [] },
  });

  const got = await app.api("/value-mappings/countries");
  assert.equal(got.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(got.headers.get("x-revision"), "1");
  assert.equal(await got.text(), document);
  const again = await app.api("/value-mappings/countries", { headers: { "If-None-Match": `"${hash}.1"` } });
  assert.equal(again.status, 304);

  const list = await app.api("/value-mappings");
  const [entry, ...others] = (await list.json()) as { lastModified: string }[];
  assert.deepEqual(others, []);
  const { lastModified, ...rest } = entry ?? assert.fail();
  assert.match(lastModified, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(rest, { id: "countries", name: "Länder", hash, rows: 2, columns: ["from", "to"], usedBy: [] });
  const headers = { "If-None-Match": list.headers.get("etag") ?? "" };
  assert.equal((await app.api("/value-mappings", { headers })).status, 304);
});

test("an unchanged document keeps its revision, and a changed one gets the next, even after a removal", async (t) => {
  const app = await startTestApp(t);
  const revision = async (text: string) => (await accepted(await putMapping(app, "value", "countries", text))).revision;
  assert.equal(await revision(document), 1);
  const same = await putMapping(app, "value", "countries", document);
  assert.deepEqual([same.status, (await accepted(same)).revision], [200, 1]);
  assert.equal(await revision('{"DE": "D"}'), 2);
  assert.equal((await app.api("/value-mappings/countries", { method: "DELETE" })).status, 200);
  assert.equal((await app.api("/value-mappings/countries")).status, 404);
  await refused(await app.api("/value-mappings/countries", { method: "DELETE" }), 404, "not_found");
  assert.equal(await revision(document), 3);
});

test("If-Match and If-None-Match hold for mappings as for flows", async (t) => {
  const app = await startTestApp(t);
  const put = (headers: Record<string, string>, text = document) =>
    putMapping(app, "value", "countries", text, { headers });
  assert.match(await refused(await put({ "If-Match": "*" }), 412, "precondition_failed"), /no such value mapping/);
  assert.equal((await put({ "If-None-Match": "*" })).status, 201);
  await refused(await put({ "If-None-Match": "*" }), 412, "precondition_failed");
  assert.equal((await put({ "If-Match": `"${hash}.1"` }, '{"a": "b"}')).status, 200);
  await refused(await put({ "If-Match": `"${hash}.1"` }, '{"a": "c"}'), 412, "precondition_failed");
  const headers = { "If-Match": `"${hash}.1"` };
  await refused(await app.api("/value-mappings/countries", { method: "DELETE", headers }), 412, "precondition_failed");
});

test("CSV is accepted, stored as JSON, and returned as CSV", async (t) => {
  const app = await startTestApp(t);
  const headers = { "Content-Type": "text/csv; charset=utf-8" };
  const put = await accepted(await putMapping(app, "value", "codes", "crm,erp\r\nNew,ZNEW\r\n", { headers }));
  assert.deepEqual([put.rows, put.columns], [1, ["crm", "erp"]]);
  const kept = await (await app.api("/value-mappings/codes")).text();
  assert.equal(put.hash, createHash("sha256").update(kept, "utf8").digest("hex"));
  assert.doesNotThrow(() => JSON.parse(kept));
  const csv = await app.api("/value-mappings/codes", { headers: { Accept: "text/csv" } });
  assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
  assert.equal(await csv.text(), "crm,erp\r\nNew,ZNEW\r\n");
  await refused(await putMapping(app, "message", "codes", "a,b\r\n", { headers }), 415, "unsupported_media_type");
});

test("an invalid document is a 422 with the first problem and the number of the others, and changes nothing", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  const wrong = {
    columns: { crm: {}, erp: {} },
    rows: [{ crm: "New", erp: "ZNEW" }],
    tests: [
      { from: "crm", to: "erp", in: "New", out: "other" },
      { from: "crm", to: "erp", in: "New", out: "another" },
    ],
  };
  const error = await refused(await putMapping(app, "value", "codes", wrong), 422, "mapping_invalid");
  assert.match(error, /^value mapping 'codes': .*; 1 more problem$/s);
  assert.equal(await (await app.api("/value-mappings/codes")).text(), '{"a":"b"}');
});

test("a body that is not JSON is a 400 with the place, for both kinds, and changes nothing", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  for (const kind of ["value", "message"] as const) {
    const error = await refused(await putMapping(app, kind, "codes", '{\n  "entries": x}'), 400, "bad_json");
    assert.match(error, /^the body is not JSON: see line 2, column 14$/);
  }
  assert.equal(await (await app.api("/value-mappings/codes")).text(), '{"a":"b"}');
});

test("strict=true refuses documents with warnings", async (t) => {
  const app = await startTestApp(t);
  const odd = { columns: { a: {}, b: {} }, rows: [{ a: "1", b: "2" }], colour: "red" };
  assert.match(
    await refused(await putMapping(app, "value", "odd", odd, { query: "?strict=true" }), 422, "mapping_invalid"),
    /colour/,
  );
  assert.deepEqual(await (await app.api("/value-mappings")).json(), []);
  const { warnings } = await accepted(await putMapping(app, "value", "odd", odd));
  assert.match(warnings[0]?.message ?? "", /colour/);
});

test("a document larger than mappingBytes is refused before it is read; one of that size is accepted", async (t) => {
  const limit = 3_000_000;
  const app = await startTestApp(t, { limits: { mappingBytes: limit } });
  const sized = (bytes: number) => `{"a": "b"}${" ".repeat(bytes - 10)}`;
  await refused(await putMapping(app, "value", "large", sized(limit + 1)), 413, "body_too_large");
  const put = await accepted(await putMapping(app, "value", "large", sized(limit)));
  assert.equal(put.rows, 1);
  assert.equal((await (await app.api("/value-mappings/large")).text()).length, limit);
});

test("a document that takes too long to check is a 422, and the next one is checked in another thread", async (t) => {
  const app = await startTestApp(t, { limits: { mappingCheckMs: 2000 } });
  // The boot of a thread does not count towards the deadline of a document.
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  // The tests take many times as long on any machine, and each of them ends.
  const slow = {
    expression: "$reduce([1..20000], function($sum, $one) { $sum + $one })",
    tests: Array.from({ length: 500 }, () => ({ input: {}, expect: 200_010_000 })),
  };
  const error = await refused(await putMapping(app, "message", "slow", slow), 422, "mapping_invalid");
  assert.match(error, /^message mapping 'slow': checking it took longer than 2000 ms/);
  await accepted(await putMapping(app, "value", "codes", { a: "c" }));
});

test("a lookup answers with the value that a step would get", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "countries", document));
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  const look = (id: string, body: object) =>
    app.api(`/value-mappings/${id}/lookup`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const seen = async (id: string, body: object) => (await look(id, { from: "from", to: "to", ...body })).json();
  assert.deepEqual(await seen("countries", { value: "DE" }), { value: "Germany", found: true });
  assert.deepEqual(await seen("countries", { value: "XX" }), { value: "?", found: false });
  assert.deepEqual(await seen("codes", { value: "x", onMissing: "passthrough" }), { value: "x", found: false });
  const missing = (await seen("codes", { value: "x" })) as { error: string };
  assert.deepEqual({ ...missing, error: "" }, { value: null, found: false, error: "" });
  assert.match(missing.error, /"x" is not mapped/);
  assert.match(
    await refused(await look("codes", { from: "from", to: "to" }), 400, "bad_request"),
    /'value' is missing$/,
  );
  const odd = await refused(await look("codes", { value: "a", form: "from" }), 400, "bad_request");
  assert.equal(odd, "unknown field 'form' (did you mean 'from'?)");
  const error = await refused(await look("codes", { from: "from", to: "nowhere", value: "a" }), 422, "mapping_invalid");
  assert.match(error, /there is no column "nowhere"/);
  await refused(await look("nobody", { value: "a" }), 404, "not_found");
  await refused(await look("codes", { value: "a", onMissing: "perhaps" }), 400, "bad_request");
});

test("a document is tried before it is installed: its problems with their places, its tests, and a lookup in it", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  const attempt = (body: object | string) =>
    app.api("/value-mappings/codes/test", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const seen = async (body: object | string): Promise<Trial> => {
    const answer = await attempt(body);
    assert.equal(answer.status, 200);
    return (await answer.json()) as Trial;
  };
  const rows = [
    { crm: "New", erp: "ZNEW" },
    { crm: "New", erp: "ZOPN" },
  ];
  const clashing = await seen({ document: { rows }, value: "New", from: "crm", to: "erp" });
  assert.deepEqual([clashing.problemCount, clashing.problems[0]?.pointer], [1, "/rows/1/crm"]);
  assert.match(clashing.problems[0]?.message ?? "", /^"New" stands in \/rows\/0 too/);
  assert.deepEqual(clashing.lookup, { value: "ZNEW", found: true });

  const tests = [
    { from: "crm", to: "erp", in: "New", out: "ZNEW" },
    { from: "erp", to: "crm", in: "x", error: true },
  ];
  const sound = { rows: rows.slice(0, 1), tests, colour: "red" };
  const { warnings, ...rest } = await seen({ document: sound, value: "x", from: "crm", to: "erp", onMissing: "null" });
  assert.deepEqual(rest, {
    ...{ problems: [], problemCount: 0, rows: 1, columns: ["crm", "erp"], tests: { passed: 2, failed: 0 } },
    lookup: { value: null, found: false },
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["unknown_field"],
  );
  const failing = { ...sound, tests: [{ from: "crm", to: "erp", in: "New", out: "other" }] };
  const { problems } = await seen({ document: failing });
  assert.deepEqual([problems[0]?.pointer, problems.length], ["/tests/0", 1]);
  const long = "12345678901234567890";
  const exact = await seen(`{"document": {"entries": {"a": ${long}}}, "value": "a"}`);
  assert.deepEqual([exact.lookup?.found, exact.problemCount], [true, 0]);
  const odd = await seen({ document: { nothing: {} }, value: "a" });
  assert.deepEqual([odd.warnings[0]?.code, odd.lookup?.found], ["not_understood", false]);
  assert.match((await seen({ document: sound, value: "x", from: "nobody" })).lookup?.error ?? "", /no column "nobody"/);

  await refused(await attempt("{"), 400, "bad_json");
  await refused(await attempt({ document: 1 }), 400, "bad_request");
  assert.match(await refused(await attempt({ document: {}, form: "a" }), 400, "bad_request"), /unknown field 'form'/);
  await refused(await attempt({ document: {}, onMissing: "perhaps" }), 400, "bad_request");
  assert.equal(await (await app.api("/value-mappings/codes")).text(), '{"a":"b"}', "nothing is installed");
});

interface Trial {
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
  readonly problemCount: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly lookup?: { readonly value: unknown; readonly found: boolean; readonly error?: string };
}

test("a mapping that a flow uses is removed only with force, and the refusal names the users", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "codes", { a: "b" }));
  assert.equal((await app.put("orders", lookingUp("orders", "codes"))).status, 201);
  const { usedBy } = await accepted(await putMapping(app, "value", "codes", { a: "c" }));
  const [user] = usedBy as { flowId: string; routeId: string; stepId: string }[];
  assert.deepEqual([usedBy.length, user?.flowId, user?.routeId], [1, "orders", "orders"]);
  const error = await refused(await app.api("/value-mappings/codes", { method: "DELETE" }), 409, "mapping_in_use");
  assert.match(error, new RegExp(`flow 'orders' \\(route orders, step ${user?.stepId}\\)`));
  assert.equal(await (await app.post("/api/orders")).text(), "c");

  assert.equal((await app.api("/value-mappings/codes?force=true", { method: "DELETE" })).status, 200);
  assert.equal((await app.post("/api/orders")).status, 500);
  const { error: failure, mappings } = await lastRun(app, "orders");
  assert.match(failure?.message ?? "", /there is no value mapping 'codes': PUT/);
  assert.deepEqual(mappings, []);
});

test("ids that differ only by case, and invalid ids, are refused", async (t) => {
  const app = await startTestApp(t);
  await accepted(await putMapping(app, "value", "Codes", { a: "b" }));
  await refused(await putMapping(app, "value", "codes", { a: "b" }), 409, "id_case_clash");
  await refused(await putMapping(app, "value", "-x", { a: "b" }), 400, "bad_id");
});
