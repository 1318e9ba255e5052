/** What the picker and the menu of parts insert is accepted by the runtime's own check, without anything filled in. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { addPart } from "../../../designer/web/src/editor/actions/add-part.ts";
import { addStep } from "../../../designer/web/src/editor/actions/edit-steps.ts";
import { placeInside } from "../../../designer/web/src/editor/actions/places.ts";
import { endpointOf, pickerEntries, stepOf } from "../../../designer/web/src/editor/picker/entries.ts";
import { type Catalog, freshFlow, setOption } from "../../../designer/web/src/model/index.ts";
import { startTestApp } from "../../support/start-app.ts";
import { openText } from "./support/open-text.ts";

/** Starts a runtime; returns its catalogue and what its check says of a text, "" when it is valid. */
async function startChecks(t: TestContext) {
  const app = await startTestApp(t, { egressAllow: "*" });
  const catalog = (await (await app.api("/catalog")).json()) as Catalog;
  const check = async (yaml: string): Promise<string> => {
    const answer = await app.api("/flows/orders/validate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ yaml }),
    });
    const { diagnostics } = (await answer.json()) as { diagnostics: { severity: string; message: string }[] };
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join("; ");
  };
  return { catalog, check };
}

const fresh = freshFlow("orders", "Orders");
const steps = { stepsPath: [0, "route", "from", "steps"], index: 0 };

test("each entry of the picker is valid as it is inserted, but for names that must be there", async (t) => {
  const { catalog, check } = await startChecks(t);
  const problems: Record<string, string> = {};
  for (const entry of pickerEntries(catalog, "step")) {
    const session = openText(fresh);
    addStep(session, steps, stepOf(entry, catalog));
    const inside = placeInside(session);
    if (inside !== undefined) addStep(session, inside, { log: { message: "inside" } });
    const found = await check(session.get().text);
    if (found !== "") problems[entry.key] = found;
  }
  for (const entry of pickerEntries(catalog, "trigger")) {
    const session = openText(fresh);
    addStep(session, steps, { log: { message: "inside" } });
    const { uri, parameters } = endpointOf(entry, catalog);
    session.edit(
      [
        (flow) => setOption(flow, [0, "route", "from", "uri"], uri),
        (flow) => setOption(flow, [0, "route", "from", "parameters"], parameters),
      ],
      { label: "Trigger" },
    );
    const found = await check(session.get().text);
    if (found !== "") problems[entry.key] = found;
  }
  // A bean of that name has to be added, too, and the kamelet has no required property for the queue that it needs.
  const incomplete = ["to:json-validator", "to:mustache", "from:kamelet:spring-rabbitmq-source"];
  assert.deepEqual(Object.keys(problems), incomplete);
});

test("each part beside routes is valid as it is added", async (t) => {
  const { catalog, check } = await startChecks(t);
  const problems: Record<string, string> = {};
  for (const { name } of pickerEntries(catalog, "element")) {
    const session = openText(fresh);
    addPart(session, name);
    const found = await check(session.get().text);
    if (found !== "") problems[name] = found;
    assert.equal(session.get().selection.length, 1, name);
  }
  // It uses a template, which has to be added before.
  assert.deepEqual(Object.keys(problems), ["templatedRoute"]);
});
