/** Every edit at every step of the files of a folder: `CORPUS_DIR=routes npm test -- test/designer/model/corpus.test.ts`. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { turn } from "../../support/clock.ts";
import { everyEdit, newTally } from "./support/every-edit.ts";

const folder = process.env["CORPUS_DIR"];
/** An edit reads the whole file several times: of a long file each test takes a part of the steps, so that none is silent for long. */
const bytesPerPart = 6000;

describe("every edit of a folder of flows reads as the same edit of plain data", {
  skip: folder === undefined && "CORPUS_DIR names no folder of flows",
}, () => {
  const total = newTally();
  const files = folder === undefined ? [] : globSync("**/*.{yaml,yml}", { cwd: folder }).sort();
  for (const file of files) {
    const text = readFileSync(join(folder as string, file), "utf8");
    const parts = Math.ceil(text.length / bytesPerPart);
    for (let part = 0; part < parts; part += 1) {
      test(parts === 1 ? file : `${file}, part ${part + 1} of ${parts}`, async () => {
        const tally = newTally();
        everyEdit(text, file, tally, { each: parts, first: part });
        for (const counts of ["done", "refused"] as const)
          for (const [kind, count] of Object.entries(tally[counts]))
            total[counts][kind] = (total[counts][kind] ?? 0) + count;
        // The report of this test goes out before the next one begins.
        await turn();
        assert.deepEqual(tally.failures, []);
      });
    }
  }
  test("counts", (t) => {
    assert.notEqual(files.length, 0, `no YAML files are in ${folder}`);
    t.diagnostic(
      `${files.length} files, edits ${JSON.stringify(total.done)}, refused ${JSON.stringify(total.refused)}`,
    );
  });
});
