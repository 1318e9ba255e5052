/** The tests of the sample flows. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readTestFile } from "../../src/control/flow-test/test-file.ts";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const routes = fileURLToPath(new URL("../../routes/samples/", import.meta.url));
const flows = readdirSync(routes).filter((name) => name.endsWith(".yaml"));

test("every sample flow has tests with mocks and assertions", () => {
  for (const name of flows) {
    const { flow, tests } = readTestFile(`${routes}tests/${name}`);
    assert.equal(`${flow}.yaml`, name);
    assert.ok(
      tests.some(({ mocks, assert: assertions }) => mocks !== undefined && (assertions ?? []).length > 0),
      name,
    );
  }
});

test("the sample flows pass their tests", async (t) => {
  const files = await FlowTestFiles.write(t, {});
  const { code, stdout, stderr } = await files.run([`${routes}tests`]);
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stdout.match(/^\S*routes\/samples\/tests\//gm)?.length, flows.length);
});
