/** What the editor inserts is accepted by the runtime's own check, without anything filled in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyChanges,
  type Catalog,
  entryOf,
  formatsOf,
  freshFlow,
  insertStep,
  newStep,
  optionsOf,
  parse,
  setOption,
  shortOption,
  takesExpression,
} from "../../../designer/web/src/model/index.ts";
import { catalog as definitions } from "../../../src/workers/catalog.ts";
import { startTestApp } from "../../support/start-app.ts";

test("each step of the catalogue is valid in a new flow as it is inserted", async (t) => {
  const app = await startTestApp(t);
  const catalog = (await (await app.api("/catalog")).json()) as Catalog;
  const problems: Record<string, string> = {};
  for (const { name } of catalog.steps) {
    const fresh = parse(freshFlow("fresh", "Fresh"));
    const step = newStep(name, catalog);
    let yaml = applyChanges(fresh.text, insertStep(fresh, [0, "route", "from", "steps"], 0, step));
    if ("steps" in (step[name] ?? {})) {
      const inner = [0, "route", "from", "steps", 0, name, "steps"];
      yaml = applyChanges(yaml, insertStep(parse(yaml), inner, 0, { log: { message: "inside" } }));
    }
    const answer = await app.api("/flows/fresh/validate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ yaml }),
    });
    const found = (await answer.json()) as { valid: boolean; diagnostics: { severity: string; message: string }[] };
    if (found.valid) continue;
    problems[name] = found.diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join("; ");
  }
  assert.deepEqual(problems, {});
  const log = entryOf(catalog, "log");
  assert.ok(log !== undefined);
  assert.deepEqual(optionsOf(log).map(({ name, group }) => [name, group])[0], ["message", "required"]);
  assert.ok(
    optionsOf(log)
      .find(({ name }) => name === "loggingLevel")
      ?.values?.includes("WARN"),
  );
  const filter = entryOf(catalog, "filter");
  assert.equal(filter && takesExpression(filter), "predicate");
  const marshal = entryOf(catalog, "marshal");
  assert.ok(marshal !== undefined && formatsOf(marshal, catalog).includes("json"));
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
