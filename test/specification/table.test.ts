/** docs/maintaining/specification.md says which test shows which rule: each test that it names exists, and none of this folder is left out. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/maintaining/specification.md", root), "utf8");

interface Named {
  readonly file: string;
  readonly name: string;
}

/** A cell holds `file › name` once or more, parted by `<br>`. */
function namedTests(): Named[] {
  return [...page.matchAll(/`(test\/[\w/.-]+\.(?:test|browser)\.ts)` › ([^|<\n]+?)(?=\s*(?:\||<br>))/g)].map(
    ([, file = "", name = ""]) => ({ file, name }),
  );
}

function textOf(file: string): string {
  return readFileSync(new URL(file, root), "utf8");
}

function hasTest(text: string, name: string): boolean {
  return [JSON.stringify(name), `\`${name}\``].some(
    (literal) => text.includes(`test(${literal}, `) || text.includes(`test(\n  ${literal},`),
  );
}

test("each test that the table names exists in the file that it names", () => {
  const named = namedTests();
  assert.ok(named.length > 40, `${named.length} tests were found in the table`);
  for (const { file, name } of named) assert.ok(hasTest(textOf(file), name), `${file} has no test '${name}'`);
});

test("each row of the table names a test, or says why it has none", () => {
  const rows = page.split("\n").filter((line) => /^\| (?!rule |row |---)/.test(line) && !/^\|[-|]+$/.test(line));
  assert.ok(rows.length > 40, `${rows.length} rows were found`);
  for (const row of rows) assert.match(row, /`test\/[\w/.-]+\.(?:test|browser)\.ts` › |\*no test:\* \S/, row);
});

test("each test of this folder stands in the table", () => {
  const named = new Set(namedTests().map(({ file, name }) => `${file} ${name}`));
  for (const entry of readdirSync(new URL("test/specification/", root))) {
    const file = `test/specification/${entry}`;
    if (!entry.endsWith(".test.ts") || entry === "table.test.ts") continue;
    for (const [, name] of textOf(file).matchAll(/^test\("(.*?)", async/gm))
      assert.ok(named.has(`${file} ${name}`), `docs/maintaining/specification.md does not name '${name}' of ${file}`);
  }
});
