/** Paths under /_api belong to the runtime, however they are written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reservedPathProblem } from "../../../src/shared/reserved-path.ts";

const reserved = [
  "/_api",
  "_api",
  "/_api/",
  "/_api/flows",
  "//_api//flows",
  "/_API/x",
  "/_Api",
  "/x/../_api",
  "/./_api",
  "/../_api",
  "/a/b/../../_api/x",
  "/%5fapi",
  "/%5Fapi/flows",
  "/%255fapi",
  "/%25255fapi",
  "/x/%2e%2e/_api",
  "/x%2f..%2f_api",
  "/%2f_api",
  "\\_api",
  "/x/..\\_api",
  "/_api;v=1/x",
  "/_api;",
  "/_api?x=1",
  "/_api#x",
  "/_api%00",
  "/_a\u200bpi",
  "/ _api",
  "/\uff3fapi",
  "/_ap\u0131".replace("\u0131", "%69"),
  "http://host/_api",
  "https://h:80/_api/x",
  "/_api%3fx",
  "/{any}",
  "/{any}/flows",
  "/{any}/flows/{id}",
  "/*",
  "/**",
  "*",
  "/*/flows",
  "/**/flows",
  "/_*",
  "/_a*",
  "/_api*",
  "/*api",
  "/_{x}",
  "/{x}pi",
  "/_a{x}i",
  "/:any",
  "/:any/flows",
  "/{p:.*}",
  "/_{p:.*}x",
  "/{x",
  "/{a:[0-9]{2}}/b",
  "/x/../{any}",
  "/{a}/../{b}",
  "/{any};v=1",
  "/%7Bany%7D",
];
const allowed = [
  "/",
  "",
  "/api",
  "/api/orders",
  "/orders/_api",
  "/_apix",
  "/_apis/x",
  "/x_api",
  "/orders/{id}",
  "/orders/*",
  "/orders/**",
  "/api/_api",
  "/_ap",
  "/a*",
  "/x{y}",
  "/_b{x}",
  "/orders/{p:.*}",
  "/files{p:.*}",
  "/..",
  "/orders?x=/_api",
  "/orders/:id",
];

test("reserved, and what could match there", () => {
  for (const path of reserved)
    assert.match(reservedPathProblem(path) ?? "allowed", /under \/_api|outside of \/_api/, path);
});

test("everything else is allowed", () => {
  for (const path of allowed) assert.equal(reservedPathProblem(path), undefined, path);
});

test("a prefix match reaches further", () => {
  for (const path of ["/", "", "/_", "/_ap", "/_api"]) assert.ok(reservedPathProblem(path, { prefix: true }), path);
  for (const path of ["/orders", "/_b", "/_api2"])
    assert.equal(reservedPathProblem(path, { prefix: true }), undefined, path);
});

test("disguises of /_api are seen through", () => {
  const disguise = fc
    .array(fc.constantFrom("encode", "upper", "slash", "dots", "dot", "matrix", "invisible"), { maxLength: 6 })
    .map((tricks) => tricks.reduce(disguised, "/_api/flows"));
  fc.assert(fc.property(disguise, (path) => reservedPathProblem(path) !== undefined));
});

function disguised(path: string, trick: string): string {
  switch (trick) {
    case "encode":
      return path.replaceAll(/[a-z_%]/gi, (c) => `%${c.charCodeAt(0).toString(16)}`);
    case "upper":
      return path.toUpperCase();
    case "slash":
      return `/${path}`;
    case "dots":
      return `/x/..${path}`;
    case "dot":
      return `/.${path}`;
    case "matrix":
      return path.replace(/(\/_api)(?=\/)/, "$1;a=b");
    default:
      return `/\u200b${path}`;
  }
}

test("any text has an answer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => (reservedPathProblem(text) ?? "").length >= 0),
  );
});
