/** Each rule of scripts/prose reports bad prose, and none reports good prose. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lint } from "../../scripts/prose/lint.ts";
import { rules } from "../../scripts/prose/rules.ts";
import { reported, unseen } from "./pairs.ts";

async function rulesThatReport(sentence: string, isCell = false): Promise<string[]> {
  const page = isCell ? `| a |\n|---|\n| ${sentence} |\n` : sentence;
  return (await lint("docs/page.md", page)).map(({ rule }) => rule);
}

for (const { name, bad, good, advice, cell } of rules) {
  test(`${name} reports its bad example, and no rule its good one`, async () => {
    assert.match(name, /^[a-z-]+$/);
    assert.match(advice, /^[a-z]/);
    assert.ok((await rulesThatReport(bad, cell)).includes(name), bad);
    assert.deepEqual(await rulesThatReport(good, cell), [], good);
  });
}

test("rules have names of their own", () => {
  assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
});

test("sentences of our old pages are reported, and nothing in what replaces them", async () => {
  for (const [before, after] of reported) {
    assert.notDeepEqual(await rulesThatReport(before), [], before);
    assert.deepEqual(await rulesThatReport(after), [], after);
  }
  for (const [, after] of unseen) assert.deepEqual(await rulesThatReport(after), [], after);
});

test("the pages of decisions may say what was tried before", async () => {
  const sentence = "It previously took the process along.";
  assert.deepEqual(await lint("docs/decisions/0001-a-thread.md", sentence), []);
  assert.equal((await lint("docs/page.md", sentence))[0]?.rule, "history");
});

test("the pairs of docs/style.md agree with the rules", async () => {
  const page = readFileSync(new URL("../../docs/style.md", import.meta.url), "utf8");
  const pairs = [...page.matchAll(/^\| `([^`|]{15,})` \| (.+) \|$/gm)];
  assert.ok(pairs.length >= 8);
  for (const [, before = "", after = ""] of pairs) {
    assert.notDeepEqual(await rulesThatReport(before), [], before);
    assert.deepEqual(await rulesThatReport(after), [], after);
  }
});
