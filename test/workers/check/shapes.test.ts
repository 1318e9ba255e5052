/** Every shape of a document and every spelling of a step, an expression and an endpoint means the same. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EndpointModel, ExpressionModel } from "../../../src/shared/flow-model.ts";
import { checkText, modelOf, routeOf, said, stepsOf } from "./small-catalog.ts";

const plainStep = 'steps: [{ log: "hi" }]';

describe("shapes of a document", () => {
  const shapes: Record<string, string> = {
    "a list with route": `- route:\n    id: a\n    from:\n      uri: timer:t\n      ${plainStep}`,
    "a list with route, steps beside from": `- route:\n    id: a\n    from: { uri: timer:t }\n    ${plainStep}`,
    "a single route": `route:\n  id: a\n  from: { uri: timer:t, ${plainStep} }`,
    "id, from and steps": `id: a\nfrom:\n  uri: timer:t\n${plainStep}`,
    "id, from and steps in a list": `- id: a\n  from: timer:t\n  ${plainStep}`,
    routes: `routes:\n  - id: a\n    from: { uri: timer:t }\n    ${plainStep}`,
    "routes with route": `routes:\n  - route: { id: a, from: { uri: timer:t, ${plainStep} } }`,
    "an Integration": `apiVersion: camel.apache.org/v1\nkind: Integration\nmetadata: { name: x }\nspec:\n  flows:\n    - route: { id: a, from: { uri: timer:t, ${plainStep} } }`,
  };
  for (const [name, yaml] of Object.entries(shapes)) {
    test(name, () => {
      const { id, from, steps, autoStartup } = routeOf(yaml);
      assert.equal(id, "a");
      assert.equal(from.endpoint.uri, "timer:t");
      assert.equal(autoStartup, true);
      assert.deepEqual(
        steps.map((step) => [step.type, step.id]),
        [["log", "log1"]],
      );
    });
  }

  test("a bare from has a generated id and a warning", () => {
    const { flow, diagnostics } = checkText(`- from:\n    uri: webhook\n    ${plainStep}`);
    assert.equal(flow?.model.routes[0]?.id, "route1");
    assert.match(said(diagnostics)[0] as string, /^1:3 warning generated_id .*'route1' and answers at \/api\/route1/);
  });

  test("two from items are two routes in order", () => {
    const { routes } = modelOf(`- from: { uri: timer:a, ${plainStep} }\n- from: { uri: timer:b, ${plainStep} }`);
    assert.deepEqual(
      routes.map(({ id, from }) => [id, from.endpoint.uri]),
      [
        ["route1", "timer:a"],
        ["route2", "timer:b"],
      ],
    );
  });

  test("several keys of one item are several entries", () => {
    const { flow } = checkText(`- beans: []\n  from: { uri: timer:a, ${plainStep} }`);
    assert.equal(flow?.model.routes.length, 1);
    const { diagnostics } = checkText(`- validators: {}\n  from: { uri: timer:a, ${plainStep} }`);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
      ["not_yet"],
    );
  });

  test("a generated route id steps aside for an explicit one", () => {
    const { routes } = modelOf(
      `- from: { uri: timer:a, ${plainStep} }\n- route: { id: route1, from: { uri: timer:b, ${plainStep} } }`,
    );
    assert.deepEqual(
      routes.map(({ id }) => id),
      ["route2", "route1"],
    );
  });

  test("steps beside from in a route are read with a warning", () => {
    const { diagnostics } = checkText(`- route:\n    id: a\n    from: { uri: timer:t }\n    ${plainStep}`);
    assert.match(said(diagnostics).join(), /^4:5 warning steps_beside_from/);
  });

  test("kebab-case means camelCase", () => {
    const route = routeOf(
      `- route:\n    id: a\n    auto-startup: false\n    node-prefix-id: p-\n    from:\n      uri: timer:t\n      variable-receive: v\n      steps:\n        - set-body: { exchange-property: x }\n        - log: { message: m, logging-level: warn }`,
    );
    assert.equal(route.autoStartup, false);
    assert.equal(route.from.variableReceive, "v");
    assert.deepEqual(
      route.steps.map(({ id }) => id),
      ["p-setBody1", "p-log1"],
    );
    assert.equal((route.steps[1]?.options as { loggingLevel: string }).loggingLevel, "WARN");
  });

  test("a webhook without steps is accepted with a warning", () => {
    const { flow, diagnostics } = checkText("id: a\nfrom: { uri: webhook }\nsteps: []");
    assert.equal(flow?.model.routes[0]?.steps.length, 0);
    assert.match(said(diagnostics).join(), /^3:1 warning no_steps/);
  });
});

describe("preconditions", () => {
  const route = (id: string, precondition: string) =>
    `- route:\n    id: ${id}\n    precondition: "${precondition}"\n    from: { uri: timer:t, ${plainStep} }\n`;
  test("decide which routes are built", () => {
    const yaml = [
      route("a", "{{red}}"),
      route("b", "{{!red}}"),
      route("c", "{{?none}}"),
      route("d", "x == x"),
      route("e", "x == y"),
    ].join("");
    assert.deepEqual(
      modelOf(yaml, { red: true }).routes.map(({ id }) => id),
      ["a", "d"],
    );
    assert.deepEqual(
      modelOf(yaml, { red: false }).routes.map(({ id }) => id),
      ["b", "d"],
    );
  });

  test("a flow may be left without a route", () => {
    const { flow, diagnostics } = checkText(route("a", "false"));
    assert.deepEqual(flow?.model.routes, []);
    assert.equal(diagnostics[0]?.code, "no_routes");
  });
});

describe("spellings of an expression", () => {
  const spellings = [
    "- setBody: { simple: ' ${body} ' }",
    "- setBody: { simple: { expression: ' ${body} ' } }",
    "- setBody: { expression: { simple: ' ${body} ' } }",
    "- setBody: { expression: { simple: { expression: ' ${body} ' } } }",
    "- setBody:\n    language: { language: simple, expression: ' ${body} ' }",
  ];
  for (const spelling of spellings) {
    test(spelling, () => {
      const [step] = stepsOf(spelling);
      const { expression } = step?.options as { expression: ExpressionModel };
      assert.equal(expression.language, "simple");
      assert.equal(expression.text, "${body}");
      assert.deepEqual(expression.options, { pretty: false });
    });
  }

  test("attributes: trim, resultType, the language's own", () => {
    const [step] = stepsOf(
      "- setBody: { simple: { expression: ' a ', trim: false, resultType: int, pretty: true, id: x } }",
    );
    const { expression } = step?.options as { expression: ExpressionModel };
    assert.equal(expression.text, " a ");
    assert.equal(expression.resultType, "int");
    assert.deepEqual(expression.options, { pretty: true });
  });

  test("resultType boolean reads the predicate grammar", () => {
    const text = (resultType: string) =>
      checkText(
        `id: a\nfrom: timer:t\nsteps:\n  - setBody: { simple: { expression: 'a', resultType: ${resultType} } }`,
      );
    assert.ok(text("String").flow);
    assert.match(said(text("Boolean").diagnostics).join(), /4:\d+ error expression_syntax simple: no operator/);
  });

  test("an expression under its own key", () => {
    const [step] = stepsOf("- guard: { onWhen: { simple: 'a == b' }, steps: [] }");
    assert.equal((step?.options as { onWhen: ExpressionModel }).onWhen.text, "a == b");
  });

  test("scalars keep their source text", () => {
    for (const text of ["007", "1e3", "yes", "0x1F", "1.10", "2024-01-01", "true"]) {
      const [step] = stepsOf(`- setBody: { constant: ${text} }`);
      assert.equal((step?.options as { expression: ExpressionModel }).expression.text, text);
    }
  });
});

describe("forms of an endpoint", () => {
  const forms = [
    '- to: "log:info?showHeaders=true&marker=a%20b"',
    '- to: "log://info?showHeaders=true&amp;marker=RAW(a b)"',
    '- to: { uri: "log:info?showHeaders=true&marker=a+b" }',
    "- to: { uri: 'log:info', parameters: { showHeaders: true, marker: a b } }",
    "- to: { uri: log, parameters: { loggerName: info, show-headers: true, marker: a b } }",
    "- to: { uri: 'log:info?showHeaders=true', parameters: { marker: a b } }",
  ];
  for (const form of forms) {
    test(form, () => {
      const [step] = stepsOf(form);
      const { endpoint } = step?.options as { endpoint: EndpointModel };
      assert.equal(endpoint.uri, "log:info?showHeaders=true&marker=a%20b");
      assert.deepEqual(endpoint.options, { loggerName: "info", showAll: false, showHeaders: true, marker: "a b" });
    });
  }
});

describe("steps", () => {
  test("disabled steps and clauses are left out", () => {
    const steps = stepsOf(`
- log: { message: a, disabled: true }
- choice:
    when:
      - { simple: "a == b", disabled: true, steps: [{ log: no }] }
      - { simple: "c == d", note: n, steps: [{ log: yes }] }
    otherwise: { disabled: true, steps: [{ log: no }] }`);
    assert.deepEqual(
      steps.map(({ id }) => id),
      ["choice1"],
    );
    const { when, otherwise } = steps[0]?.options as { when: { expression: ExpressionModel }[]; otherwise?: unknown };
    assert.deepEqual(
      when.map(({ expression }) => expression.text),
      ["c == d"],
    );
    assert.equal(otherwise, undefined);
  });

  test("ids are generated per type in the order of the text and never clash", () => {
    const { routes } = modelOf(`
- from:
    uri: timer:a
    steps:
      - log: a
      - choice: { when: [{ simple: "a == b", steps: [{ log: { id: log2, message: b } }, { log: c }] }] }
      - log: d
- from: { uri: timer:b, steps: [{ log: e }, { stop: {} }] }`);
    const ids = JSON.stringify(routes).matchAll(/"type":"(\w+)","id":"([\w-]+)"/g);
    assert.deepEqual(
      [...ids].map(([, , id]) => id),
      ["log1", "choice1", "log2", "log3", "log4", "log5", "stop1"],
    );
    assert.deepEqual(
      routes.map(({ from }) => from.id),
      ["from1", "from2"],
    );
  });

  test("steps know where they stand", () => {
    const steps = stepsOf('- log: "a"\n- setBody:\n    simple: "${body}"');
    assert.deepEqual(steps[1]?.at, { line: 7, column: 11, endLine: 7, endColumn: 18 });
    assert.deepEqual((steps[1]?.options as { expression: ExpressionModel }).expression.at, {
      line: 8,
      column: 22,
      endLine: 8,
      endColumn: 30,
    });
  });
});
