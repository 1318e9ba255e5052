/** The docs speak of this code: what they quote is in the file that they quote, and files and pages that they name exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { catalog } from "../src/workers/catalog.ts";
import { normalize } from "../src/workers/check/canonical/normalize.ts";
import { describe } from "../src/workers/check/describe.ts";
import { kamelets } from "../src/workers/kamelets/index.ts";
import { readTopics } from "./conformance/case.ts";

const root = new URL("../", import.meta.url);
const pages = readdirSync(new URL("docs/", root), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

function textOf(file: string): string {
  return readFileSync(new URL(file, root), "utf8");
}

test("code that the docs quote with its file's name is that file's", () => {
  const quotes = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = "", code = ""]) => ({ page, file, code })),
  );
  assert.ok(quotes.length >= 5);
  for (const { page, file, code } of quotes)
    assert.ok(textOf(file).includes(code), `${page} quotes ${file} as it is not`);
});

test("files that the docs name in full exist", () => {
  for (const page of pages) {
    for (const [, file = ""] of textOf(page).matchAll(/`((?:src|test|docs|scripts|bin)\/[\w./-]+\.(?:ts|js|md))`/g))
      assert.ok(existsSync(new URL(file, root)), `${page} names ${file}, which is not there`);
  }
});

test("links between the docs lead somewhere", () => {
  for (const page of ["README.md", "CHANGELOG.md", ...pages]) {
    for (const [, target = ""] of textOf(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g))
      assert.ok(existsSync(new URL(target, new URL(page, root))), `${page} links to ${target}, which is not there`);
  }
});

test("the page of compatibility names every kamelet, and no other", () => {
  const [, listed = ""] = /^Native ones: (.*)\. Others/m.exec(textOf("docs/camel-compatibility.md")) ?? [];
  assert.deepEqual(
    [...listed.matchAll(/`([^`]*)`/g)].map(([, name]) => name),
    kamelets.map(({ name }) => name).sort(),
  );
});

test("each row of the page of Camel's versions names its conformance case, and no case lacks a row", () => {
  const rows = [...textOf("docs/camel-versions.md").matchAll(/^\|.*\| ([^|]+) \|$/gm)].map(([, name]) => name);
  const topic = readTopics().find(({ name }) => name === "camel-versions");
  assert.deepEqual(rows.filter((name) => name !== "case").sort(), topic?.cases.map(({ name }) => name).sort());
});

test("the walks name files that are there, each once, and count them right", () => {
  const [, ...walks] = textOf("docs/maintaining/walks.md").split(/^## /m);
  assert.equal(walks.length, 4);
  for (const walk of walks) {
    const [, name, count] = /^(.+): (\d+) files$/m.exec(walk) ?? [];
    const files = [...walk.matchAll(/^\d+\. `([\w/-]+\.ts)`: \S/gm)].map(([, file = ""]) => file);
    const numbers = [...walk.matchAll(/^(\d+)\./gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      [...files.keys()].map((index) => index + 1),
      `${name}: a number is wrong`,
    );
    assert.equal(Number(count), files.length, `${name}: the heading counts wrong`);
    assert.equal(new Set(files).size, files.length, `${name}: a file is named twice`);
    for (const file of files) assert.ok(existsSync(new URL(`src/${file}`, root)), `${name}: ${file} is not there`);
  }
});

/** The short forms in a YAML text, with the lines of the file that it begins in. */
function shorthandsOf(yaml: string, from = 0): readonly string[] {
  const result = normalize(yaml, catalog);
  return "places" in result ? result.places.map(({ line, message }) => `${line + from}: ${message}`) : [];
}

test("everything that the docs, examples and samples write is canonical", () => {
  const found: string[] = [];
  const root = fileURLToPath(new URL("../", import.meta.url));
  const texts = globSync(
    ["README.md", "{docs,examples,deploy,bench,templates}/**/*.md", "{examples,routes,deploy}/**/*.yaml"],
    {
      cwd: root,
    },
  );
  assert.ok(texts.length > 100);
  for (const file of texts) {
    const text = textOf(file);
    if (file.endsWith(".yaml")) found.push(...shorthandsOf(text).map((one) => `${file}:${one}`));
    for (const { 2: body = "", 1: indent = "", index } of text.matchAll(/^([ \t]*)```yaml\n(.*?)^\1```$/gms)) {
      const lines = body.split("\n").map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      const from = text.slice(0, index).split("\n").length;
      found.push(...shorthandsOf(lines.join("\n"), from).map((one) => `${file}:${one}`));
    }
  }
  const { catalog: described } = describe(catalog);
  for (const [kind, entries] of Object.entries(described)) {
    if (kind === "functions") continue;
    for (const { name, example = "" } of entries as readonly { name: string; example?: string }[])
      found.push(...shorthandsOf(example).map((one) => `${kind} ${name}: ${one}`));
  }
  assert.deepEqual(found, []);
});
