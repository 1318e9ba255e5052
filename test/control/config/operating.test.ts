/** docs/operating.md tells every variable and every limit as the code has them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { operatingPage, withLimitsTable } from "../../../scripts/limits-table.ts";
import { readCommand } from "../../../src/control/command.ts";
import { variables } from "../../../src/control/variables.ts";
import { limitNames, limitTable, limitVariable } from "../../../src/shared/limits.ts";

const page = readFileSync(operatingPage, "utf8");

test("the table of limits has each row as it is", () => {
  for (const name of limitNames) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` | \`${limitVariable(name)}\` |`));
    assert.ok(row?.includes(`| ${limitTable[name].default}`), `${name} is missing or old: npm run docs`);
  }
  assert.equal(page, withLimitsTable(page), "the table is not up to date: npm run docs");
});

test("each variable that the configuration reads is in the page", () => {
  const source = readFileSync(new URL("../../../src/control/config.ts", import.meta.url), "utf8");
  const read = new Set(source.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:PORT|HOST)\b/g));
  assert.ok(read.size >= 10);
  for (const variable of read) assert.ok(page.includes(`\`${variable}\``), variable);
});

test("each variable that the page's table describes has words in the help of start, and none else has", () => {
  const rows = [...page.matchAll(/^\| `([A-Z][A-Z_]*)` \|/gm)].map(([, name]) => name);
  const described = rows.slice(0, rows.indexOf("ISOLATION") + 1).sort();
  assert.deepEqual(Object.keys(variables).sort(), described);
  const help = readCommand(["run", "--help"]);
  assert.ok("text" in help);
  for (const [name, { words }] of Object.entries(variables)) {
    assert.match(words, /^\S.{20,}\.$/s, name);
    assert.ok(help.text.includes(`  ${name}`) && help.text.includes(words), name);
  }
});

test("each limit says what it bounds, and no two say the same", () => {
  const words = limitNames.map((name) => limitTable[name].docs);
  assert.deepEqual(
    words.filter((docs, at) => docs.trim().split(" ").length < 2 || words.indexOf(docs) !== at),
    [],
  );
});
