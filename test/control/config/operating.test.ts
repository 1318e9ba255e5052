/** docs/operating.md tells every variable and every limit as the code has them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { operatingPage, withLimitsTable } from "../../../scripts/limits-table.ts";
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
  const variables = new Set(source.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:PORT|HOST)\b/g));
  assert.ok(variables.size >= 10);
  for (const variable of variables) assert.ok(page.includes(`\`${variable}\``), variable);
});
