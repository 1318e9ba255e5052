/** Paths under /_api belong to the runtime, however they are written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type HttpPath, parseHttpPath } from "../../../src/shared/http-path.ts";
import { foreignPathProblem, reservedPathProblem } from "../../../src/shared/reserved-path.ts";

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

test("a template or prefix is refused when it could match there, whatever comes behind", () => {
  for (const path of ["/{a}/x", "/_{a}", "/:a", "/{a}*", "/*", "/_ap*", "/_a{b}i/*"]) {
    assert.ok(reservedPathProblem(path), path);
  }
  for (const path of ["/x{a}", "/{a}.json", "/orders/{a}", "/orders/*", "/orders*", "/o/_api/{x}"]) {
    assert.equal(reservedPathProblem(path), undefined, path);
  }
  for (const path of ["/_", "/{a}", "/_a{x}"]) assert.ok(reservedPathProblem(path, { prefix: true }), path);
});

test("under /api a route has the place of its own id, and no other path may reach in there", () => {
  for (const path of ["/api/r", "api/r", "/orders", "/apix", "/x/api/y", "/b*", "/apx/{id}"]) {
    assert.equal(foreignPathProblem(path, "r"), undefined, path);
  }
  for (const path of [
    "/api",
    "/api/",
    "/api/R",
    "/api/r/",
    "/api/r/x",
    "/api/s",
    "/API/r",
    "/%61pi/s",
    "/api/{id}",
    "/api/r*",
  ]) {
    assert.match(foreignPathProblem(path, "r") ?? "allowed", /this route's own is \/api\/r/, path);
  }
  for (const path of ["/{x}", "/a{x}", "/ap*", "/*", "/{x}/r", "/x/../api/s"])
    assert.ok(foreignPathProblem(path, "r"), path);
  for (const path of ["/a", "/api/r", "/"]) assert.ok(foreignPathProblem(path, "r", { prefix: true }), path);
});

test("no path that is allowed can be matched by a request to /_api or to another route's place", () => {
  const part = fc.constantFrom("a", "_", "p", "i", "api", "_api", "{x}", "{y}", ":z", "%5f", "/", "/", ".", "x");
  const written = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => `/${parts.join("")}`);
  fc.assert(
    fc.property(written, fc.boolean(), fc.constantFrom("", "*"), (text, prefix, star) => {
      const path = `${text}${star}`;
      const parsed = parseHttpPath(path, prefix);
      if ("problem" in parsed) return;
      for (const [root, problem] of [
        ["_api", reservedPathProblem(path, { prefix })],
        ["api", foreignPathProblem(path, "r", { prefix })],
      ] as const) {
        if (problem !== undefined) continue;
        const first: HttpPath["segments"][number] | undefined = parsed.segments[0];
        const reaches = parsed.segments.length > 1 || parsed.prefix !== "none";
        if (first === undefined) assert.equal(parsed.prefix, "none");
        else if (reaches && parsed.key !== "/api/r")
          assert.equal(couldBe(first, parsed, root), false, `${path} ${root}`);
      }
    }),
    { numRuns: 2000 },
  );
});

/** Whether a request whose first segment is `root` could get past the path's first segment. */
function couldBe(
  { before, parameter, after }: { before: string; parameter: boolean; after: string },
  { segments, prefix }: { segments: readonly unknown[]; prefix: string },
  root: string,
): boolean {
  if (parameter) {
    const open = root.length > before.length + after.length;
    return open && root.startsWith(before) && root.endsWith(after);
  }
  return segments.length === 1 && prefix === "text" ? root.startsWith(before) : root === before;
}

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
