/** Which paths match which requests, against a plain reading of Vert.x Web's rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HttpPaths } from "../../src/control/flows/http-paths.ts";
import { type HttpPath, parseHttpPath } from "../../src/shared/http-path.ts";

const segment = fc.constantFrom("a", "b", "ab", "é", "(", "{x}", "{y}", "a{z}", "{w}b", ":v");
const path = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom("", "", "/", "*", "/*"))
  .map(([parts, end]) => `/${parts.join("/")}${end}`)
  .filter((text) => !("problem" in parseHttpPath(text)));
const request = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "ab", "é", "(", "bb", "x.y"), { maxLength: 5 }), fc.boolean())
  .map(([parts, slash]) => (slash || parts.length === 0 ? [...parts, ""] : parts));

function read(text: string): HttpPath {
  const parsed = parseHttpPath(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

/** The values of the parameters; undefined: no match. */
function matched(text: string, segments: readonly string[]): readonly string[] | undefined {
  const star = text.endsWith("*");
  const plain = text.replace(/\*$/, "");
  const quoted = plain.replaceAll(/[.()]/g, "\\$&").replaceAll(/\{\w+\}|:\w+/g, "([^/]+)");
  const wanted = `/${segments.join("/")}`;
  const end = star ? "(?:.*)" : plain.endsWith("/") ? "" : "/?";
  const found = new RegExp(`^${quoted}${end}$`).exec(wanted);
  // Vert.x Web: a prefix that ends in a slash matches without it, too.
  const bare =
    star && plain.length > 1 && plain.endsWith("/") ? new RegExp(`^${quoted.slice(0, -1)}$`).exec(wanted) : null;
  return (found ?? bare)?.slice(1);
}

const ranks = (text: string): number => (text.endsWith("*") ? 2 : /[{:]/.test(text) ? 1 : 0);

test("what matches, with which parameters, in the order of exact, template, prefix", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), request, fc.nat(), (texts, segments, gone) => {
      const paths = new HttpPaths<string>();
      for (const text of texts) paths.add(read(text), text);
      const removed = texts[gone % 13];
      if (removed !== undefined) paths.delete(read(removed), removed);
      const found = [...paths.match(segments)];
      const expected = texts.filter((text) => text !== removed && matched(text, segments) !== undefined);
      assert.deepEqual(found.map(({ value }) => value).sort(), expected.sort());
      for (const { value, parameters } of found) assert.deepEqual(parameters, matched(value, segments), value);
      const order = found.map(({ value }) => ranks(value));
      assert.deepEqual(order, order.toSorted());
    }),
    { numRuns: 3000 },
  );
});

test("the more fixed text a template or prefix has, the earlier it comes", () => {
  const paths = new HttpPaths<string>();
  const texts = ["/a/*", "/a/b*", "/{x}/b", "/a/{x}", "/a/b{x}", "/{x}/{y}", "/a/{x}/*"];
  for (const text of texts) paths.add(read(text), text);
  assert.deepEqual(
    Array.from(paths.match(["a", "bc"])).map(({ value }) => value),
    ["/a/b{x}", "/a/{x}", "/{x}/{y}", "/a/b*", "/a/{x}/*", "/a/*"],
  );
});
