import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseTarget, type Target } from "../../../src/control/http/target.ts";
import { nastyTargets } from "../fuzz/fuzz-targets.ts";

function accepted(raw: string): Target {
  const target = parseTarget(raw);
  if ("problem" in target) assert.fail(`${raw}: ${target.problem}`);
  return target;
}

describe("the request target", () => {
  const areas: [raw: string, area: string, segments: string[]][] = [
    ["/_api", "management", ["_api"]],
    ["/_api/flows/a.b", "management", ["_api", "flows", "a.b"]],
    ["/_api/flows/", "management", ["_api", "flows", ""]],
    ["/_api/runs?limit=1", "management", ["_api", "runs"]],
    ["/_API/flows", "other", ["_API", "flows"]],
    ["/_apix", "other", ["_apix"]],
    ["/_api;x/flows", "other", ["_api;x", "flows"]],
    ["/api/order-in", "trigger", ["api", "order-in"]],
    ["/api", "trigger", ["api"]],
    ["/caf%C3%A9/a%20b", "other", ["café", "a b"]],
    ["/caf%c3%a9", "other", ["café"]],
    ["/a:b/%3A", "other", ["a:b", ":"]],
    ["/", "other", [""]],
  ];
  for (const [raw, area, segments] of areas) {
    it(`reads ${raw}`, () => {
      const target = accepted(raw);
      assert.equal(target.area, area);
      assert.deepEqual(target.segments, segments);
    });
  }

  const refused = [
    "//_api/flows",
    "/_api//flows",
    "/_api/flows//",
    "/./_api",
    "/_api/.",
    "/_api/flows/../x",
    "/a/..",
    "/%2e%2e/_api",
    "/%2E/_api",
    "/%5Fapi/flows",
    "/%5fapi/flows",
    "/_ap%69/flows",
    "/_api%2fflows",
    "/_api%2Fflows",
    "/_api%5cflows",
    "/_api\\flows",
    "/_api/flows%00",
    "/a%0d%0ab",
    "/a%7F",
    "/%zz",
    "/%",
    "/%4",
    "/%c0%af",
    "/%ff",
    "/%ed%a0%80",
    "/é",
    "/a b",
    "/a#b",
    "/a?b#c",
    "/a?b=%zz",
    "/a?b=%c0%af",
    "/a?b=\u00e9",
    "http://localhost/_api/health",
    "localhost:80",
    "*",
    "",
    "?a=b",
    "\\_api",
  ];
  for (const raw of refused) {
    it(`refuses ${JSON.stringify(raw)}`, () => assert.ok("problem" in parseTarget(raw)));
  }

  it("reads the query's pairs in their order, repeated ones too", () => {
    const target = accepted("/api/x?a=1&b=%2F+%26&a=2&c&&d=e=f");
    assert.deepEqual(target.query, [
      ["a", "1"],
      ["b", "/ &"],
      ["a", "2"],
      ["c", ""],
      ["d", "e=f"],
    ]);
    assert.equal(target.search, "a=1&b=%2F+%26&a=2&c&&d=e=f");
    assert.equal(target.path, "/api/x");
  });
});

describe("any accepted target", () => {
  it("is under /_api exactly when its text is: who looks at the prefix and who looks at the segments agree", () => {
    fc.assert(
      fc.property(nastyTargets, (raw) => {
        const target = parseTarget(raw);
        if ("problem" in target) return;
        const byText = /^\/_api(?:[/?]|$)/.test(raw);
        const byUrl = new URL(raw, "http://localhost").pathname;
        assert.equal(target.area === "management", byText);
        assert.equal(target.area === "management", byUrl === "/_api" || byUrl.startsWith("/_api/"));
      }),
      { numRuns: 3000 },
    );
  });

  it("keeps its text, and its segments written anew are the same target", () => {
    fc.assert(
      fc.property(nastyTargets, (raw) => {
        const target = parseTarget(raw);
        if ("problem" in target) return;
        assert.equal(raw, target.path + (raw.includes("?") ? `?${target.search}` : ""));
        const again = accepted(`/${target.segments.map(encode).join("/")}`);
        assert.deepEqual(again.segments, target.segments);
        assert.equal(again.area, target.area);
      }),
      { numRuns: 3000 },
    );
  });

  it("gives back the segments and pairs that a client has encoded", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).filter((text) => {
      return !/[/\\\p{Cc}]/u.test(text) && text !== "." && text !== ".." && text.isWellFormed();
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.array(fc.tuple(word, word)), (segments, pairs) => {
        const path = `/${segments.map(encode).join("/")}`;
        const target = accepted(`${path}?${new URLSearchParams(pairs)}`);
        assert.deepEqual(target.segments, segments);
        assert.deepEqual(target.query, pairs);
        assert.equal(`/${target.segments.map(encode).join("/")}`, path);
      }),
      { numRuns: 500 },
    );
  });
});

function encode(segment: string): string {
  return encodeURIComponent(segment);
}
