/** `normalize` and `validate --canonical`: the spelling of flows, and that their meaning stays. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { defaultLimits } from "../../src/shared/limits.ts";
import { catalog } from "../../src/workers/catalog.ts";
import { normalize } from "../../src/workers/check/canonical/normalize.ts";
import { check } from "../../src/workers/check/check.ts";
import { compileFlow } from "../../src/workers/compile/compile-flow.ts";
import { withModules } from "../../src/workers/engine/late-module.ts";
import { bulkhead } from "../support/command-line.ts";
import { folderOf } from "../support/folders.ts";

const short = `# orders
- route:
    id: orders
    from:
      uri: direct:orders
      steps:
        - log: "a \${body}" # says it
        - setBody: { simple: "\${body}" }
        - setHeader:
            name: h
            # why
            constant: |
              x

                y
        - choice:
            when:
              - simple: "\${body} == 1"
                steps:
                  - to: direct:x
            otherwise:
              steps: [ { log: &text "it's" }, { setBody: { "constant": *text } } ]
        - split:
            tokenize: ","
            steps:
            - removeHeader: h
        - aggregate:
            correlationExpression: { simple: "\${header.h}" }
            completionSize: 2
            steps:
              - marshal: { csv: {} }
              - convertBodyTo:
                  String
- onException:
    exception: [ java.lang.Exception ]
    handled: { constant: "true" }
    onWhen: { simple: "\${body}" }
    steps: []
`;

const long = `# orders
- route:
    id: orders
    from:
      uri: direct:orders
      steps:
        - log:
            message: "a \${body}" # says it
        - setBody: { expression: { simple: { expression: "\${body}" } } }
        - setHeader:
            name: h
            # why
            expression:
              constant:
                expression: |
                  x

                    y
        - choice:
            when:
              - expression:
                  simple:
                    expression: "\${body} == 1"
                steps:
                  - to:
                      uri: direct:x
            otherwise:
              steps: [ { log: { message: &text "it's" } }, { setBody: { "expression": { "constant": { "expression": *text } } } } ]
        - split:
            expression:
              tokenize:
                token: ","
            steps:
            - removeHeader:
                name: h
        - aggregate:
            correlationExpression: { simple: { expression: "\${header.h}" } }
            completionSize: 2
            steps:
              - marshal: { csv: {} }
              - convertBodyTo:
                  type:
                    String
- onException:
    exception: [ java.lang.Exception ]
    handled: { constant: { expression: "true" } }
    onWhen: { expression: { simple: { expression: "\${body}" } } }
    steps: []
`;

test("normalize rewrites short forms, and leaves comments, anchors, order, quotes and line ends", async (t) => {
  for (const [given, expected] of [
    [short, long],
    [short.replaceAll("\n", "\r\n"), long.replaceAll("\n", "\r\n")],
    [`\ufeff${short}`, `\ufeff${long}`],
  ] as const) {
    const folder = folderOf(t, { "a.yaml": given, "b.yaml": long });
    const { code, stdout } = await bulkhead(["normalize", folder]);
    assert.equal(code, 0);
    assert.match(stdout, /a\.yaml: 13 short forms rewritten\n1 file of 2 rewritten\n$/);
    assert.equal(readFileSync(join(folder, "a.yaml"), "utf8"), expected);
  }
});

test("--check changes nothing, names each short form with its place, and exits with 1", async (t) => {
  const folder = folderOf(t, { "a.yaml": short, "b.yaml": long });
  const { code, stdout } = await bulkhead(["normalize", "--check", folder]);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^warning\[shorthand\]: 'log: text' is short for 'log: \{ message: text \}'.*\n --> .*a\.yaml:7:11$/m,
  );
  assert.match(stdout, /no errors and 13 warnings in 2 files\n$/);
  assert.equal(readFileSync(join(folder, "a.yaml"), "utf8"), short);
  assert.equal((await bulkhead(["normalize", "--check", join(folder, "b.yaml")])).code, 0);
});

test("validate warns of short forms only with --canonical", async (t) => {
  const folder = folderOf(t, { "a.yaml": short.replace("to: direct:x", "to: mock:x") });
  assert.doesNotMatch((await bulkhead(["validate", folder])).stdout, /shorthand/);
  assert.match((await bulkhead(["validate", "--canonical", folder])).stdout, /warning\[shorthand\].*\n.*a\.yaml:7:11/);
  assert.equal((await bulkhead(["validate", "--canonical", "--strict", folder])).code, 1);
});

test("a file that cannot be read as YAML or as UTF-8 is named and stays; a link stays a link", async (t) => {
  const folder = folderOf(t, { "a.yaml": "- log: [\n", "c.yaml": short });
  symlinkSync(join(folder, "c.yaml"), join(folder, "link.yml"));
  const broken = await bulkhead(["normalize", folder]);
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /error\[yaml_syntax\]: .*\n.*a\.yaml:/);
  assert.equal(readFileSync(join(folder, "a.yaml"), "utf8"), "- log: [\n");
  assert.equal(readFileSync(join(folder, "c.yaml"), "utf8"), long);
  assert.deepEqual(readdirSync(folder).sort(), ["a.yaml", "c.yaml", "link.yml"]);
  const none = await bulkhead(["normalize", join(folder, "none.yaml")]);
  assert.deepEqual([none.code, none.stderr.includes("there is no file")], [2, true]);
});

/** The model without places, and the errors. */
async function meaning(yaml: string): Promise<string> {
  const { flow, diagnostics } = await withModules(() =>
    check({ flowId: "f", yaml, params: {}, limits: defaultLimits }, catalog, compileFlow),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => code + message);
  const isPlace = (value: unknown): boolean => typeof value === "object" && value !== null && "endColumn" in value;
  return JSON.stringify([flow?.model, errors], (_key, value) => (isPlace(value) ? undefined : value));
}

