/** What the values of a JSON document would take is known before they are made, and too much is refused. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { BodyKind } from "../../../src/shared/protocol.ts";
import { decodeBody } from "../../../src/workers/bodies.ts";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { boundJson, parseJson } from "../../../src/workers/engine/parse-json.ts";
import { runSteps } from "../../support/run-route.ts";

const KiB = 1024;

before(() => boundJson({ workerMemoryBytes: 1024 * KiB }));
after(() => boundJson(defaultLimits));

const list = (piece: string, count: number): string => `[${Array(count).fill(piece).join()}]`;

/** In documents of about 100 KiB. */
const documents: Readonly<Record<string, readonly [text: string, fits: boolean]>> = {
  numbers: [list("1", 50_000), true],
  "short texts": [list('"ab"', 20_000), true],
  "one long text": [JSON.stringify("[".repeat(100_000)), true],
  "texts full of signs": [list(JSON.stringify(`{[,:\\"`.repeat(50)), 200), true],
  records: [list('{"id":123,"name":"a name","price":1.25}', 2500), true],
  lists: [list("[1]", 25_000), false],
  "lists in lists": ["[".repeat(50_000) + "]".repeat(50_000), false],
  objects: [list("{}", 33_000), false],
  "objects behind a text that is never closed": [`${list("{}", 33_000)} "`, false],
};

describe("a document of", () => {
  for (const [name, [text, fits]] of Object.entries(documents)) {
    test(`${name} is ${fits ? "read" : "refused"}`, () => {
      if (fits) assert.deepEqual(parseJson(text), JSON.parse(text));
      else assert.throws(() => parseJson(text), /LimitExceeded|786432 bytes of memory.*workerMemoryBytes/);
    });
  }
});

test("a small document is not looked at: JSON.parse says what is wrong with it", () => {
  assert.throws(() => parseJson("[1,"), SyntaxError);
  assert.deepEqual(parseJson(list("[]", 4000)), Array(4000).fill([]));
});

const much = list("[1]", 25_000);

describe("it is refused by whatever reads it:", () => {
  const steps = {
    unmarshal: "- unmarshal: { json: {} }",
    jq: `- setBody: { jq: "length" }`,
    jsonata: `- setBody: { jsonata: "$count($)" }`,
    jsonpath: `- setBody: { jsonpath: "$[0]" }`,
  };
  for (const [name, text] of Object.entries(steps)) {
    test(name, async () => {
      const { error } = await runSteps(text, { body: much });
      assert.equal(exceptionType(error), "LimitExceededException", exceptionMessage(error));
    });
  }

  for (const kind of [BodyKind.json, BodyKind.value]) {
    test(`a body that comes as JSON (${kind})`, () => {
      assert.throws(() => decodeBody(kind, much), /bytes of memory/);
    });
  }

  test("a body that may be JSON stays text", () => assert.equal(decodeBody(BodyKind.maybeJson, much), much));
});
