/** Rules in every form of the document: read, edited, and made by mapping one field to another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addRule,
  duplicateRule,
  type MakeChanges,
  makeExpression,
  makeLoop,
  moveRule,
  removeRule,
  setRule,
  writeAsRules,
} from "../../../designer/web/src/message-mappings/model/edit-rules.ts";
import { equalNames } from "../../../designer/web/src/message-mappings/model/equal-names.ts";
import { fieldAt, fieldsOf, fieldsOfSample } from "../../../designer/web/src/message-mappings/model/fields.ts";
import { JsonSource } from "../../../designer/web/src/message-mappings/model/json-style.ts";
import { readJson } from "../../../designer/web/src/message-mappings/model/json-text.ts";
import { mapField } from "../../../designer/web/src/message-mappings/model/map-field.ts";
import { allRules, type Rule, readRules } from "../../../designer/web/src/message-mappings/model/rules.ts";
import { shapeOfSchema } from "../../../designer/web/src/message-mappings/model/shape.ts";
import { targetFields, targetKey } from "../../../designer/web/src/message-mappings/model/target-fields.ts";
import { applyChanges } from "../../../designer/web/src/model/index.ts";
import { readMessageDocument } from "../../../src/workers/mappings/message-document.ts";
import { Findings } from "../../../src/workers/mappings/value-findings.ts";

function edited(text: string, ...edits: readonly MakeChanges[]): string {
  return edits.reduce((before, edit) => applyChanges(before, edit(readJson(before))), text);
}

function documentAfter(document: unknown, make: (rules: readonly Rule[]) => readonly MakeChanges[]): unknown {
  const text = JSON.stringify(document, null, 2);
  return JSON.parse(edited(text, ...make(allRules(readRules(document).rules))));
}

const [first, second] = [
  (rules: readonly Rule[]): Rule => rules[0] ?? assert.fail(),
  (rules: readonly Rule[]): Rule => rules[1] ?? assert.fail(),
];

const documents: readonly Readonly<Record<string, unknown>>[] = [
  {
    rules: [
      { target: "/a", expr: "a", id: "x" },
      { to: "b.c", expression: "b", note: 1 },
      { target: "l", forEach: "l", rules: [{ target: "n", expr: "n" }] },
    ],
  },
  { mappings: [{ target: "/a", from: "a" }] },
  { mappings: { "/a": "a", "b.c": { source: "b", when: "b" } } },
  { fields: { l: { forEach: "l", rules: [{ target: "/n", expr: "n" }] } } },
  { expression: "{'a': a}" },
  {
    rules: [
      { target: "/a", expr: "a", id: "r3" },
      { target: "/b", forEach: "b", id: "r2_", rules: [{ target: "/n", expr: "n", id: "r3.1" }] },
      { target: "/c", forEach: "c", rules: [{ target: "/n", expr: "n" }] },
      { target: "/d", forEach: "d", id: "r5", rules: [{ target: "/n", expr: "n" }] },
      { target: "/e", expr: "e" },
    ],
  },
];

test("every form of rules is read with the ids, targets and expressions that the runtime reads", () => {
  for (const document of documents) {
    const { model } = readMessageDocument(document, new Findings());
    type Read = (typeof model.rules)[number];
    const flat = (rules: readonly Read[]): readonly Read[] => rules.flatMap((one) => [one, ...flat(one.rules ?? [])]);
    const ours = allRules(readRules(document).rules);
    assert.deepEqual(
      ours.map(({ id, expr, forEach, when }) => ({ id, expr, forEach, when })),
      flat(model.rules).map(({ id, expr, forEach, when }) => ({ id, expr, forEach, when })),
    );
  }
  assert.deepEqual(allRules(readRules(documents[0]).rules)[1]?.unknown, ["note"]);
});

test("an option is written in the form that the rule has", () => {
  const short = { mappings: { "/a": "a", "/b": "b" } };
  assert.deepEqual(
    documentAfter(short, (rules) => [(json) => setRule(json, first(rules), "expr", "x")]),
    {
      mappings: { "/a": "x", "/b": "b" },
    },
  );
  assert.deepEqual(
    documentAfter(short, (rules) => [(json) => setRule(json, first(rules), "when", "b")]),
    {
      mappings: { "/a": { expr: "a", when: "b" }, "/b": "b" },
    },
  );
  const renamed = documentAfter(short, (rules) => [(json) => setRule(json, first(rules), "target", "/z")]);
  assert.equal(JSON.stringify(renamed), '{"mappings":{"/z":"a","/b":"b"}}');
  const other = { rules: [{ to: "a", from: "x", odd: true }] };
  assert.deepEqual(
    documentAfter(other, (rules) => [
      (json) => setRule(json, first(rules), "target", "/t"),
      (json) => setRule(json, first(rules), "expr", "y"),
      (json) => setRule(json, first(rules), "default", new JsonSource("1")),
    ]),
    { rules: [{ to: "/t", from: "y", odd: true, default: 1 }] },
  );
  assert.deepEqual(
    documentAfter({ rules: [{ target: "a", expr: "x", when: "y" }] }, (rules) => [
      (json) => setRule(json, first(rules), "when", undefined),
    ]),
    { rules: [{ target: "a", expr: "x" }] },
  );
});

test("rules are added, moved, duplicated without their ids, and deleted", () => {
  const document = {
    rules: [
      { id: "x", target: "/a", expr: "a" },
      { target: "/b", expr: "b" },
    ],
  };
  assert.deepEqual(
    documentAfter(document, (rules) => [(json) => moveRule(json, first(rules), 1)]),
    {
      rules: [document.rules[1], document.rules[0]],
    },
  );
  assert.deepEqual(
    documentAfter(document, (rules) => duplicateRule(first(rules))),
    {
      rules: [document.rules[0], { target: "/a", expr: "a" }, document.rules[1]],
    },
  );
  assert.deepEqual(
    documentAfter(document, (rules) => [(json) => removeRule(json, second(rules))]),
    {
      rules: [document.rules[0]],
    },
  );
  assert.deepEqual(
    documentAfter({ mappings: { a: "x" } }, (rules) => duplicateRule(first(rules))),
    {
      mappings: { a: "x", a2: "x" },
    },
  );
  assert.deepEqual(
    documentAfter({ fields: {} }, () => [(json) => addRule(json, ["fields"], 0, { target: "/a", expr: "b" })]),
    { fields: { "/a": "b" } },
  );
});

test("an expression becomes a loop and a loop an expression", () => {
  const document = { rules: [{ target: "/l", expression: "items", when: "items" }] };
  const loop = documentAfter(document, (rules) => makeLoop(first(rules), "items"));
  assert.deepEqual(loop, { rules: [{ target: "/l", when: "items", forEach: "items", rules: [] }] });
  assert.deepEqual(
    documentAfter(loop, (rules) => makeExpression(first(rules), "items")),
    { rules: [{ target: "/l", when: "items", expr: "items" }] },
  );
});

test("short forms are written as rules that say the same, with every digit", () => {
  const text = '{"fields": {"/a": "a", "b": {"source": "b", "default": 12345678901234567890}}}';
  const { content, rules } = readRules(JSON.parse(text));
  assert.equal(
    edited(text, ...writeAsRules(content ?? "", rules)),
    '{"rules": [{"target": "/a", "expr": "a"}, {"target": "b", "source": "b", "default": 12345678901234567890}]}',
  );
  const one = '{"expression": "$"}';
  assert.equal(
    edited(one, ...writeAsRules("expression", readRules(JSON.parse(one)).rules)),
    '{"rules": [{"target": "", "expr": "$"}]}',
  );
});

const message = { orderNo: "17", items: [{ sku: "a", quantity: 1, parts: [{ no: 1 }] }], tags: ["x"], a: { b: 1 } };
const schema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
    tags: { type: "array", items: { type: "string" } },
    inner: { type: "object", properties: { b: { type: "number" } } },
  },
  $defs: {
    line: {
      type: "object",
      properties: {
        sku: {},
        Quantity: {},
        parts: { type: "array", items: { type: "object", properties: { no: {} } } },
      },
    },
  },
};

function mapped(document: { readonly rules: readonly unknown[] }, from: string, to: string): unknown {
  const list = readRules(document);
  const source = fieldAt(fieldsOfSample(message, "message"), from.split(".").filter(Boolean));
  const result = targetFields({ schema, sample: undefined, rules: list.rules, name: "result" });
  const target = fieldAt(result, to.split(".").filter(Boolean));
  const { edits, path } = mapField(list, source ?? assert.fail(from), target ?? assert.fail(to));
  const after = JSON.parse(edited(JSON.stringify(document), ...edits)) as typeof document;
  const made = allRules(readRules(after).rules).find((rule) => JSON.stringify(rule.path) === JSON.stringify(path));
  assert.ok(made, "the rule that was made is at the path");
  return after.rules;
}

test("a field on a field is a rule, and on one that has a rule its expression", () => {
  assert.deepEqual(mapped({ rules: [] }, "orderNo", "id"), [{ target: "/id", expr: "orderNo" }]);
  assert.deepEqual(mapped({ rules: [{ target: "id", expr: "x", required: true }] }, "orderNo", "id"), [
    { target: "id", expr: "orderNo", required: true },
  ]);
  assert.deepEqual(mapped({ rules: [] }, "a.b", "inner"), [{ target: "/inner/b", expr: "a.b" }]);
  assert.deepEqual(mapped({ rules: [] }, "orderNo", ""), [{ target: "/orderNo", expr: "orderNo" }]);
});

test("lists become loops, which later fields join", () => {
  const loop = { target: "/lines", forEach: "items", rules: [{ target: "/sku", expr: "sku" }] };
  assert.deepEqual(mapped({ rules: [] }, "items.sku", "lines.sku"), [loop]);
  assert.deepEqual(mapped({ rules: [loop] }, "items.quantity", "lines.Quantity"), [
    { ...loop, rules: [...loop.rules, { target: "/Quantity", expr: "quantity" }] },
  ]);
  assert.deepEqual(mapped({ rules: [loop] }, "orderNo", "lines.Quantity"), [
    { ...loop, rules: [...loop.rules, { target: "/Quantity", expr: "$root.orderNo" }] },
  ]);
  assert.deepEqual(mapped({ rules: [loop] }, "items.parts.no", "lines.parts.no"), [
    {
      ...loop,
      rules: [...loop.rules, { target: "/parts", forEach: "parts", rules: [{ target: "/no", expr: "no" }] }],
    },
  ]);
  assert.deepEqual(mapped({ rules: [] }, "items.parts.no", "lines.parts.no"), [
    {
      target: "/lines",
      forEach: "items",
      rules: [{ target: "/parts", forEach: "parts", rules: [{ target: "/no", expr: "no" }] }],
    },
  ]);
  assert.deepEqual(mapped({ rules: [] }, "tags", "tags"), [{ target: "/tags", forEach: "tags", expr: "$" }]);
  assert.throws(() => mapped({ rules: [{ target: "/lines", expr: "items" }] }, "items.sku", "lines.sku"), /whole list/);
});

test("fields of equal names are mapped at once, lists as loops, and none that has a rule", () => {
  const source = fieldsOfSample({ ...message, id: "1", lines: message.items, inner: { b: 1 } }, "message");
  const target = fieldsOf(shapeOfSchema(schema) ?? assert.fail(), "result");
  const rules = equalNames(source, target, new Set(["/id"]));
  assert.deepEqual(rules, [
    {
      target: "/lines",
      forEach: "lines",
      rules: [
        { target: "/sku", expr: "sku" },
        { target: "/Quantity", expr: "quantity" },
        { target: "/parts", forEach: "parts", rules: [{ target: "/no", expr: "no" }] },
      ],
    },
    { target: "/tags", forEach: "tags", expr: "$" },
    { target: "/inner/b", expr: "inner.b" },
  ]);
  assert.equal(readMessageDocument({ rules }, new Findings()).model.rules.length, 3);
});

test("the fields of the result are those of the schema, of a sample, and of rules", () => {
  const { rules } = readRules({
    rules: [
      { target: "/x/0/y", expr: "1" },
      { target: "lines", forEach: "l", rules: [{ target: "z", expr: "1" }] },
    ],
  });
  const root = targetFields({ schema, sample: { inner: { c: 1 } }, rules, name: "result" });
  assert.deepEqual(
    root.children.map(({ key, kind, isRequired }) => [key, kind, isRequired]),
    [
      ["/id", "value", true],
      ["/lines", "list", false],
      ["/tags", "list", false],
      ["/inner", "object", false],
      ["/x", "list", false],
    ],
  );
  assert.deepEqual(
    fieldAt(root, ["lines"])?.children.map(({ name }) => name),
    ["sku", "Quantity", "parts", "z"],
  );
  assert.deepEqual(
    fieldAt(root, ["inner"])?.children.map(({ name }) => name),
    ["b", "c"],
  );
  assert.deepEqual(allRules(rules).map(targetKey), ["/x/y", "/lines", "/lines/z"]);
});
