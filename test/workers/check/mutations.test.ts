/** Flows with something changed in their text: an answer with a place for each, and no error of the engine's own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "./fuzz/judge.ts";
import { provesMutations } from "./fuzz/mutations.ts";
import { runOnce } from "./fuzz/run-once.ts";
import { conformanceFlows, exampleFlows, sampleFlows } from "./fuzz/samples.ts";

const seed = 20_260_417;

test("each sample flow and each example, as it is, compiles and runs", async () => {
  for (const text of [...sampleFlows, ...exampleFlows]) {
    const { flow } = await judge(text.replaceAll("{{warehouse}}", "http://127.0.0.1:1"));
    assert.ok(flow, text);
    await runOnce(flow.model, 0);
  }
});

for (const [name, texts] of Object.entries({ sampleFlows, exampleFlows, conformanceFlows })) {
  test(`${name} with something changed compile and run, or are answered with places inside of their texts`, async () => {
    const tally = await provesMutations(texts, { runs: 80, seed });
    assert.ok(tally.flows > 0 && tally.flows < tally.texts, JSON.stringify(tally));
  });
}

const at = (steps: string): string =>
  `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n${steps}`;

test("what the library says about one place of a text that is no YAML is said once", async () => {
  const { diagnostics } = await judge("- route:\n    id: main\n      uri: direct:start\n");
  assert.deepEqual(
    diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`),
    ["2:9 yaml_syntax"],
  );
});

test("a message quotes of a long text what fits", async () => {
  const long = "x".repeat(1000);
  const words = "ä b ".repeat(240);
  for (const text of [
    at(`        - ${long}: a`),
    at(`        - log: { ${long}: a }`),
    at(`        - to: "${long.repeat(9)}:a"`),
    at(`        - setBody: { ${long}: a }`),
    at(`        - unmarshal: { json: { "${words}": a } }`),
    `"${long.repeat(9)}" "${words}"`,
  ]) {
    const { flow } = await judge(text);
    assert.equal(flow, undefined);
  }
});