async function keepsMeaning(yaml: string): Promise<void> {
  const result = normalize(yaml, catalog);
  assert.ok("text" in result, JSON.stringify(result));
  assert.equal(await meaning(result.text), await meaning(yaml), yaml);
  assert.deepEqual(normalize(result.text, catalog), { text: result.text, places: [] });
}

const texts = fc.constantFrom(
  '"${body}"',
  "'it''s'",
  "plain text",
  "|\n  one\n\n    two\n",
  ">-\n  one\n  two\n",
  '"a\n  b"',
);
const languages = fc.constantFrom("simple", "constant", "header", "jq");

/** A step in block or flow style, with its text at a place that the style allows. */
const steps: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc
    .tuple(fc.constantFrom("log", "removeHeader", "convertBodyTo"), texts)
    .map(([name, text]) => [`- ${name}: ${name === "convertBodyTo" ? "String" : text.replaceAll("\n", "\n    ")}`]),
  fc
    .tuple(fc.constantFrom("setBody", "transform"), languages, texts)
    .map(([name, language, text]) => [`- ${name}:`, `    ${language}: ${text.replaceAll("\n", "\n    ")}`]),
  fc.tuple(languages, fc.boolean()).map(([language, quoted]) => {
    const key = quoted ? `"${language}"` : language;
    return [`- setHeader: {name: h, ${key}: "x", description: d} # why`];
  }),
  fc
    .tuple(languages, texts)
    .map(([language, text]) => [
      "- setProperty:",
      "    expression:",
      `      ${language}: ${text.replaceAll("\n", "\n      ")}`,
      "    name: p",
    ]),
);

const nested: fc.Arbitrary<readonly string[]> = fc.letrec<{ list: readonly string[]; step: readonly string[] }>(
  (tie) => ({
    list: fc.array(tie("step"), { minLength: 1, maxLength: 3 }).map((all) => all.flat()),
    step: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      steps,
      fc
        .tuple(tie("list"), fc.boolean())
        .map(([inner, compact]) => [
          "- filter:",
          '    simple: "${body}"',
          "    steps:",
          ...inner.map((line) => indented(line, compact ? 4 : 6)),
        ]),
      fc
        .tuple(tie("list"), tie("list"))
        .map(([one, two]) => [
          "- choice:",
          "    # the first",
          "    when:",
          "      - header: h",
          "        steps:",
          ...one.map((line) => indented(line, 10)),
          "    otherwise:",
          "      steps:",
          ...two.map((line) => indented(line, 8)),
        ]),
    ),
  }),
).list;

function indented(line: string, by: number): string {
  return line.replaceAll(/^(?=.)/gm, " ".repeat(by));
}

test("a flow means the same before and after, however it is written", async () => {
  await fc.assert(
    fc.asyncProperty(nested, fc.constantFrom("\n", "\r\n"), async (list, lineEnd) => {
      const lines = ["- from:", "    uri: direct:a", "    steps:", ...list.map((line) => indented(line, 6)), ""];
      await keepsMeaning(lines.join("\n").replaceAll("\n", lineEnd));
    }),
    { numRuns: 150 },
  );
});

test("all flows of the examples, routes and tests keep their meaning", async () => {
  for (const folder of ["routes", "examples", "docs/examples"]) {
    const root = join(import.meta.dirname, "../..", folder);
    if (statSync(root, { throwIfNoEntry: false }) === undefined) continue;
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!/\.yaml$/.test(name) || /\.(?:flow|test)\.yaml$/.test(name)) continue;
      await keepsMeaning(readFileSync(join(root, name), "utf8"));
    }
  }
});
