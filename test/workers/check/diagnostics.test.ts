/** What is wrong with a text is said once, with its line and column. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkText, indent, said } from "./small-catalog.ts";

/** A step list of a route whose first step begins in line 6, column 9. */
function inRoute(steps: string): string {
  return `- route:\n    id: r\n    from:\n      uri: timer:t\n      steps:\n${indent(steps, 8)}\n`;
}

/** yaml, then each diagnostic: `line:col code message-fragment`. */
type Row = readonly [yaml: string, ...expected: string[]];

function expectRows(rows: readonly Row[]): void {
  for (const [yaml, ...expected] of rows) {
    test(yaml.trim().replaceAll(/\s+/g, " ").slice(0, 110), () => {
      const { flow, diagnostics } = checkText(yaml);
      const found = diagnostics.filter(({ severity }) => severity === "error");
      assert.equal(flow, undefined);
      const all = said(found).join("\n");
      assert.equal(found.length, expected.length, all);
      expected.forEach((wanted, i) => {
        const [place, code, ...fragment] = wanted.split(" ");
        const { line, column, code: actual, message } = found[i] as (typeof found)[number];
        assert.equal(`${line}:${column} ${actual}`, `${place} ${code}`, all);
        assert.ok(message.includes(fragment.join(" ")), `'${message}' should include '${fragment.join(" ")}'`);
      });
    });
  }
}

describe("YAML", () => {
  expectRows(
    [
      ["a: [1, 2", "1:9 yaml_syntax"],
      ["a:\n\t- b", "2:1 yaml_syntax Tabs are not allowed"],
      [
        "a: 1\nb: 2\na: 3",
        "3:1 yaml_duplicate_key 'a' stands here twice, first at line 1, column 1",
        "1:1 unknown_element",
        "2:1 unknown_element",
      ],
      ["a: !!js/function x", "1:18 yaml_tag 'tag:yaml.org,2002:js/function' is not allowed", "1:1 unknown_element"],
      ["a: *b", "1:4 yaml_alias has no anchor"],
      ["a: &b [*b]", "1:8 yaml_alias inside of its own anchor"],
      ["a: 1\n---\nb: 2", "2:1 yaml_documents one YAML document"],
      ["a: {{x}}", `1:5 yaml_key must be quoted: "{{name}}"`, "1:1 unknown_element"],
      ["a: {{x}}-y", `1:9 yaml_syntax must be quoted: "{{name}}"`],
      ["a: 1\n<<: {b: 1}", "1:1 unknown_element", "2:1 yaml_key merge keys"],
      [`a: ${"[".repeat(70)}`, "1:68 yaml_depth at most 64"],
      ["", "1:1 no_routes"],
      ["- 1", "1:3 wrong_type found '1'"],
    ].map((row) => sorted(row as unknown as Row)),
  );
});

/** Expected lines in the order of the text. */
function sorted([yaml, ...expected]: Row): Row {
  const key = (text: string) => {
    const [line, column] = (text.split(" ")[0] as string).split(":").map(Number);
    return (line as number) * 1000 + (column as number);
  };
  return [yaml, ...expected.toSorted((a, b) => key(a) - key(b))];
}

