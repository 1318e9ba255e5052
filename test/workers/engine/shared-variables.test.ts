/** Variables that the runs of a flow share: `global:` and `route:`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Limits } from "../../../src/shared/limits.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { assertError } from "../../control/api/calls.ts";
import { eventually } from "../../support/clock.ts";
import { beginRoute, compileYaml, routeOf, runSteps } from "../../support/run-route.ts";
import { startTestApp } from "../../support/start-app.ts";

const counting = (pause: string): string => `- route:
    id: count
    from:
      uri: webhook
      steps:
        - delay: { constant: "${pause}" }
        - setVariable: { name: "global:n", simple: "\${variable.global:n} 1" }
        - setBody: { simple: "\${variable.global:n}" }
`;

test("concurrent runs of a flow share one variable", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", counting("5"));
  await Promise.all(Array.from({ length: 20 }, () => app.post("/api/count", "x")));
  const last = await (await app.post("/api/count", "x")).text();
  assert.equal(last.trim().split(" ").length, 21);
});

test("a flow that names one is refused several threads", async (t) => {
  const app = await startTestApp(t);
  const answer = await app.api("/flows/f", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ yaml: counting("0"), limits: { threads: 4 } }),
  });
  assert.match(await assertError(answer, 422, "limit_not_allowed"), /global: and route: variables/);
});

test("a flow that is replaced begins without them", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", counting("0"));
  await app.post("/api/count", "x");
  assert.equal((await (await app.post("/api/count", "x")).text()).trim(), "1 1");
  await app.put("f", counting("1"));
  assert.equal((await (await app.post("/api/count", "x")).text()).trim(), "1");
});

test("a run that another run has begun sees them", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    `- route:
    id: start
    from:
      uri: webhook
      steps:
        - setVariable: { name: "route:tapped:word", simple: "\${body}" }
        - wireTap: { uri: "direct:tapped" }
- route:
    id: tapped
    from:
      uri: direct:tapped
      steps: [{ log: "heard \${variable.route:word}" }]
`,
  );
  await app.post("/api/start", "hello");
  await eventually(() => app.logs.some(({ message }) => message === "heard hello"), "its line");
});

for (const [name, step] of Object.entries({
  setVariable: 'setVariable: { name: "global:x", constant: "1" }',
  "variableReceive of to": 'to: { uri: "mock:a", variableReceive: "route:x" }',
  "a language": "setBody: { variable: 'global:x' }",
  simple: 'log: "${variable.global:x}"',
  "a source": 'setBody: { jq: { expression: ".", source: "variable:global:x" } }',
  "a quoted name in js": `script: { js: "variables.set('global:x', 1)" }`,
  removeVariable: 'removeVariable: "global:x"',
})) {
  test(`a flow has one thread when it names one in ${name}`, async () => {
    const flow = await withModules(() => compileYaml(routeOf(`- ${step}`)));
    assert.ok(flow.manifest.stateful);
    assert.notEqual(flow.variables, undefined);
  });
}

test("a flow that names none has none, and threads as it likes", () => {
  const flow = compileYaml(
    routeOf('- setVariable: { name: "x", constant: "global:x" }\n- log: "global: ${variable.x}"'),
  );
  assert.equal(flow.manifest.stateful, false);
  assert.equal(flow.variables, undefined);
});

test("js and jq read them by their names, and js sets them", async () => {
  const { exchange } = await withModules(
    () =>
      beginRoute(
        routeOf(`- setVariable: { name: "route:n", constant: "1" }
- script: { js: "variables.set('global:m', variables['route:n'] + variables['route:main:n'] + exchange.getVariable('route:n'))" }
- setHeader: { name: js, js: "exchange.getVariable('global:m')" }
- setBody: { constant: "{}" }
- setHeader: { name: jq, jq: { expression: 'variable("global:m") + variable("route:n")', resultType: String } }`),
      ).outcome,
  );
  assert.deepEqual([exchange.message.headers.get("js"), exchange.message.headers.get("jq")], ["111", "1111"]);
});

const bounds: readonly (readonly [keyof Limits, number, RegExp])[] = [
  ["variableCount", 2, /a flow has at most 2 shared variables/],
  ["variableBytes", 100, /the shared variables of a flow have at most 100 bytes together/],
];
for (const [limit, most, refusal] of bounds) {
  test(`they are bounded by ${limit}`, async () => {
    const sets = [1, 2, 3].map((n) => `- setVariable: { name: "global:v${n}", simple: "\${body}" }`).join("\n");
    const { error } = await runSteps(sets, { body: "x".repeat(60), limits: { [limit]: most } });
    assert.match(String(error), refusal);
  });
}
