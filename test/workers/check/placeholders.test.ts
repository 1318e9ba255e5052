/** Placeholders are filled into scalars before anything else is read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Params } from "../../../src/shared/check.ts";
import type { EndpointModel, ExpressionModel } from "../../../src/shared/flow-model.ts";
import { checkText, said, stepsOf } from "./small-catalog.ts";

function filled(text: string, params: Params): string {
  const [step] = stepsOf(`- setBody: { constant: '${text}' }`, params);
  return (step?.options as { expression: ExpressionModel }).expression.text;
}

test("values, defaults, nesting and escapes", () => {
  assert.equal(filled("{{a}}-{{b}}", { a: "x", b: 2 }), "x-2");
  assert.equal(filled("{{a:d}}", {}), "d");
  assert.equal(filled("{{a:d}}", { a: null }), "d");
  assert.equal(filled("{{a:http://x:80}}", {}), "http://x:80");
  assert.equal(filled("{{a:}}|", {}), "|");
  assert.equal(filled("{{a{{n}}}}", { n: 1, a1: "one" }), "one");
  assert.equal(filled("{{a:{{b}}}}", { b: "x" }), "x");
  assert.equal(filled("{{a}}", { a: "<{{b}}>", b: "in" }), "<in>");
  assert.equal(filled("{{a?nested=false}}", { a: "<{{b}}>" }), "<{{b}}>");
  assert.equal(filled("\\{{a\\}} {{a}}", { a: 1 }), "{{a}} 1");
  assert.equal(filled("{{!a}} {{!b}}", { a: true, b: false }), "false true");
  assert.equal(filled("${body} {x}", {}), "${body} {x}");
});

test("a filled value is text, whatever it looks like as YAML", () => {
  assert.equal(filled("{{a}}", { a: "x: [1, {y: *z}] # no" }), "x: [1, {y: *z}] # no");
  const { diagnostics } = checkText("id: a\nfrom: timer:t\nsteps: '{{steps}}'", { steps: "[{stop: {}}]" });
  assert.match(said(diagnostics).join(), /3:8 error wrong_type/);
});

test("an optional value that is missing takes its option with it", () => {
  const [whole, query, first] = stepsOf(`
- log: { message: m, loggingLevel: "{{?level}}" }
- to: "log:a?showAll=true&marker={{?m}}"
- to: "log:a?marker={{?m}}"`);
  assert.deepEqual((whole?.options as { loggingLevel: string }).loggingLevel, "INFO");
  assert.equal((query?.options as { endpoint: EndpointModel }).endpoint.uri, "log:a?showAll=true");
  assert.equal((first?.options as { endpoint: EndpointModel }).endpoint.uri, "log:a");
});

test("an optional value that is missing inside of a text is nothing", () => {
  assert.equal(filled("x{{?a}}y", {}), "xy");
  assert.equal(filled("Is it ok? {{?a}} yes & a=b", {}), "Is it ok?  yes & a=b");
});

test("what has no value, is not allowed or does not end is an error at its scalar", () => {
  const errors: readonly (readonly [string, Params, RegExp])[] = [
    ["{{none}}", {}, /4:11 error missing_param .*\{\{none:default\}\}/],
    ["a {{none}}", {}, /4:13 error missing_param/],
    ["{{open", {}, /4:11 error placeholder_syntax/],
    ["{{secret:KEY:default}}", {}, /4:11 error secret_name a secret has no default/],
    ["{{env:HOME}}", { env: "x" }, /4:11 error environment_name .*not allowed.*ENV_ALLOW=HOME/],
    ["{{sys:user.home:x}}", {}, /4:11 error no_environment/],
    ["{{aws:db/password}}", {}, /4:11 error no_environment .*write \{\{secret:NAME\}\}/],
    ["{{a}}", { a: "{{a}}" }, /4:11 error placeholder_depth/],
    ["{{!a}}", { a: "x" }, /4:11 error placeholder_value/],
  ];
  for (const [text, params, expected] of errors) {
    const { flow, diagnostics } = checkText(`id: a\nfrom: timer:t\nsteps:\n  - log: "${text}"`, params);
    assert.equal(flow, undefined, text);
    assert.match(said(diagnostics).join(), expected);
  }
});

test("an unused parameter is a warning without a place", () => {
  const { flow, diagnostics } = checkText("id: a\nfrom: timer:t\nsteps: [{ stop: {} }]", { colour: "red" });
  assert.ok(flow);
  assert.deepEqual(
    diagnostics.map(({ code, line, severity }) => [code, line, severity]),
    [["unused_param", null, "warning"]],
  );
});

test("placeholders that multiply are stopped", () => {
  const params: Record<string, string> = { p7: "x".repeat(100) };
  for (let i = 0; i < 7; i++) params[`p${i}`] = `{{p${i + 1}}}`.repeat(200);
  const { diagnostics } = checkText("id: a\nfrom: timer:t\nsteps: [{ log: '{{p0}}' }]", params);
  assert.match(said(diagnostics).join(), /error placeholder_size/);
});
