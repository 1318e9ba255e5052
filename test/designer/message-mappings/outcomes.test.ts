/** What the runtime answers about a document that is typed finds its rule, its field and its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aroundMembers, inputOf, messagesOf } from "../../../designer/web/src/message-mappings/message.ts";
import { readJson } from "../../../designer/web/src/message-mappings/model/json-text.ts";
import { allRules, readRules } from "../../../designer/web/src/message-mappings/model/rules.ts";
import { placeIn, problemsByRule } from "../../../designer/web/src/message-mappings/outcomes.ts";

test("a problem belongs to the innermost rule that its place is in, and to the field", () => {
  const document = {
    rules: [
      { target: "/a", expression: "a" },
      { target: "/l", forEach: "l", rules: [{ id: "n", target: "/n", expr: "1 +" }] },
    ],
  };
  const problems = problemsByRule(
    [
      { pointer: "/rules/1/rules/0/expr", message: "rule n -> /n: an end is missing (column 4)" },
      { pointer: "/rules/0/target", message: 'rule r1 -> "a": write a pointer' },
      { pointer: "/rules/1", message: "it has a fault" },
      { pointer: "/onError", message: "is no word" },
    ],
    allRules(readRules(document).rules),
  );
  assert.deepEqual(Object.fromEntries(problems), {
    '["rules",1,"rules",0]': [{ field: "expr", message: "an end is missing (column 4)" }],
    '["rules",0]': [{ field: "target", message: "write a pointer" }],
    '["rules",1]': [{ field: "rule", message: "it has a fault" }],
    "": [{ field: "rule", message: "/onError: is no word" }],
  });
  const short = readRules({ mappings: { "/x/y": "1 +" } });
  const [[key, [problem]]] = [
    ...problemsByRule([{ pointer: "/mappings/~1x~1y/expr", message: "m" }], short.rules),
  ] as unknown as [[string, [{ field: string }]]];
  assert.deepEqual([key, problem.field], ['["mappings","/x/y"]', "expr"]);
});

test("the place of a fault is read from its message", () => {
  assert.deepEqual(placeIn("no end (column 4)"), { line: 1, column: 4 });
  assert.deepEqual(placeIn("no end (line 3, column 4)"), { line: 3, column: 4 });
  assert.equal(placeIn("column 4 is odd"), undefined);
});

test("the messages of a document are its sample and the inputs of its tests, with every digit", () => {
  const json = readJson(
    '{"source": {"sample": {"id": 12345678901234567890}}, "tests": [{"input": "<a/>", "headers": {"h": 1}}, {"name": "none"}]}',
  );
  assert.deepEqual(messagesOf(json), [
    { origin: "sample", text: '{\n  "id": 12345678901234567890\n}', around: "" },
    { origin: "test:0", text: "<a/>", around: '{\n  "headers": {\n    "h": 1\n  }\n}' },
  ]);
});

test("a message is sent as JSON, XML as a text; what is around it is an object of known parts", () => {
  assert.equal(inputOf({ text: "<a/>" }, "xml"), '"<a/>"');
  assert.equal(inputOf({ text: "<a/>" }, "json"), undefined);
  assert.equal(inputOf({ text: '{"a": 1}' }, "xml"), '{"a": 1}');
  assert.equal(aroundMembers({ around: ' {"headers": {"a": 1}} ' }), '"headers": {"a": 1}');
  assert.equal(aroundMembers({ around: "" }), "");
  assert.equal(aroundMembers({ around: '{"document": 1}' }), undefined);
  assert.equal(aroundMembers({ around: "[]" }), undefined);
});
