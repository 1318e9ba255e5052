/** `bulkhead test --watch`: tests run again when their files or flows change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const flow = (id: string, word: string): string => `
- route: { id: ${id}, from: { uri: webhook, steps: [{ setBody: { constant: ${word} } }] } }
`;
const tests = (id: string, word: string): string => `
flow: ${id}
tests: [{ name: says ${word}, post: { path: /api/${id} }, expect: { body: ${word} } }]
`;

test("a change of a flow or of a file runs what it concerns again, a bad file does not end it, a signal does", async (t) => {
  const files = await FlowTestFiles.write(t, {
    "a.yaml": flow("a", "one"),
    "b.yaml": flow("b", "one"),
    "tests/a.yaml": tests("a", "one"),
    "tests/b.yaml": tests("b", "one"),
  });
  const { ended, said, kill } = files.start(["tests", "--watch"]);
  await said("watching for changes", 1);
  await files.write("a.yaml", flow("a", "two"));
  await said("✗ says one");
  await said("watching for changes", 2);
  await files.write("tests/a.yaml", "flow: [");
  await said("tests/a.yaml:1:8: ");
  await files.write("tests/a.yaml", tests("a", "two"));
  await said("✓ says two");
  await said("watching for changes", 3);
  kill("SIGINT");
  const { code, stdout } = await ended;
  assert.equal(code, 130);
  assert.equal(stdout.split("tests/b.yaml").length - 1, 1, "nothing that concerns it has changed");
  assert.deepEqual(await files.left(), [], "what the runtime kept on the disk is gone");
});
