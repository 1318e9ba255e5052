/** What the main thread of a host process can get at; its threads are those of test/control/worker-reach.test.ts. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hostFlags } from "../../../src/control/threads/local/thread-flags.ts";

const skip = process.env.BULKHEAD_COVERAGE_DIR === undefined ? false : "a coverage run lets it read the project";

test("a host process reads no file but the runtime's code, starts no process and opens no connection", {
  skip,
}, async () => {
  const entry = new URL("../../support/reaching-host.ts", import.meta.url);
  const { env, execArgv } = hostFlags(entry);
  const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, fileURLToPath(entry)], { env });
  const outcomes = JSON.parse(stdout) as [string, string][];
  assert.equal(outcomes.length, 12);
  for (const [name, outcome] of outcomes)
    assert.equal(outcome, name === "environment" ? "{}" : "ERR_ACCESS_DENIED", name);
});
