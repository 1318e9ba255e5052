/** `bulkhead test --watch`: tests run again when their files or flows change. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const flow = (id: string, word: string): string => `
- route: { id: ${id}, from: { uri: webhook, steps: [{ setBody: { constant: ${word} } }] } }
`;
const tests = (id: string, word: string): string => `
flow: ${id}
tests: [{ name: says ${word}, post: { path: /api/${id} }, expect: { body: ${word} } }]
`;

test("a change of a flow or a file runs the tests of it again; a bad file does not end the watch, and a signal does", async (t) => {
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
  await rm(files.path("tests"), { recursive: true });
  await said("tests: there is no such file or directory");
  await files.write("tests/a.yaml", `${tests("a", "two")}# made anew`);
  await said("watching for changes", 4);
  await files.write("tests/a.yaml", tests("a", "three"));
  await said("✗ says three");
  // As npm does, which forwards the signal that the terminal has sent already.
  kill("SIGINT");
  kill("SIGINT");
  const { code, stdout } = await ended;
  assert.equal(code, 130);
  assert.equal(stdout.split("tests/b.yaml").length - 1, 1, "nothing that concerns it has changed");
  assert.deepEqual(await files.left(), [], "what the runtime kept on the disk is gone");
});

test("the watch ends when its output is closed, and leaves nothing behind", async (t) => {
  const many = Array.from({ length: 50 }, (_, index) => `  - { name: says ${index}, post: { path: /api/a } }\n`);
  const files = await FlowTestFiles.write(t, {
    "a.yaml": flow("a", "one"),
    "tests/a.yaml": `flow: a\ntests:\n${many.join("")}`,
  });
  const { ended, said, deafen } = files.start(["tests"]);
  await said("✓ says 0");
  deafen();
  const { code, stderr } = await ended;
  assert.deepEqual([code, stderr], [141, ""]);
  assert.deepEqual(await files.left(), []);
});
