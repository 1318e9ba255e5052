/** Edits of a flow's text: what they change, what stays, what is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse as read } from "yaml";
import {
  addBranch,
  addRoute,
  addTopLevel,
  applyChanges,
  type Change,
  copySteps,
  diagnosticRange,
  duplicateStep,
  EditRefused,
  expressionOf,
  type FlowText,
  freshFlow,
  insertStep,
  isListAt,
  languageNames,
  lineColumnAt,
  moveStep,
  newStepId,
  offsetAt,
  optionsAt,
  type Path,
  parse,
  pasteSteps,
  pathOfPointer,
  removeBranch,
  removeExpression,
  removeRoute,
  removeStep,
  replaceStep,
  setExpression,
  setOption,
  slug,
  stepAt,
  stepIds,
  stepOfDiagnostic,
  stepsWithoutId,
  tree,
  valueAt,
} from "../../../designer/web/src/model/index.ts";
import { everyEdit, newTally } from "./support/every-edit.ts";

const steps: Path = [0, "route", "from", "steps"];
const block = `# the file
- route:
    id: orders # its path
    from:
      uri: webhook
      steps:
        # reads it
        - unmarshal:
            json: {}
        - log: "got \${body}" # short
        - choice:
            when:
              # large ones
              - simple: "\${body} > 5"
                steps:
                  - to: direct:large
                  # the last
                  - stop:
            otherwise: { steps: [{ log: small }] }
        - setBody:
            expression:
              js:
                expression: |
                  let a = 1 // one

                  a
- route:
    id: large
    from:
      uri: direct:large
      steps: []
`;

function after(text: string, edit: (flow: FlowText) => Change[]): string {
  return applyChanges(text, edit(parse(text)));
}

function refuses(text: string, reason: string, edit: (flow: FlowText) => unknown): void {
  assert.throws(
    () => edit(parse(text)),
    (error) => error instanceof EditRefused && error.reason === reason && error.message !== "",
  );
}

// biome-ignore lint/suspicious/noExplicitAny: parsed YAML.
const stepsOf = (text: string): any => read(text)[0].route.from.steps;

test("a list, such as that of beans, is known as one: it has no options by name, and the form says so", () => {
  const flow = parse(
    "- beans:\n    - name: a\n      type: b\n- route: { id: a, from: { uri: direct:a, steps: [log: x] } }\n",
  );
  assert.deepEqual(
    [[0, "beans"], [1, "route"], [1, "route", "from", "steps"], [7]].map((path) => isListAt(flow, path)),
    [true, false, true, false],
  );
  assert.equal(isListAt(parse("- beans: ["), [0, "beans"]), false);
});

test("every edit reads as the same edit of plain data, in all spellings and with both newlines", () => {
  const tally = newTally();
  const flow = `- {route: {id: a, from: {uri: "direct:a", steps: [{log: {message: x}}, {stop: {}}, {choice: {when: [{simple: x, steps: [{log: y}]}]}}]}}}\n`;
  const bare =
    "id: a\nfrom: timer:x\nsteps:\n- log: x\n-  log:\n     message: |\n       a\n\n       b\n\n     id: b\n- stop:\n\n# end\n";
  const marked = `\ufeff${block}`;
  const cut = block.trimEnd();
  for (const [name, text] of Object.entries({ block, flow, bare, marked, cut })) {
    everyEdit(text, name, tally);
    everyEdit(text.replaceAll("\n", "\r\n"), `${name} with CRLF`, tally);
  }
  assert.deepEqual(tally.failures, []);
  assert.ok((tally.done["move away"] ?? 0) > 10, JSON.stringify(tally.done));
  assert.deepEqual(
    Object.keys(tally.refused).filter((key) => key.endsWith("unproved")),
    [],
  );
});

test("one option changes one line, and its quotes and comment stay", () => {
  const text = after(block, (flow) => setOption(flow, [...steps, 1, "log"], 'a "b"'));
  assert.equal(text, block.replace('"got ${body}" # short', '"a \\"b\\"" # short'));
  const wide = after(block, (flow) => setOption(flow, [...steps, 1, "log", "id"], "log-1"));
  assert.deepEqual(stepsOf(wide)[1], { log: { message: "got ${body}", id: "log-1" } });
});

test("steps are added where there are none yet", () => {
  const made = { log: { message: "m" } };
  for (const from of [
    "from: direct:a",
    "from:\n    uri: direct:a",
    "from:\n    uri: direct:a\n    steps:",
    "from:\n    uri: direct:a\n    steps: [] # none",
  ]) {
    const text = after(`- ${from}\n`, (flow) => insertStep(flow, [0, "from", "steps"], 0, made));
    assert.deepEqual(read(text), [{ from: { uri: "direct:a", steps: [made] } }]);
    assert.equal(text.includes("# none"), from.includes("# none"));
  }
});

test("a removed step takes its comment along; a moved one, too", () => {
  assert.ok(!after(block, (flow) => removeStep(flow, [...steps, 0])).includes("reads it"));
  const text = after(block, (flow) => moveStep(flow, [...steps, 0], [...steps, 2, "choice", "when", 0, "steps"], 2));
  assert.match(text, / {18}# reads it\n {18}- unmarshal:\n {22}json: \{\}\n/);
  refuses(block, "intoItself", (flow) => moveStep(flow, [...steps, 2], [...steps, 2, "choice", "when", 0, "steps"], 0));
  const emptied = after(text, (flow) => moveStep(flow, [...steps, 0], [1, "route", "from", "steps"], 0));
  assert.deepEqual(read(emptied)[1].route.from.steps, [{ log: "got ${body}" }]);
});

test("copies keep their comments and get ids of their own", () => {
  const text = after(block, (flow) => setOption(flow, [...steps, 0, "unmarshal", "id"], "unmarshal-1"));
  const copied = copySteps(parse(text), [[...steps, 0]]);
  assert.match(copied, /^# reads it\n- unmarshal:\n/);
  assert.deepEqual(stepsOf(after(text, (flow) => pasteSteps(flow, steps, 0, copied)))[0].unmarshal.id, "unmarshal-2");
  assert.equal(stepsOf(after(text, (flow) => duplicateStep(flow, [...steps, 0])))[1].unmarshal.id, "unmarshal-2");
  assert.deepEqual(stepsOf(after(text, (flow) => replaceStep(flow, [...steps, 0], "log: x")))[0], { log: "x" });
  refuses(text, "clipboard", (flow) => pasteSteps(flow, steps, 0, "no steps"));
});

test("branches are added and removed", () => {
  const choice = [...steps, 2, "choice"];
  assert.equal(stepsOf(after(block, (flow) => addBranch(flow, choice, "when")))[2].choice.when.length, 2);
  refuses(block, "oneBranch", (flow) => addBranch(flow, choice, "otherwise"));
  const text = after(block, (flow) => removeBranch(flow, [...choice, "otherwise"]));
  assert.equal(stepsOf(text)[2].choice.otherwise, undefined);
  assert.deepEqual(stepsOf(after(text, (flow) => addBranch(flow, choice, "otherwise")))[2].choice.otherwise, {
    steps: [],
  });
  assert.deepEqual(stepsOf(after(block, (flow) => removeBranch(flow, [...choice, "when", 0])))[2].choice.when, []);
});

test("routes and elements are added and removed", () => {
  const route = { route: { id: "b", from: { uri: "direct:b", steps: [] } } };
  assert.deepEqual(read(after(block, (flow) => addRoute(flow, route)))[2], route);
  assert.deepEqual(read(after("", (flow) => addRoute(flow, route))), [route]);
  assert.deepEqual(read(after("id: a\nfrom: timer:x\nsteps:\n  - stop:\n", (flow) => addRoute(flow, route))).length, 2);
  const handled = after(block, (flow) => addTopLevel(flow, "onException", { exception: ["x"] }));
  assert.deepEqual(Object.keys(read(handled)[0]), ["onException"]);
  assert.equal(read(after(block, (flow) => removeRoute(flow, [0]))).length, 1);
});

test("what is written for several places is not edited in one of them", () => {
  const text = "- from:\n    uri: direct:a\n    steps:\n      - log: &m\n          message: x\n      - log: *m\n";
  refuses(text, "alias", (flow) => setOption(flow, [0, "from", "steps", 1, "log", "message"], "y"));
  refuses(text, "anchor", (flow) => setOption(flow, [0, "from", "steps", 0, "log", "message"], "y"));
  assert.throws(() => removeStep(parse(text), [0, "from", "steps", 0]), EditRefused);
  assert.deepEqual(
    tree(parse(text)).routes[0]?.steps.map(({ brief, shared }) => [brief, shared]),
    [
      ["x", true],
      ["x", true],
    ],
  );
  refuses("- a: [", "syntax", (flow) => setOption(flow, [0, "b"], 1));
});

test("the tree has routes, branches, what stands beside routes, and the calls between them", () => {
  const found = tree(
    parse(
      `${block}- rest:\n    path: /shop\n    get:\n      - { path: /x, to: "direct:large" }\n- onException:\n    steps: [{ log: failed }]\n- strange: 1\n`,
    ),
  );
  assert.deepEqual(
    found.routes.map(({ id, trigger }) => [id, trigger?.uri]),
    [
      ["orders", "webhook"],
      ["large", "direct:large"],
    ],
  );
  assert.deepEqual(
    found.routes[0]?.steps[2]?.branches.map(({ label, steps: inner }) => [label, inner.map(({ name }) => name)]),
    [
      ["when ${body} > 5", ["to", "stop"]],
      ["otherwise", ["log"]],
    ],
  );
  assert.deepEqual(
    found.others.map(({ name }) => name),
    ["rest", "onException", "strange"],
  );
  assert.equal(found.others[0]?.operations?.[0]?.address, "/shop/x");
  assert.deepEqual(
    found.links.map(({ to }) => to),
    [
      [1, "route"],
      [1, "route"],
    ],
  );
  assert.equal(stepsWithoutId(found).length, 8);
});

test("an expression is read and set in each spelling", () => {
  const spellings = [
    { simple: "a" },
    { simple: { expression: "a" } },
    { expression: { simple: "a" } },
    { expression: { simple: { expression: "a" } } },
    { expression: { language: { language: "simple", expression: "a" } } },
  ];
  for (const one of spellings) {
    assert.equal(expressionOf(one)?.text, "a");
    const text = after("- from:\n    uri: direct:a\n    steps: []\n", (flow) =>
      insertStep(flow, [0, "from", "steps"], 0, { setBody: one }),
    );
    const at = [0, "from", "steps", 0, "setBody"];
    const changed = after(text, (flow) => setExpression(flow, at, { language: "js", text: "b\nc" }));
    assert.deepEqual(
      read(changed)[0].from.steps[0].setBody,
      JSON.parse(JSON.stringify(one).replace('"a"', '"b\\nc"').replaceAll('"simple"', '"js"')),
    );
    const bare = after(changed, (flow) => removeExpression(flow, at));
    assert.equal(expressionOf(optionsAt(parse(bare), at)), undefined);
    assert.equal(
      expressionOf(optionsAt(parse(after(bare, (flow) => setExpression(flow, at, { language: "jq", text: ".x" }))), at))
        ?.text,
      ".x",
    );
  }
  assert.ok(languageNames.includes("jsonata"));
});

test("names become ids", () => {
  const taken = new Set(["orders", "log-1"]);
  assert.deepEqual(
    ["Orders", "Größe Łódź", "日本", "con", "x.flow", "-- a --", "a".repeat(80)].map((name) => slug(name, taken)),
    ["orders-2", "grosse-lodz", "flow", "con-flow", "x-flow", "a", "a".repeat(63)],
  );
  assert.equal(newStepId("log", taken), "log-2");
  assert.deepEqual(stepIds(tree(parse("- from: { id: a, uri: x, steps: [{ log: { id: b } }] }"))), new Set(["a", "b"]));
  assert.deepEqual(read(freshFlow("a", "A: b")), [
    { route: { id: "a", description: "A: b", from: { uri: "webhook", steps: [] } } },
  ]);
});

test("a problem is at its step, by pointer and by line", () => {
  const text = block.replaceAll("\n", "\r\n");
  const flow = parse(text);
  const place = lineColumnAt(text, text.indexOf("direct:large"));
  assert.equal(offsetAt(text, place), text.indexOf("direct:large"));
  assert.equal(stepAt(flow, tree(flow), text.indexOf("direct:large"))?.name, "to");
  assert.equal(stepOfDiagnostic(flow, tree(flow), place)?.name, "to");
  assert.equal(
    stepOfDiagnostic(flow, tree(flow), { line: 1, column: 1, pointer: "/0/route/from/steps/1/log" })?.name,
    "log",
  );
  assert.equal(valueAt(flow, pathOfPointer("/0/route/id")), "orders");
  assert.deepEqual(diagnosticRange("ab\ncd", { line: 2, column: 1, endLine: 2, endColumn: 2 }), { from: 3, to: 4 });
});
