/** The JSON of the management API: what JSON.parse reads, without duplicate names. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "../../../src/shared/errors.ts";
import { parseJson } from "../../../src/shared/json.ts";

const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "}", ",", " ", "\n", "é"), maxLength: 6 });
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: "small" },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(text, tie("document"), { maxKeys: 4 }),
  ),
}));

function parse(json: string): unknown {
  return parseJson(new TextEncoder().encode(json));
}

test("JSON is read as JSON.parse does, whatever quotes and backslashes its texts have", () => {
  fc.assert(
    fc.property(document, fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const json = JSON.stringify(value, undefined, indent);
      assert.deepEqual(parse(json), JSON.parse(json));
    }),
    { numRuns: 300 },
  );
});

test("a duplicate name is found after texts with quotes and backslashes", () => {
  fc.assert(
    fc.property(text, document, document, (name, first, second) => {
      const key = JSON.stringify(name);
      const json = `[${JSON.stringify(first)}, {${key}: ${JSON.stringify(second)}, "": {${key}: 1}, ${key} : 2}]`;
      assert.throws(
        () => parse(json),
        (error) => error instanceof AppError && /has a name twice/.test(error.message),
      );
    }),
    { numRuns: 200 },
  );
});
