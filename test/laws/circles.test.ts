/** Each test file runs somewhere, what `.ci/run` runs stays bounded, and no file of src is without a test. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";
import { alone } from "../alone.ts";
import { inTrials, isInNpmTest, mostSlowInCi, slowInCi } from "../circles.ts";
import { leftForTrials } from "../left-for-trials.ts";
import { slow } from "../slow.ts";
import { trialRows } from "../trial-rows/index.ts";
import { neededBy, readGraph } from "./graph.ts";

const root = resolve(import.meta.dirname, "../..");
const files = globSync("test/**/*.test.ts", { cwd: root });

test("the lists of test files name files that exist", () => {
  const named = [...Object.keys(slow), ...Object.keys(leftForTrials), ...Object.keys(alone), ...slowInCi];
  assert.deepEqual(
    named.filter((file) => !files.includes(file)),
    [],
  );
});

test(".ci/run runs at most 22 files that npm test leaves out", () => {
  assert.ok(slowInCi.length <= mostSlowInCi, `${slowInCi.length} files`);
  assert.deepEqual(slowInCi.filter(isInNpmTest), []);
});

test("a row of the trials runs each file that .ci/run leaves out", () => {
  const matching = (patterns: readonly string[]): readonly string[] =>
    patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  const tests = new Set(trialRows.flatMap((row) => matching(row.files)));
  assert.deepEqual(
    inTrials.filter((file) => !tests.has(file)),
    [],
  );
  const others = new Set(trialRows.flatMap((row) => matching([...row.files, ...(row.folders ?? [])])));
  assert.deepEqual(
    globSync("test/**/*.{storm,servers,browser}.ts", { cwd: root }).filter((file) => !others.has(file)),
    [],
  );
});

test("npm test loads every file of src that has code", () => {
  const { starts } = readGraph();
  const loaded = neededBy(files.filter(isInNpmTest), starts);
  const without = [...starts.keys()].filter((file) => file.startsWith("src/") && !loaded.has(file));
  assert.deepEqual(without.filter(hasCode), []);
});

/** false: the file has only types, which nothing loads. */
function hasCode(file: string): boolean {
  const code = stripTypeScriptTypes(readFileSync(resolve(root, file), "utf8"));
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\s*\};?/g, "").trim() !== "";
}
