/** The warning that a caller's path goes into a call: where the headers that say it reach an http endpoint. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check/check.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { direct } from "../../support/flows.ts";
import { httpRoute } from "../../support/platform-http.ts";

/** Line and text of each. */
function warningsOf(yaml: string): string[] {
  const { diagnostics } = check({ flowId: "flow", yaml, params: {}, limits: defaultLimits }, catalog, compileFlow);
  return diagnostics.filter(({ code }) => code === "caller_path").map(({ line, message }) => `${line} ${message}`);
}

const call = 'to: { id: call, uri: "http://127.0.0.1:9/csv" }';

test("a call behind a route with a path is warned of, with both steps and what to write", () => {
  const [warning = "", ...others] = warningsOf(httpRoute("in", "/csv", "log: seen", call));
  assert.deepEqual(others, []);
  assert.match(warning, /^7 .*'call'.*'from' in route 'in'.*removeHeaders: CamelHttp\*.*bridgeEndpoint=true$/);
});

test("a call within a clause, of rest, and over direct: is found", () => {
  const nested = `choice: { when: [{ simple: "\${body}", steps: [{ ${call} }] }] }`;
  assert.equal(warningsOf(httpRoute("in", "/csv", nested)).length, 1);
  assert.equal(warningsOf(`- rest: { path: /r, get: [{ to: "direct:a" }] }\n${direct("a", "a", call)}`).length, 1);
  const loop = direct("a", "a", 'to: "direct:a"', call);
  assert.equal(warningsOf(httpRoute("in", "/csv", 'to: "direct:a"') + loop).length, 1);
});

const quiet: readonly (readonly string[])[] = [
  ['removeHeaders: "CamelHttp*"', call],
  ["removeHeaders: '*'", call],
  ["removeHeader: { name: CamelHttpPath }", "removeHeader: { name: CamelHttpUri }", call],
  ['to: "http://127.0.0.1:9/csv?bridgeEndpoint=true"'],
  ["log: no call"],
];

test("one of the two headers is enough to lead a call elsewhere", () => {
  assert.equal(warningsOf(httpRoute("in", "/csv", "removeHeader: { name: CamelHttpPath }", call)).length, 1);
});

for (const steps of quiet) {
  test(`nothing is said of ${steps[0]}`, () => assert.deepEqual(warningsOf(httpRoute("in", "/csv", ...steps)), []));
}

test("nothing is said of a call behind a webhook or a timer", () => {
  assert.deepEqual(warningsOf(direct("a", "a", call)), []);
  assert.deepEqual(warningsOf(`- route: { id: w, from: { uri: webhook, steps: [{ ${call} }] } }\n`), []);
});
