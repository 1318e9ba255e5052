/** Every edit at every step of the files of a folder: `CORPUS_DIR=routes npm test -- test/designer/model/corpus.test.ts`. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { everyEdit, newTally } from "./support/every-edit.ts";

const folder = process.env["CORPUS_DIR"];

test("every edit of a folder of flows reads as the same edit of plain data", {
  skip: folder === undefined && "CORPUS_DIR names no folder of flows",
}, (t) => {
  const tally = newTally();
  const files = globSync("**/*.{yaml,yml}", { cwd: folder as string }).sort();
  for (const file of files) everyEdit(readFileSync(join(folder as string, file), "utf8"), file, tally);
  t.diagnostic(`${files.length} files, edits ${JSON.stringify(tally.done)}, refused ${JSON.stringify(tally.refused)}`);
  assert.deepEqual(tally.failures, []);
});
