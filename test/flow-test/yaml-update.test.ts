/** The changes that `--update` makes to the text of a test file. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { disappointments } from "../../src/control/flow-test/expectation.ts";
import { parseTestFile, readTestFile } from "../../src/control/flow-test/test-file.ts";
import { updatedText, writeUpdates } from "../../src/control/flow-test/yaml-update.ts";
import { epochMs } from "../support/clock.ts";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const got = {
  status: 201,
  headers: { "x-a": "1" },
  body: { id: 7, at: "2026", tags: ["a"], inner: { x: 1, $y: 2 } },
  error: null,
};

/** The result for a file with one test, whose text after its name is given. */
function update(text: string, path = "t.yaml", result: Parameters<typeof updatedText>[1][number]["got"] = got): string {
  const file = parseTestFile(path, text);
  return updatedText(
    file,
    file.tests.map((test) => ({ test, got: result })),
  );
}

test("in a block, comments, quotes, matching matchers and the text around them stay", () => {
  const before = `flow: a   # odd   spacing
tests:
  - name: one
    post: { path: /x,   body: "q" }   # trailing
    # before
    expect:   # of it
      # about status
      status: 200 # wrong
      body:
        # the id
        id: { $type: integer }
        at: "2025" # quoted
        tags: [ b ]

        inner: { x: 2 }
      headers: { X-A: "2" }
      # the end
    assert: []
`;
  const after = before
    .replace("status: 200", "status: 201")
    .replace('"2025"', '"2026"')
    .replace("[ b ]", "[ a ]")
    .replace("inner: { x: 2 }", "inner: { $eq: { x: 1, $y: 2 } }")
    .replace('X-A: "2"', 'X-A: "1"');
  assert.equal(update(before), after, "what has a key like a matcher's is told from one");
});

test("a correction changes only values, and adds or removes only the keys that differ", () => {
  const plain = { ...got, body: { id: 7, at: "2026", tags: ["a"], inner: { x: 1 }, zip: 8 } };
  const before = `flow: a
tests:
  - {
      name: one, # c1
      post: { path: /x, body: &b { x: 2 } },
      expect: { # c2
        status: 200, # c3
        body: {id: 7,   at: '2025', gone: {a: 1}, inner: *b} # c4
      }
    }
  - name: two
    post: { path: /x }
    expect:   # e1
      # e2
      body:   # e3
        gone: 1
        # e4
        id:   { $gt: 6 }   # e5
        inner:   # e6
          x: 2   # e7
          # e8
        at: "2026"
        # e9
      # e10
    # e11
`;
  const after = before
    .replace("status: 200", "status: 201")
    .replace("at: '2025', gone: {a: 1}, inner: *b", "at: '2026', inner: { x: 1 }, tags: [ a ], zip: 8")
    .replace("        gone: 1\n", "")
    .replace("x: 2   # e7", "x: 1   # e7")
    .replace("        # e9\n", "        tags:\n          - a\n        zip: 8\n        # e9\n");
  assert.equal(update(before, "t.yaml", plain), after);
});

test("a test without an expectation gets one after its action, in the style of its map", () => {
  const plain = { ...got, body: "two\nlines\n" };
  assert.equal(
    update(
      "flow: a\ntests:\n  - name: one\n    post:\n      path: /x\n      # of post\n    assert: []\n",
      "t.yaml",
      plain,
    ),
    "flow: a\ntests:\n  - name: one\n    post:\n      path: /x\n      # of post\n    expect:\n      status: 201\n      body: |\n        two\n        lines\n    assert: []\n",
  );
  assert.equal(
    update("flow: a\r\ntests:\r\n  - name: one\r\n    post: { path: /x }", "t.yaml", plain),
    "flow: a\r\ntests:\r\n  - name: one\r\n    post: { path: /x }\r\n    expect:\r\n      status: 201\r\n      body: |\r\n        two\r\n        lines\r\n",
  );
  assert.equal(
    update('{"flow": "a", "tests": [{"name": "one", "post": {"path": "/x"}}]}', "t.json", plain),
    '{"flow": "a", "tests": [{"name": "one", "post": {"path": "/x"}, "expect": {"status":201,"body":"two\\nlines\\n"}}]}',
  );
});

test("the error of a failed run is written, and missing headers become null", () => {
  const failed = { status: "failed", headers: {}, body: null, error: { type: "a.B", message: "no", stepId: "s" } };
  const text = (expect: string): string =>
    `flow: a\ntests:\n  - { name: one, invoke: { routeId: r }, expect: ${expect} }\n`;
  assert.equal(
    update(text("{ error: { type: C, stepId: s }, headers: { x: 1 } }"), "t.yaml", failed),
    text("{ error: { type: B, stepId: s }, headers: { x: null } }"),
  );
  assert.equal(update(text("{ error: null }"), "t.yaml", failed), text("{ error: { type: a.B, message: no } }"));
  assert.equal(update(text("{ body: 1 }"), "t.yaml", failed), text("{ body: null, status: failed }"));
});

test("a body of JSON text is expected as a value or as the text", () => {
  const marshalled = { ...got, body: '{"id": 7, "tags": ["a"]}' };
  for (const body of ["{ tags: [a], id: 7 }", "{ $contains: { id: 7 } }", "{ $regex: '\"id\": 7' }"]) {
    const text = `flow: a\ntests:\n  - { name: one, invoke: { routeId: r }, expect: { status: 201, body: ${body} } }\n`;
    const expected = parseTestFile("t.yaml", text).tests[0]?.expect ?? {};
    assert.deepEqual(disappointments(expected, marshalled), [], body);
    assert.equal(update(text, "t.yaml", marshalled), text);
  }
});

test("a file that was changed while its tests ran is left unchanged", async (t) => {
  const text = "flow: a\ntests: [{ name: one, post: { path: /x } }]\n";
  const files = await FlowTestFiles.write(t, { "t.yaml": text });
  const file = readTestFile(files.path("t.yaml"));
  const tests = file.tests.map((one) => ({
    ...{ test: one, got, updates: true, status: "passed" as const },
    ...{ durationMs: 1, failures: [], notes: [] },
  }));
  const result = { file, tests, notes: [], startedAt: new Date(epochMs()) };
  await files.write("t.yaml", `${text}# mine\n`);
  assert.throws(() => writeUpdates(result), /t\.yaml: --update leaves it as it is: it was changed/);
  await files.write("t.yaml", text);
  assert.equal(writeUpdates(result), true);
  assert.match(await readFile(file.path, "utf8"), /expect: \{ status: 201/);
});
