/** A message that is typed, as it is sent, kept in a test, and typed again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, messageOf, wrongHeader } from "../../../designer/web/src/try/draft.ts";

const routes = [
  { id: "shop", uri: "webhook", webhook: "/api/shop" },
  { id: "price", uri: "direct:price?timeout=1" },
  { id: "tick", uri: "timer:t" },
  { id: "tock", uri: "timer:u" },
];
const [shop, price, , tock] = routes as [
  (typeof routes)[0],
  (typeof routes)[1],
  (typeof routes)[2],
  (typeof routes)[3],
];

function sent(body: string, headers = "") {
  return messageOf({ routeId: "shop", body, headers }, shop).post;
}

test("JSON is sent as the value that it is, unless that would lose something of it", () => {
  assert.deepEqual(sent('{"id": 1.5}')?.body, { id: 1.5 });
  const long = '{"id": 12345678901234567890}';
  assert.deepEqual([sent(long)?.body, sent(long)?.headers], [long, { "Content-Type": "application/json" }]);
  const twice = '{"a": 1, "a": 2}';
  assert.equal(sent(twice)?.body, twice);
  assert.deepEqual(sent(long, "content-type: text/x")?.headers, { "content-type": "text/x" });
});

test("what is no JSON object or list is a text; nothing is sent without a body", () => {
  for (const text of ["17", "hello", "{half", '"quoted"', " "]) {
    assert.deepEqual([sent(text)?.body, sent(text)?.headers], [text, undefined]);
  }
  assert.deepEqual(sent(""), { method: "POST", path: "/api/shop" });
});

test("headers are lines; one that is none is found", () => {
  assert.deepEqual(sent("x", "A: 1\n\nB:http://x:1 ")?.headers, { A: "1", B: "http://x:1" });
  assert.equal(wrongHeader("A: 1\n\nB"), "B");
  assert.equal(wrongHeader("A: 1\n"), undefined);
});

test("the message of a test is typed again with the route that it is for", () => {
  for (const route of [shop, price, tock]) {
    const draft = { routeId: route.id, body: '{\n  "a": [\n    1\n  ]\n}', headers: "A: 1\nB: two" };
    assert.deepEqual(draftOf(messageOf(draft, route), routes), draft);
  }
});
