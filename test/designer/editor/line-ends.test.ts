/** A file with carriage returns keeps them wherever one types. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState, Text } from "@codemirror/state";
import fc from "fast-check";
import { keepLineEnds } from "../../../designer/web/src/editor/yaml/line-ends.ts";

const text = "- a: 1\r\n- b: 2\r\n- c: 3";

function typed(from: number, to: number, insert: string): string {
  const state = EditorState.create({
    doc: Text.of(text.split("\n")),
    extensions: [EditorState.lineSeparator.of("\n"), keepLineEnds(text, () => false)],
  });
  return state.update({ changes: { from, to, insert } }).state.doc.toString();
}

test("a new line in the middle, before and behind the carriage return", () => {
  assert.equal(typed(3, 3, "\n"), "- a\r\n: 1\r\n- b: 2\r\n- c: 3");
  assert.equal(typed(6, 6, "\nx"), "- a: 1\r\nx\r\n- b: 2\r\n- c: 3");
  assert.equal(typed(7, 7, "\nx"), "- a: 1\r\nx\r\n- b: 2\r\n- c: 3");
  assert.equal(typed(text.length, text.length, "\n- d"), `${text}\r\n- d`);
});

test("any text that is typed or pasted anywhere leaves every line with one carriage return", () => {
  const piece = fc.array(fc.constantFrom("a", "\n", "\r\n", " "), { maxLength: 5 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(text.length), piece, (one, other, insert) => {
      const after = typed(Math.min(one, other), Math.max(one, other), insert);
      assert.ok(!/[^\r]\n|^\n|\r(?!\n)/.test(after), JSON.stringify(after));
    }),
  );
});
