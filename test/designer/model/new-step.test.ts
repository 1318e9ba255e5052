/** What the editor inserts: it invents nothing, and the runtime's own check names what is left to fill in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointOf } from "../../../designer/web/src/editor/picker/entries.ts";
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
  setExpression,
  setOption,
  shortOption,
} from "../../../designer/web/src/model/index.ts";
import { catalog as definitions } from "../../../src/workers/catalog.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

/** What does something as it is inserted. Steps that are not here have to be filled in. */
const whole = {
  steps:
    "circuitBreaker claimCheck convertBodyTo doTry loadBalance marshal multicast pipeline rollback sample setExchangePattern sort step stop " +
    "threads throwException transacted unmarshal",
  // Those of a server use the one connection that the flow may use.
  components: "controlbus ftp ftps rabbitmq sftp smtp smtps spring-rabbitmq",
};

/** Resolves with the messages of the errors in a new flow with this step. */
async function refusals(app: TestApp, name: string, step: Readonly<Record<string, unknown>>): Promise<string[]> {
  const fresh = parse(freshFlow("fresh", "Fresh"));
  let yaml = applyChanges(fresh.text, insertStep(fresh, [0, "route", "from", "steps"], 0, step));
  if ("steps" in (step[name] as object)) {
    const inner = [0, "route", "from", "steps", 0, name, "steps"];
    yaml = applyChanges(yaml, insertStep(parse(yaml), inner, 0, { log: { message: "inside" } }));
  }
  const answer = await app.api("/flows/fresh/validate", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ yaml }),
  });
  const { diagnostics } = (await answer.json()) as { diagnostics: { severity: string; message: string }[] };
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

test("each step of the catalogue is inserted without names, addresses and expressions, and cannot be deployed until they are filled in", async (t) => {
  const app = await startTestApp(t);
  const catalog = (await (await app.api("/catalog")).json()) as Catalog;
  const valid: string[] = [];
  for (const { name } of catalog.steps) {
    const found = await refusals(app, name, newStep(name, catalog));
    assert.deepEqual(
      found.filter((message) => !/ needs /.test(message)),
      [],
      name,
    );
    if (found.length === 0) valid.push(name);
  }
  assert.deepEqual(valid.sort(), whole.steps.split(" "));
});

test("each component is inserted without a name of its own, and the check says what it needs", async (t) => {
  const app = await startTestApp(t);
  const catalog = (await (await app.api("/catalog")).json()) as Catalog;
  const valid: string[] = [];
  for (const { name, producer } of catalog.components) {
    if (!producer) continue;
    const found = await refusals(app, "to", { to: endpointOf({ key: `to:${name}`, name }, catalog) });
    assert.deepEqual(
      found.filter((message) => !/ needs /.test(message)),
      [],
      name,
    );
    if (found.length === 0) valid.push(name);
  }
  assert.deepEqual(valid.sort(), whole.components.split(" "));
});

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
