/** The docs speak of this code: what they quote is in the file that they quote, and files and pages that they name exist. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { kamelets } from "../src/workers/kamelets/index.ts";

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