describe("documents and routes", () => {
  const steps = "steps: [{ stop: {} }]";
  expectRows([
    ["- validators: {}", "1:3 not_yet 'validators' is part of Camel's YAML DSL"],
    ["- data-formats: {}", "1:3 not_yet 'dataFormats'"],
    ["- roote: {}", "1:3 unknown_element did you mean 'route'?"],
    ["kind: Deployment\nspec: {}", "1:7 unknown_element an Integration or a Pipe"],
    [
      `kind: Integration\nspec:\n  traits: {}\n  sources: []\n  flows:\n    - from: { uri: timer:t, ${steps} }`,
      "4:3 not_yet spec.sources",
    ],
    ["- route:\n    id: a", "1:3 missing_option a route needs 'from'"],
    ["- route:\n    id: a\n    from: { uri: timer:t }", "1:3 no_steps at least one step"],
    [`- route:\n    id: _api\n    from: { uri: timer:t, ${steps} }`, "2:9 bad_id begins with a letter or a digit"],
    [`- route:\n    id: a\n    delayer: 5\n    from: { uri: timer:t, ${steps} }`, "3:5 not_yet use step 'delay'"],
    [`- route:\n    id: a\n    routePolicyRef: p\n    from: { uri: timer:t, ${steps} }`, "3:5 not_yet no policy beans"],
    [
      `- route:\n    id: a\n    autoStart: false\n    from: { uri: timer:t, ${steps} }`,
      "3:5 unknown_option did you mean 'autoStartup'?",
    ],
    [
      `- route:\n    id: a\n    autoStartup: maybe\n    from: { uri: timer:t, ${steps} }`,
      "3:18 invalid_value true or false",
    ],
    [
      `- route: { id: a, from: { uri: timer:t, ${steps} } }\n- route: { id: A, from: { uri: timer:t, ${steps} } }`,
      "2:16 duplicate_route_id at line 1, column 16",
    ],
    [
      `- from: { uri: direct:a, ${steps} }\n- from: { uri: direct:a, ${steps} }`,
      "2:16 duplicate_direct by route 'route1' at line 1, column 16",
    ],
    [`- from: { uri: timer:t, period: 5, ${steps} }`, "1:25 unknown_option stand in 'parameters'"],
    [`- from: { uri: kafka:t, ${steps} }`, "1:16 not_yet component 'kafka' is part of Camel"],
    [`- from: { uri: tmer:t, ${steps} }`, "1:16 unknown_component did you mean 'timer'?"],
    [`- from: { uri: log:t, ${steps} }`, "1:16 no_consumer cannot stand in 'from'"],
    [`- from: { uri: 'timer:t?period=5', ${steps} }`, "1:16 bad_endpoint at least 10 ms"],
    [`- from: { uri: 'timer:t?period=soon', ${steps} }`, "1:32 invalid_value duration"],
    [`- from: { uri: 'timer:t?perod=5', ${steps} }`, "1:25 unknown_option did you mean 'period'?"],
    [`- from: { uri: timer, ${steps} }`, "1:16 missing_option component 'timer' needs 'timerName'"],
    [`- from: { uri: 'timer:t?period', ${steps} }`, "1:25 bad_uri has no '=value'"],
    [`- from: { uri: 'platform-http:/_api/x', ${steps} }`, "1:16 reserved_path /_api"],
    [`- from: { uri: 'platform-http:/x', ${steps} }`, "1:17 not_yet platform-http"],
    [`- from: { uri: platform-http, parameters: { path: '/%5fAPI' }, ${steps} }`, "1:51 reserved_path /_api"],
    [
      `- from: { uri: platform-http, parameters: { path: '/', matchOnUriPrefix: true }, ${steps} }`,
      "1:51 reserved_path",
    ],
    [`- from: { uri: 'rest:get:/:_api/flows', ${steps} }`, "1:16 reserved_path"],
    ["- rest: { path: /_api, get: [{ to: direct:a }] }", "1:17 reserved_path"],
    ["- restConfiguration: { contextPath: /_api }\n- rest: { path: /x }", "2:17 reserved_path"],
    ["- rest: { path: '/', get: [{ path: '/{any}/flows', to: direct:a }] }", "1:36 reserved_path"],
  ]);
});

