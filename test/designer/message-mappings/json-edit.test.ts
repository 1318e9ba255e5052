/** Edits of a mapping's document: each is the same edit of the plain document, and leaves all other characters alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  insertValue,
  moveValue,
  removeValue,
  renameMember,
  setValue,
} from "../../../designer/web/src/message-mappings/model/json-edit.ts";
import { JsonSource } from "../../../designer/web/src/message-mappings/model/json-style.ts";
import { readJson } from "../../../designer/web/src/message-mappings/model/json-text.ts";
import { EditRefused } from "../../../designer/web/src/message-mappings/model/refused.ts";
import { applyChanges } from "../../../designer/web/src/model/index.ts";
import type { Change, Path } from "../../../designer/web/src/model/types.ts";

/** As JSON has it: without -0 and objects of no prototype. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const value = fc.jsonValue({ maxDepth: 3 }).map(asJson);
const styles = fc.constantFrom<(document: unknown) => string>(
  (document) => JSON.stringify(document),
  (document) => JSON.stringify(document, null, 2),
  (document) => JSON.stringify(document, null, "\t"),
  (document) => `${JSON.stringify(document, null, 4).replaceAll("\n", "\r\n")}\r\n`,
  (document) => ` ${JSON.stringify(document).replaceAll(/([{,:[])(?=["\d{[tfn-])/g, "$1 ")}`,
);
const documents = fc
  .record({ rules: fc.array(fc.dictionary(fc.string(), value, { maxKeys: 4 }), { maxLength: 5 }), other: value })
  .map(asJson)
  .chain((document) => styles.map((style) => ({ document, text: safely(style, document) })));

/** A style that puts blanks into texts would change the document. */
function safely(style: (document: unknown) => string, document: unknown): string {
  const text = style(document);
  const same = JSON.stringify(JSON.parse(text)) === JSON.stringify(document);
  return same ? text : JSON.stringify(document);
}

type Edit = (json: ReturnType<typeof readJson>) => readonly Change[];
const edited = (text: string, edit: Edit): string => applyChanges(text, edit(readJson(text)));

test("a value that is set is that of the plain document, and all characters around it stay", () => {
  fc.assert(
    fc.property(documents, value, fc.nat(), (sample, next, at) => {
      const { text, document } = sample;
      const index = document.rules.length === 0 ? undefined : at % document.rules.length;
      const path: Path = index === undefined ? ["other"] : ["rules", index];
      const after = edited(text, (json) => setValue(json, path, next));
      const expected = structuredClone(document) as { rules: unknown[]; other: unknown };
      if (index === undefined) expected.other = next;
      else expected.rules[index] = next;
      assert.deepEqual(JSON.parse(after), expected);
      const [change] = setValue(readJson(text), path, next);
      if (change === undefined) return;
      assert.equal(after.slice(0, change.from), text.slice(0, change.from));
      assert.equal(after.slice(change.from + change.insert.length), text.slice(change.to));
    }),
  );
});

test("what is inserted and removed again leaves the text as it was, character by character", () => {
  fc.assert(
    fc.property(documents, value, fc.nat(), ({ text, document }, next, place) => {
      const at = place % (document.rules.length + 1);
      const inserted = edited(text, (json) => insertValue(json, ["rules"], at, next));
      assert.deepEqual(JSON.parse(inserted).rules, document.rules.toSpliced(at, 0, next as never));
      const back = edited(inserted, (json) => removeValue(json, ["rules", at]));
      if (document.rules.length > 0) assert.equal(back, text);
      else assert.deepEqual(JSON.parse(back), document);
    }),
    {
      examples: [
        [{ document: { rules: [{}, { a: "{ b" }], other: 1 }, text: '{"rules":[{},{"a":"{ b"}],"other":1}' }, 1, 1],
      ],
    },
  );
});

test("a rule that is moved changes places only, and moved back the text is as it was", () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.nat(), ({ text, document }, one, other) => {
      fc.pre(document.rules.length > 0);
      const [from, to] = [one % document.rules.length, other % document.rules.length];
      const after = edited(text, (json) => moveValue(json, ["rules"], from, to));
      const rule = document.rules[from] as never;
      assert.deepEqual(JSON.parse(after).rules, document.rules.toSpliced(from, 1).toSpliced(to, 0, rule));
      assert.equal(
        edited(after, (json) => moveValue(json, ["rules"], to, from)),
        text,
      );
    }),
  );
});

test("members are added, renamed and removed in the order and the style of the text", () => {
  const text = '{\n  "name": "n", "rules": [\n    {"target": "/a", "expr": "a"}\n  ]\n}\n';
  const added = edited(text, (json) => insertValue(json, ["rules"], 1, { target: "/b", expr: "b" }));
  assert.equal(
    added,
    '{\n  "name": "n", "rules": [\n    {"target": "/a", "expr": "a"},\n    {"target": "/b", "expr": "b"}\n  ]\n}\n',
  );
  const optioned = edited(added, (json) => setValue(json, ["rules", 0, "when"], "a > 1"));
  assert.ok(optioned.includes('    {"target": "/a", "expr": "a", "when": "a > 1"},\n'));
  const renamed = edited(text, (json) => renameMember(json, ["name"], "title"));
  assert.equal(renamed, text.replace('"name"', '"title"'));
  assert.equal(
    edited('{"a": {}}', (json) => setValue(json, ["a", "b", "c"], 1)),
    '{"a": {"b": {"c": 1}}}',
  );
  assert.throws(() => renameMember(readJson(text), ["name"], "rules"), EditRefused);
});

test("digits that no double has stay, also those that are typed", () => {
  const text = '{"a": 12345678901234567890, "rules": []}';
  const after = edited(text, (json) => setValue(json, ["b"], new JsonSource("98765432109876543210")));
  assert.equal(after, '{"a": 12345678901234567890, "rules": [], "b": 98765432109876543210}');
});

test("a text that is not JSON has its places, and refuses edits of its parts", () => {
  const broken = readJson('{"a": 1,\n "a": }');
  assert.ok(broken.errors[0]?.message.includes("line 2"));
  assert.throws(() => setValue(broken, ["a"], 2), EditRefused);
  const twice = readJson('{"a": 1, "a": 2}');
  assert.deepEqual(
    twice.errors.map(({ from }) => from),
    [9],
  );
  assert.ok(readJson("[".repeat(20_000)).errors.length > 0);
  assert.ok(readJson("").errors.length > 0);
  assert.ok(readJson("{} // comment").errors.length > 0);
});
