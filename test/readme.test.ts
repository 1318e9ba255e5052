/** What a visitor decides by: the README is short, its flow and its test work, and its numbers are those of the pages. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { starter } from "../src/cli/new-project.ts";
import { bulkhead, bulkheadProcess } from "./support/command-line.ts";
import { folderOf } from "./support/folders.ts";

const root = new URL("../", import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8");
const readme = textOf("README.md");
const tutorial = textOf("docs/first-hour.md");

test("the README has at most 120 lines, and a picture for light and one for dark", () => {
  assert.ok(readme.trimEnd().split("\n").length <= 120);
  const pictures = [...readme.matchAll(/\bsrc(?:set)?="([^"]+)"/g)].map(([, path = ""]) => path);
  assert.equal(pictures.length, 2);
  for (const path of pictures) assert.ok(existsSync(new URL(path, root)), path);
});

test("the flow of the README is valid, and its test passes", async (t) => {
  const [flow = "", tests = ""] = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text);
  const folder = folderOf(t, { "routes/orders.yaml": flow, "routes/tests/orders.yaml": tests });
  const [valid, tested] = await Promise.all([
    bulkhead(["validate", `${folder}/routes`]),
    bulkheadProcess(["test", `${folder}/routes/tests`]),
  ]);
  assert.deepEqual([valid.code, valid.stdout.split("\n")[0]], [0, "valid: 1 file"], valid.stdout + valid.stderr);
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /^1 test: 1 passed, 0 failed/m);
});

test("flows that newcomers meet have expressions in Camel's canonical spelling", () => {
  for (const text of [readme, tutorial, ...starter.values()]) {
    const flows = [...text.matchAll(/\b(?:simple|constant|jsonata): (.*)/g)].map(([, value = ""]) => value);
    for (const value of flows) assert.match(value, /^\{ expression: /);
  }
});

test("numbers of the README are those of the pages and of the package", () => {
  const [, supported = ""] = /(\d+ of Camel's \d+) steps/.exec(readme) ?? [];
  assert.ok(textOf("docs/camel-compatibility.md").includes(`\n${supported}, and`), supported);
  const [, examples] = /\[(\d+) examples\]/.exec(readme) ?? [];
  assert.equal(Number(examples), readdirSync(new URL("examples/", root)).length);
  const [, files, accepted] = /Of (\d+) public route files, (\d+) pass/.exec(readme) ?? [];
  const corpus = textOf("docs/maintaining/camel-corpus.md");
  assert.ok(corpus.includes(`${files} route files`) && corpus.includes(`| accepted | ${accepted} |`));
  const { version } = JSON.parse(textOf("package.json")) as { version: string };
  for (const page of ["README.md", "docs/first-hour.md", "docs/upgrading.md"])
    for (const [name] of textOf(page).matchAll(/bulkhead-\d[\w.-]*\.tgz/g))
      assert.equal(name, `bulkhead-${version}.tgz`, page);
});
