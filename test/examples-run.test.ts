/** The examples pass their own tests, in the command that their users run. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FlowTestFiles } from "./support/flow-test-process.ts";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));
const ids = readdirSync(folder).sort();
/** A script takes its time while other tests keep the processors busy. */
const patient = { LIMIT_SCRIPT_MS: "10000" };

test("every example passes its tests, and no mock of theirs is left over", async (t) => {
  const files = await FlowTestFiles.write(t, {});
  const { code, stdout, stderr } = await files.run(
    ids.map((id) => `${folder}${id}/tests`),
    patient,
  );
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stdout.match(/^\S*examples\/[\w-]+\/tests\//gm)?.length, ids.length);
  assert.doesNotMatch(stdout, /^ *note:/m);
});
