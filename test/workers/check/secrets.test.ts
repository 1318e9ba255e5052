/** `{{secret:NAME}}` in a flow: where it may stand, and that a check shows the name and knows no value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Params } from "../../../src/shared/check.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check/check.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";

function checked(yaml: string, params: Params = {}) {
  const request = { flowId: "f", yaml, params, limits: defaultLimits };
  return withModules(() => check(request, catalog, (model, limits) => compileFlow(model, limits)));
}

const route = (...steps: readonly string[]): string =>
  `- route:\n    id: r\n    from:\n      uri: direct:r\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;

async function errorsOf(yaml: string, params: Params = {}): Promise<string> {
  const { diagnostics } = await checked(yaml, params);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, line }) => `${line} ${code} ${message}`)
    .join("\n");
}

test("secrets stand in constants, in simple texts and in the address and the credentials of http endpoints", async () => {
  for (const step of [
    "setBody: { constant: '{{secret:KEY}}' }",
    "setHeader: { name: Authorization, simple: 'Bearer {{secret:KEY}} of ${body}' }",
    "log: 'it is {{secret:KEY}}'",
    "filter: { simple: \"${header.key} == '{{secret:KEY}}'\", steps: [{ stop: {} }] }",
    "throwException: { exceptionType: a.B, message: '{{secret:KEY}}' }",
    "to: 'https://{{secret:KEY}}/x'",
    "to: 'https://a.example/hooks/{{secret:KEY}}?token={{secret:KEY}}&authUsername=a&authPassword={{secret:KEY}}'",
    "to: { uri: 'https://a.example', parameters: { authBearerToken: '{{secret:KEY}}', q: '{{secret:KEY}}' } }",
    "toD: 'https://a.example/${body}?token={{secret:KEY}}'",
    "wireTap: 'https://a.example/x?token={{secret:KEY}}'",
    "setBody: { constant: '{{key}}' }",
    "setBody: { constant: '{{secret:{{stage}}KEY}}' }",
  ]) {
    const { flow, diagnostics } = await checked(route(step), { key: "{{secret:KEY}}", stage: "" });
    assert.deepEqual(flow?.manifest.secrets, ["KEY"], `${step}: ${JSON.stringify(diagnostics)}`);
    const shown = JSON.stringify(flow?.manifest);
    assert.ok(!/[\uFDD0\uFDD1]/.test(shown), shown);
  }
});

test("an endpoint shows the names of its secrets", async () => {
  const { flow } = await checked(
    route("to: 'https://a.example/{{secret:A}}?authUsername=u&authPassword={{secret:B}}'"),
  );
  const [step] = flow?.model.routes[0]?.steps ?? [];
  const { endpoint } = step?.options as { endpoint: { uri: string } };
  assert.equal(endpoint.uri, "https:a.example/{{secret:A}}?authUsername=u&authPassword={{secret:B}}");
});

test("secrets elsewhere are refused with what to write instead", async () => {
  const where = /secret_here .*setVariable/;
  for (const [yaml, expected] of [
    [route("setBody: { jsonpath: '$.a[?(@.k == \"{{secret:KEY}}\")]' }"), where],
    [route("setBody: { js: \"'{{secret:KEY}}'\" }"), where],
    [route("setBody: { header: '{{secret:KEY}}' }"), where],
    [route("setBody: { simple: '${header.{{secret:KEY}}}' }"), /expression_syntax .*setVariable/],
    [route("setBody: { simple: '${properties:key}' }"), /expression_syntax .*\{\{key\}\}/],
    [route("removeHeader: { name: '{{secret:KEY}}' }"), where],
    [route("to: 'log:a?marker=x{{secret:KEY}}'"), /refused|secret_here/],
    [route("to: 'log:{{secret:KEY}}'"), where],
    [route("to: 'direct:{{secret:KEY}}'"), where],
    [route("to: 'mock:{{secret:KEY}}'"), where],
    [route("to: 'file:out?fileName={{secret:KEY}}'"), where],
    [route("to: 'https://a.example?okStatusCodeRange={{secret:KEY}}'"), where],
    [route("to: '{{secret:KEY}}'"), /bad_uri/],
    [route("to: 'https://a.example?followRedirects={{secret:KEY}}'"), /invalid_value .*\{\{secret:KEY\}\}/],
    [route("delay: { constant: 1, id: '{{secret:KEY}}' }"), /\{\{secret:KEY\}\}|secret_here/],
    [route("log: a").replace("id: r", "id: '{{secret:KEY}}'"), /bad_id|secret_here/],
    [route("log: a").replace("direct:r", "platform-http:/a/{{secret:KEY}}"), /.+/],
    [route("log: a").replace("direct:r", "'seda:{{secret:KEY}}'"), where],
    [route("log: a").replace("direct:r", "'timer:t?period={{secret:KEY}}'"), /invalid_value/],
    [
      route("log: a").replace("id: r", "id: r\n    precondition: \"'{{secret:KEY}}' == 'a'\""),
      /secret_here .*precondition/,
    ],
    [
      `- beans:\n    - { name: b, type: org.apache.camel.processor.aggregate.StringAggregationStrategy, properties: { delimiter: '{{secret:KEY}}' } }\n${route("log: a")}`,
      where,
    ],
    [route("log: '{{secret:KEY:default}}'"), /secret_name .*no default/],
    [route("log: '{{?secret:KEY}}'"), /secret_name /],
    [route("log: '{{secret:../KEY}}'"), /secret_name /],
    [route("log: '{{secret:a/../KEY}}'"), /secret_name .*each folder before it/],
    [route("log: '{{secret:}}'"), /secret_name /],
    [route("wireTap: { uri: 'https://a.example?t={{secret:KEY}}', dynamicUri: false }"), /dynamicUri/],
  ] as const) {
    const errors = await errorsOf(yaml, { key: "{{secret:KEY}}" });
    assert.match(errors, expected, yaml);
    assert.ok(!/[\uFDD0\uFDD1]/.test(errors), errors);
  }
});

test("no text of a flow or a parameter makes a secret by accident", async () => {
  const forged = "\uFDD0KEY\uFDD1";
  for (const [yaml, params] of [
    [route(`log: '${forged}'`), {}],
    [route('log: "\\uFDD0KEY\\uFDD1"'), {}],
    [route('setHeaders: { headers: [{ name: "\\uFDD0KEY\\uFDD1", constant: a }] }'), {}],
    [route('to: { uri: "https://a.example", parameters: { "\\uFDD0KEY\\uFDD1": a } }'), {}],
    [route("log: '{{p}}'"), { p: forged }],
    [route("log: '${properties:p}'"), { p: forged }],
  ] as const) {
    assert.match(await errorsOf(yaml, params), /bad_character/, yaml);
  }
  const { flow } = await checked(route("log: '{{p}} \\{{secret:KEY}}'"), { p: "\\{{secret:KEY}}" });
  assert.deepEqual(flow?.manifest.secrets, [], "escaped braces are braces");
});

test("secrets reach what kamelets, templates and pipes are made of", async () => {
  for (const yaml of [
    route("to: { uri: 'kamelet:http-sink', parameters: { url: 'https://a.example/{{secret:KEY}}' } }"),
    `- routeTemplate:\n    id: t\n    parameters: [{ name: p }]\n    from:\n      uri: direct:t\n      steps: [{ setBody: { constant: 'a {{p}}' } }]\n- templatedRoute: { routeTemplateRef: t, routeId: r, parameters: [{ name: p, value: '{{secret:KEY}}' }] }\n`,
  ]) {
    const { flow, diagnostics } = await checked(yaml);
    assert.deepEqual(flow?.manifest.secrets, ["KEY"], JSON.stringify(diagnostics));
  }
});
