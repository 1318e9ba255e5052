/** Answers of check threads about mappings are validated. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCheckAnswer, readTextAnswer } from "../../../src/control/mappings/mapping-answers.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";

const limits = { ...defaultLimits, mappingBytes: 100 };
const facts = { name: "n", shared: false, rows: 1, columns: ["a", "b"], tests: { passed: 1, failed: 0 }, uses: [] };
const good = { facts, warnings: [{ code: "c", message: "m" }], data: new Uint8Array(10) };

test("an accepted mapping has its facts, its warnings and a buffer that it shares with nothing", () => {
  const large = new Uint8Array(64);
  large[3] = 7;
  const answer = readCheckAnswer({ ...good, data: large.subarray(2, 6), kept: "{}" }, "value", limits);
  assert.ok("accepted" in answer);
  const { data, ...rest } = answer.accepted;
  assert.deepEqual(rest, { facts, warnings: good.warnings, kept: "{}" });
  assert.deepEqual([...data], [0, 7, 0, 0]);
  assert.equal(data.buffer.byteLength, 4, "threads are not sent what is around it");
});

test("long lists and long texts are cut", () => {
  const warnings = Array.from({ length: 5000 }, () => ({ code: "c", message: "m".repeat(9000) }));
  const answer = readCheckAnswer({ ...good, warnings }, "value", limits);
  assert.ok("accepted" in answer);
  assert.equal(answer.accepted.warnings.length, 1000);
  assert.equal(answer.accepted.warnings[0]?.message.length, 4003);
});

for (const [what, told] of [
  ["nothing", undefined],
  ["a text", "accepted"],
  ["no bytes", { ...good, data: "table" }],
  ["shared bytes", { ...good, data: new Uint8Array(new SharedArrayBuffer(8)) }],
  ["more bytes than such a document can have", { ...good, data: new Uint8Array(1601) }],
  ["facts without a count", { ...good, facts: { ...facts, rows: "1" } }],
  ["facts with a negative count", { ...good, facts: { ...facts, rows: -1 } }],
  ["an id that is none", { ...good, facts: { ...facts, uses: ["../x"] } }],
  ["the facts of the other kind", { ...good, facts: { ...facts, rows: undefined, rules: 1 } }],
  ["half a character", { ...good, kept: "\ud800" }],
  ["needs that are no ids", { needs: ["a", "b/c"] }],
  ["problems that are no texts", { problems: [1] }],
] as const) {
  test(`${what} is refused as an answer`, () => {
    assert.throws(() => readCheckAnswer(told, "value", limits));
  });
}

test("a text answer has the text, or the reason why there is none", () => {
  assert.deepEqual(readTextAnswer({ answer: "{}" }), { answer: "{}" });
  assert.deepEqual(readTextAnswer({ problem: "no" }), { problem: "no" });
  assert.throws(() => readTextAnswer({ answer: 1 }));
  assert.throws(() => readTextAnswer(null));
});
