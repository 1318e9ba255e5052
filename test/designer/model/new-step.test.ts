/** What the editor reads of the catalogue, and how it writes what a new step is given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyChanges,
  type Catalog,
  entryOf,
  formatsOf,
  optionsOf,
  parse,
  setExpression,
  setOption,
  shortOption,
} from "../../../designer/web/src/model/index.ts";
import { catalog as definitions } from "../../../src/workers/catalog.ts";
import { startTestApp } from "../../support/start-app.ts";

test("the catalogue tells what each step can be given", async (t) => {
  const app = await startTestApp(t);
  const catalog = (await (await app.api("/catalog")).json()) as Catalog;
  const log = entryOf(catalog, "log");
  assert.ok(log !== undefined);
  assert.deepEqual(optionsOf(log).map(({ name, group }) => [name, group])[0], ["message", "required"]);
  assert.ok(
    optionsOf(log)
      .find(({ name }) => name === "loggingLevel")
      ?.values?.includes("WARN"),
  );
  const marshal = entryOf(catalog, "marshal");
  assert.ok(marshal !== undefined && formatsOf(marshal, catalog).includes("json"));
});

test("the condition of a new branch is written before its steps", () => {
  const flow = parse(
    "- from:\n    uri: direct:a\n    steps:\n      - choice:\n          when:\n            - steps: []\n              note: x\n",
  );
  const branch = [0, "from", "steps", 0, "choice", "when", 0];
  const text = applyChanges(flow.text, setExpression(flow, branch, { language: "simple", text: "${body}" }));
  assert.match(text, /when:\n +- expression:\n +simple:\n +expression: \$\{body\}\n {14}steps: \[\]\n {14}note: x\n$/);
});

test("a text fills the same option as in the runtime", () => {
  for (const { name, short } of definitions.steps.values()) {
    if (short === undefined) continue;
    assert.equal(shortOption(name), short === "endpoint" ? "uri" : short, name);
    const flow = parse(`- from:\n    uri: direct:a\n    steps:\n      - ${name}: text\n`);
    const text = applyChanges(flow.text, setOption(flow, [0, "from", "steps", 0, name, "note"], "words"));
    assert.ok(text.includes("note: words"), text);
  }
});