describe("steps", () => {
  expectRows([
    [inRoute("- lgo: a"), "6:11 unknown_step unknown step 'lgo' (did you mean 'log'?)"],
    [
      inRoute("- split: { simple: '${body}', steps: [{ nope: 1 }] }"),
      "6:11 not_yet step 'split' is part of Camel's YAML DSL; this runtime does not have it yet",
    ],
    [inRoute("- when: {}"), "6:11 misplaced_step inside of 'choice'"],
    [inRoute("- route: {}"), "6:11 misplaced_step top of a document"],
    [inRoute("- stop"), "6:11 wrong_type write '- stop: {}'"],
    [inRoute("- log: a\n  id: x"), "7:11 several_keys 'id' belongs inside of 'log'"],
    [inRoute("- log:"), "6:11 missing_option step 'log' needs 'message'"],
    [inRoute("- choice: text"), "6:19 wrong_type takes a map of options; found 'text'"],
    [inRoute("- log: { mesage: a }"), "6:18 unknown_option did you mean 'message'?"],
    [inRoute("- log: { message: a, loggingLevel: LOUD }"), "6:44 invalid_value one of INFO, WARN; found 'LOUD'"],
    [inRoute("- log: { message: [a] }"), "6:27 wrong_type is text; found a list"],
    [inRoute("- log: { message: a, marker: x }"), "6:38 not_yet there are no markers"],
    [inRoute("- log: { message: a, logging-level: INFO, loggingLevel: INFO }"), "6:51 duplicate_option"],
    [inRoute("- log: '${body'"), "6:17 expression_syntax '${' is not closed"],
    [inRoute("- log: a ${body"), "6:18 expression_syntax"],
    [inRoute("- log: |\n    ab\n    c ${body"), "8:15 expression_syntax"],
    [inRoute("- log: { message: a, id: '' }"), "6:34 bad_id 1 to 128"],
    [inRoute("- log: { message: a, id: x }\n- stop: { id: x }"), "7:23 duplicate_step_id at line 6, column 34"],
    [inRoute("- choice: { when: [] }"), "6:27 invalid_value needs one when"],
    [inRoute("- choice: { when: { simple: 'a == b' } }"), "6:27 wrong_type a list; found a map"],
    [inRoute("- choice: { when: [{ steps: [] }] }"), "6:28 missing_expression needs an expression"],
    [
      inRoute("- choice: { when: [{ simple: a == b, constant: c }] }"),
      "6:46 several_expressions 'simple' and 'constant'",
    ],
    [
      inRoute("- choice: { when: [{ simple: a == b, expression: { constant: c } }] }"),
      "6:30 several_expressions 'expression'",
    ],
    [
      inRoute("- choice: { when: [{ simple: a == b, step: [] }] }"),
      "6:46 unknown_option 'when' has no option 'step' (did you mean 'steps'?)",
    ],
    [inRoute("- choice: { when: [{ simple: body }] }"), "6:41 expression_syntax no operator"],
    [inRoute("- guard: { when: { simple: 'a == b' }, steps: [] }"), "6:20 unknown_option did you mean 'onWhen'?"],
    [inRoute("- guard: { onWhen: 'a == b', steps: [] }"), "6:28 wrong_type an expression such as"],
    [inRoute("- guard: { steps: { log: a } }"), "6:27 wrong_type a list of steps"],
    [inRoute("- guard: { wait: 5, steps: [] }"), "6:26 invalid_value at least 10 ms"],
    [
      inRoute("- guard: { wait: x, times: 1.5, loud: yes, exception: e, steps: [] }"),
      "6:26 invalid_value duration",
      "6:36 invalid_value whole number",
      "6:47 invalid_value true or false",
      "6:63 wrong_type a list",
    ],
    [inRoute("- setBody: { simpel: a }"), "6:22 unknown_language did you mean 'simple'?"],
    [inRoute("- setBody: { groovy: a }"), "6:22 not_yet language 'groovy' runs on the JVM"],
    [inRoute("- setBody: { expression: a }"), "6:34 wrong_type such as {simple:"],
    [inRoute("- setBody: { constant: }"), "6:22 missing_expression"],
    [
      inRoute("- setBody: { simple: { expression: a, prety: true } }"),
      "6:47 unknown_option language 'simple' has no option 'prety' (did you mean 'pretty'?)",
    ],
    [
      inRoute("- setBody: { simple: { expression: a, resultType: Nope } }"),
      "6:59 invalid_value a type that this runtime knows",
    ],
    [inRoute("- setBody: a"), "6:20 wrong_type"],
    [inRoute("- setHeader: { constant: a }"), "6:11 missing_option step 'setHeader' needs 'name'"],
    [inRoute("- to: { parameters: {} }"), "6:11 missing_option needs 'uri'"],
    [inRoute("- to: { uri: log:a, parametrs: {} }"), "6:29 unknown_option did you mean 'parameters'?"],
    [inRoute("- to: { uri: log:a, parameters: [] }"), "6:41 wrong_type a map of options"],
    [inRoute("- to: webhook"), "6:15 no_producer cannot stand in 'to'"],
    [inRoute("- to: log:a?showAll=1"), "6:29 invalid_value true or false; found '1'"],
    [inRoute("- to: log:a?showAll=true&showAll=true"), "6:34 duplicate_option"],
    [inRoute("- to: 'log:a?marker=RAW(a'"), "6:29 bad_uri not closed"],
    [inRoute("- to: 1"), "6:15 bad_uri begins with its component"],
  ]);

  test("all problems of a text are reported, in its order, with route and step", () => {
    const { diagnostics } = checkText(inRoute("- lgo: a\n- log: { id: l, message: a, x: 1 }\n- to: nope:x"));
    assert.deepEqual(
      diagnostics.map(({ line, code, routeId, stepId, pointer }) => ({ line, code, routeId, stepId, pointer })),
      [
        { line: 6, code: "unknown_step", routeId: "r", stepId: null, pointer: "/0/route/from/steps/0/lgo" },
        { line: 7, code: "unknown_option", routeId: "r", stepId: "l", pointer: "/0/route/from/steps/1/log/x" },
        { line: 8, code: "unknown_component", routeId: "r", stepId: "to1", pointer: "/0/route/from/steps/2/to" },
      ],
    );
  });

  test("more than a hundred problems are counted", () => {
    const { diagnostics } = checkText(inRoute(Array.from({ length: 150 }, () => "- nope: 1").join("\n")));
    assert.equal(diagnostics.length, 101);
    assert.match(diagnostics.at(-1)?.message ?? "", /^50 more problems/);
  });

  test("a direct target outside of the flow is a warning", () => {
    const { flow, diagnostics } = checkText(inRoute("- to: direct:elsewhere"));
    assert.ok(flow);
    assert.match(said(diagnostics).join(), /^6:15 warning external_direct .*'direct:elsewhere'/);
  });
});
