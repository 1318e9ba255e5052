/** `bulkhead test` in a runtime of its own: what it prints, what it writes, how it ends. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { XMLParser } from "fast-xml-parser";
import { FlowTestFiles, flowTest } from "../support/flow-test-process.ts";

const greet = `
- route:
    id: greet
    from:
      uri: webhook
      steps:
        - setBody: { id: words, simple: "hello \${body}" }
        - to: { id: outside, uri: "http://outside.example/x" }
        - log: { id: told, message: "\${body}" }
`;

const green = `
flow: greet
tests:
  - name: greets
    mocks: { outside: { respond: { headers: { seen: "1" } } } }
    post: { path: /api/greet, body: Ada }
    expect: { status: 200, body: hello Ada }
    assert: [{ mockCalled: { stepId: outside, times: 1, with: { body: hello Ada } } }]
  - { name: later, skip: not yet, post: { path: /api/greet } }
`;

const red = `flow: greet
tests:
  - name: a <wrong> & "bad" one
    mocks:
      - { stepId: outside, respond: { headers: {} } }
    post: { path: /api/greet, body: Bob }
    expect:
      status: 201
      body: { $contains: Ada }
    assert:
      - mockCalled: { stepId: outside, times: 2 }
  - name: forgets its mock
    post: { path: /api/greet, body: Bob }
  - name: mocks what is not there
    mocks: { outsid: { spy: true } }
    post: { path: /api/greet }
`;

test("tests pass, fail with the expectation and its place, and are reported as JUnit XML", async (t) => {
  const files = await FlowTestFiles.write(t, {
    "greet.yaml": greet,
    "tests/green.yaml": green,
    "tests/red.yaml": red,
    "wrong.yaml": "- route: { id: w, from: { uri: webhook, steps: [{ lgo: a }, { to: nowhere:b }] } }\n",
    "tests/wrong.yaml": `flow: wrong\ntests: [{ name: "is \\e[31mnot\\e[0m run", post: { path: /api/w } }]\n`,
  });
  const { code, stdout, stderr } = await files.here(["/tests", "--junit", "/out.xml"]);
  assert.deepEqual([code, stderr], [1, ""]);
  const plain = stdout.replaceAll(/\(\d+ ms\)|\([\d.]+ s\)/g, "(t)");
  for (const line of [
    "tests/green.yaml\n  ✓ greets (t)\n  - later (skipped: not yet)\n",
    `tests/red.yaml\n  ✗ a <wrong> & "bad" one (t)\n`,
    "      tests/red.yaml:8:7: status: expected 201, got 200\n",
    `      tests/red.yaml:9:7: body: expected something that contains "Ada", got "hello Bob"\n`,
    "      tests/red.yaml:11:9: step 'outside': expected 2 calls, got 1",
    "  ✗ forgets its mock (t)\n      tests/red.yaml:12:5: it was answered 500: EgressDeniedException at step 'outside': outside.example:80 is not called where flows are tested: mock what calls it, or give --egress-allow outside.example:80\n",
    "  ✗ is \\u001b[31mnot\\u001b[0m run (t)\n      tests/wrong.yaml:2:9: the flow 'wrong' cannot be installed:\n        wrong.yaml:1:51: unknown step 'lgo'",
    "\n        wrong.yaml:1:67: unknown component 'nowhere'",
    "\n6 tests: 1 passed, 4 failed, 1 skipped (t)\n",
  ])
    assert.ok(plain.includes(line), `${line}\nis missing in\n${plain}`);
  assert.match(
    plain,
    /✗ mocks what is not there \(t\)\n {6}tests\/red\.yaml:15:14: \/mocks\/outsid: .*'outsid'.*'outside'/,
  );

  const xml = await readFile(files.path("out.xml"), "utf8");
  assert.ok(!xml.includes("\u001b"), "XML 1.0 cannot say it");
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(xml);
  assert.deepEqual([testsuites.tests, testsuites.failures, testsuites.skipped], ["6", "4", "1"]);
  const [first, second] = testsuites.testsuite;
  assert.deepEqual([first.name, first.testcase[1].skipped.message], [files.path("tests/green.yaml"), "not yet"]);
  const { name, classname, line, failure } = second.testcase[0];
  assert.deepEqual([name, classname, line], ['a <wrong> & "bad" one', "greet", "3"]);
  assert.equal(failure.message, "status: expected 201, got 200");
  assert.match(failure["#text"], /^\S+tests\/red\.yaml:8:7: .*\n.*contains "Ada"/);
});

test("all problems of a test's session are reported, each at its place in the file", async (t) => {
  const wrong = Array.from({ length: 30 }, () => "      - mockCalled: { stepId: outside, tmes: 2 }\n").join("");
  const head = "flow: greet\ntests:\n  - name: one\n    post: { path: /api/greet }\n";
  const mocks = "    mocks:\n      - { stepId: outside, spy: true, when: { body: { $eq: 1, a: '; /b: c' } } }\n";
  const files = await FlowTestFiles.write(t, {
    "greet.yaml": greet,
    "tests/wrong.yaml": `${head}${mocks}    assert:\n${wrong}`,
  });
  const { code, stdout } = await files.here(["/tests"]);
  assert.equal(code, 1);
  const failures = stdout.split("\n").filter((line) => line.includes("tests/wrong.yaml:"));
  assert.match(failures[0] ?? "", /wrong\.yaml:6:47: \/mocks\/0\/when\/body: '\$eq' stands beside 'a': /);
  assert.deepEqual(
    failures.slice(1).map((line) => line.trim()),
    Array.from(
      { length: 30 },
      (_, index) =>
        `tests/wrong.yaml:${index + 8}:40: /assertions/${index}/mockCalled/tmes: unknown field (did you mean 'times'?)`,
    ),
  );
});

test("unusable files and arguments exit with 2 and report each problem with its place", async (t) => {
  const files = await FlowTestFiles.write(t, {
    "greet.yaml": greet,
    "tests/bad.yaml": "flow: greet\ntests:\n  - name: one\n    expects: { status: 200 }\n    post: { path: api }\n",
    "tests/worse.yaml": "flow: gret\ntests:\n  - { name: one, post: { path: /x } }\n",
    "tests/worst.yaml": "flow: greet\ntests: [\n",
  });
  const bad = await files.here(["/tests"]);
  const [nowhere, unknown, egress] = await Promise.all(
    [["nowhere"], ["--filtre", "x"], [files.path("tests"), "--egress-allow", "a b/c"]].map((args) => flowTest(args)),
  );
  assert.deepEqual([bad.code, nowhere?.code, unknown?.code, egress?.code], [2, 2, 2, 2]);
  assert.equal(bad.stdout, "");
  for (const line of [
    "tests/bad.yaml:4:5: 'expects': unknown field (did you mean 'expect'?)",
    "tests/bad.yaml:5:13: 'path' must begin with '/', as /api/orders does",
    `tests/worse.yaml:1:1: there is no flow 'gret' in ${files.directory} (did you mean 'greet'?)`,
    "tests/worst.yaml:3:1: ",
  ])
    assert.ok(bad.stderr.includes(line), `${line}\nis missing in\n${bad.stderr}`);
  assert.match(nowhere?.stderr ?? "", /nowhere: there is no such file or directory/);
  assert.match(unknown?.stderr ?? "", /'--filtre'[\s\S]*--filter TEXT/);
  assert.match(egress?.stderr ?? "", /--egress-allow: 'b\/c' needs a port/);
});

test("a FIFO, a directory, a device and a huge file in the place of a file are reported, and nothing waits for them", {
  timeout: 60_000,
}, async (t) => {
  const post = "tests: [{ name: one, post: { path: /api/x } }]\n";
  const files = await FlowTestFiles.write(t, {
    "tests/of-pipe.yaml": `flow: pipe\n${post}`,
    "tests/of-folder.yaml": `flow: folder\n${post}`,
    "folder.yaml/x": "",
    "more/folder.yaml/x": "",
    "other/greet.yaml": greet,
    "other/tests/greet.yaml": `flow: greet\n${post}`,
    "other/documents/value-mappings": "a file",
  });
  execFileSync(
    "mkfifo",
    ["pipe.yaml", "more/pipe.yaml"].map((path) => files.path(path)),
  );
  writeFileSync(files.path("more/large.yaml"), "");
  truncateSync(files.path("more/large.yaml"), 64 * 1024 * 1024 + 1);
  const cases: readonly (readonly [args: readonly string[], line: string])[] = [
    [["more/pipe.yaml"], "more/pipe.yaml: it cannot be read: it is not a regular file\n"],
    [["more"], "more/folder.yaml: it cannot be read: it is a directory\n"],
    [["tests/of-pipe.yaml"], `${files.path("pipe.yaml")}: it cannot be read: it is not a regular file\n`],
    [["tests/of-folder.yaml"], `${files.path("folder.yaml")}: it cannot be read: it is a directory\n`],
    [["/dev/null"], "/dev/null: it cannot be read: it is not a regular file\n"],
    [
      ["more/large.yaml"],
      "more/large.yaml: it cannot be read: it has 67108865 bytes, and a document has at most 67108864\n",
    ],
    [["other"], `${files.path("other/documents/value-mappings")}: it cannot be read: ENOTDIR`],
  ];
  // In processes of their own, which a FIFO would hold up alone.
  for (const [args, line] of cases) {
    const { code, stdout, stderr } = await files.run(args);
    assert.equal(code, 2, `${args}: ${stdout}${stderr}`);
    assert.ok(stderr.includes(line), `${line}\nis missing in\n${stderr}`);
  }
});

test("--update writes the results, keeps matchers that match, and leaves the rest of the file unchanged", async (t) => {
  const before = `# greetings
flow: greet
tests:
  - name: one greets   # always
    mocks: {outside: {respond: {headers: {}}}}
    post: { path: /api/greet,   body: Ada }
    expect:   # by now
      status: 201 # wrong
      body: { $contains: Ada }

  - name: one has no expectation
    mocks: {outside: {throw: "no"}}
    post:
      path: /api/greet
  - { name: not asked for, post: { path: /api/greet, body: Bob }, expect: { status: 1 } }
`;
  const files = await FlowTestFiles.write(t, { "greet.yaml": greet, "tests/greet.yaml": before });
  const first = await files.here(["/tests", "--update", "--filter", "one"]);
  assert.equal(first.code, 0, first.stdout + first.stderr);
  const after = before
    .replace("status: 201 # wrong", "status: 200 # wrong")
    .replace(
      "      path: /api/greet\n",
      '      path: /api/greet\n    expect:\n      status: 500\n      body:\n        error: "the run failed: see its record"\n',
    );
  assert.match(first.stdout, /✓ one greets[\s\S]*✓ one has no expectation/);
  const written = await readFile(files.path("tests/greet.yaml"), "utf8");
  assert.equal(written.replace(/^ {8}error: .*$/m, '        error: "the run failed: see its record"'), after);
});

test("the tests of a companion file are run with its flow and its options, reported and updated at their place", async (t) => {
  const yaml = `
- route:
    id: hail
    from:
      uri: webhook
      steps:
        - setBody: { simple: "{{word}} \${body}" }
`;
  const companion = `params: { word: hail } # of the flow
policy: { principals: { shop: { type: apiKey, sha256: ${"a".repeat(64)}, roles: [a] } }, rules: [{ allow: [invoke], roles: [a] }] }
tests:
  - { name: is told, replaceFrom: { hail: "direct:hail" }, invoke: { routeId: hail, body: Ada }, expect: { body: hail Ada } }
  - { name: is guarded, post: { path: /api/hail }, expect: { status: 401 } }
  - name: fails
    replaceFrom: { hail: "direct:hail" }
    invoke: { routeId: hail, body: Bob }
    expect:
      body: hello Bob
`;
  const files = await FlowTestFiles.write(t, { "hail.yaml": yaml, "hail.flow.yaml": companion });
  const first = await files.here(["/hail.flow.yaml"]);
  assert.deepEqual([first.code, first.stderr], [1, ""]);
  const plain = first.stdout.replaceAll(/\(\d+ ms\)|\([\d.]+ s\)/g, "(t)");
  for (const line of [
    "hail.flow.yaml\n  ✓ is told (t)\n  ✓ is guarded (t)\n  ✗ fails (t)\n",
    '      hail.flow.yaml:10:7: body: expected "hello Bob", got "hail Bob"\n',
  ])
    assert.ok(plain.includes(line), `${line}\n${plain}`);
  assert.equal((await files.here(["/hail.flow.yaml", "--update"])).code, 0);
  assert.equal(await readFile(files.path("hail.flow.yaml"), "utf8"), companion.replace("hello Bob", "hail Bob"));

  await files.write("hail.flow.yaml", "test: []\nparams: { word: a }\n");
  const wrong = await files.here(["/hail.flow.yaml"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /hail\.flow\.yaml:1:1: 'test': unknown field \(did you mean 'tests'\?\)/);

  await files.write("hail.flow.yaml", "params: { word: a }\n");
  const { code, stderr } = await files.here(["/hail.flow.yaml"]);
  assert.deepEqual([code, stderr], [2, "hail.flow.yaml:1:1: 'tests' is missing\n"]);
});

test("without a path the test files of routes/tests and the companion files with tests are run", async (t) => {
  const hail = (id: string): string =>
    `- route: { id: ${id}, from: { uri: webhook, steps: [{ setBody: { simple: "{{word}}" } }] } }`;
  const says = (id: string, word: string): string =>
    `tests: [{ name: ${id} says ${word}, post: { path: /api/${id} }, expect: { body: ${word} } }]`;
  const files = await FlowTestFiles.write(t, {});
  const nothing = await files.run([]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /there are no tests: no routes\/tests, and no routes\/\*\.flow\.yaml with 'tests'/);

  for (const id of ["one", "two", "three"]) await files.write(`routes/${id}.yaml`, hail(id));
  await files.write("routes/one.flow.yaml", `params: { word: hello }\n${says("one", "hello")}\n`);
  await files.write("routes/two.flow.yaml", "params: { word: hello }\n");
  const companions = await files.run([]);
  assert.deepEqual([companions.code, companions.stderr], [0, ""], companions.stdout);
  assert.match(companions.stdout, /^routes\/one\.flow\.yaml\n {2}✓ one says hello /);
  assert.match(companions.stdout, /\n1 test: 1 passed/);

  await files.write("routes/tests/three.yaml", `flow: three\nparams: { word: hail }\n${says("three", "hail")}\n`);
  const both = await files.run([]);
  assert.equal(both.code, 0, both.stderr);
  assert.match(
    both.stdout,
    /^routes\/tests\/three\.yaml\n {2}✓ three says hail .*\nroutes\/one\.flow\.yaml\n {2}✓ one says hello /,
  );

  await files.write("routes/two.flow.yaml", "params: { word: hello }\ntest: []\n");
  const wrong = await files.run([]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /routes\/two\.flow\.yaml:2:1: 'test': unknown field \(did you mean 'tests'\?\)/);
});

test("a test file's flow has the policy of its companion file, unless documents/auth has one or the file names its documents", async (t) => {
  const yaml = "- route: { id: hail, from: { uri: webhook, steps: [ { setBody: { constant: hail } } ] } }\n";
  const calls = "tests: [{ name: is called, post: { path: /api/hail }, expect: { status: 200 } }]\n";
  const policy = `policy: { principals: { shop: { type: apiKey, sha256: ${"a".repeat(64)} } }, allow: [shop] }\n`;
  const files = await FlowTestFiles.write(t, {
    "hail.yaml": yaml,
    "hail.flow.yaml": policy,
    "tests/hail.yaml": `flow: hail\n${calls}`,
    "named/hail.yaml": `flow: hail\ndocuments: []\n${calls}`,
  });
  const guarded = await files.here(["/tests"]);
  assert.match(guarded.stdout, /status: expected 200, got 401/);
  assert.equal((await files.here(["--routes", "/", "/named"])).code, 0);
  await files.write("hail.flow.yaml", "policy: [\n");
  const broken = await files.here(["/tests"]);
  assert.equal(broken.code, 2);
  assert.match(broken.stderr, /hail\.flow\.yaml:2:1: /);
  await files.write("hail.flow.yaml", policy);
  await files.write("documents/auth/hail.json", '{ "public": true }');
  const { code, stdout } = await files.here(["/tests"]);
  assert.equal(code, 0, stdout);
});

test("a flow is installed with its companion file; params of the test file come over those there", async (t) => {
  const says = (id: string, text: string): string =>
    `- route: { id: ${id}, from: { uri: "direct:${id}", steps: [{ setBody: { constant: "${text}" } }] } }\n`;
  const files = await FlowTestFiles.write(t, {
    "greet.yaml": says("greet", "{{greeting}} {{who}} {{end}}").replace("steps: [", 'steps: [{ to: "direct:other" }, '),
    "greet.flow.yaml": "params: { greeting: hello, who: nobody, end: 1 }\n",
    "other.yaml": says("other", "{{text}}"),
    "other.flow.yaml": "params: { text: other }\n",
    "tests/greet.yaml": `flow: greet
with: [other]
params: { who: Ada }
tests:
  - name: greets
    invoke: { endpoint: "direct:greet" }
    expect: { status: completed, body: hello Ada 1 }
`,
  });
  const { code, stdout } = await files.here(["/tests"]);
  assert.equal(code, 0, stdout);
  await files.write("other.flow.yaml", "params: {}\nparms: {}\n");
  const refused = await files.here(["/tests"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /other\.flow\.yaml:2:1: 'parms': unknown field \(did you mean 'params'\?\)\n$/);
});
