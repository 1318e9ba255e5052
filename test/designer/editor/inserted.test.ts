/** What the picker inserts has no invented names, and the runtime's own check says what to fill in. What the menu of parts adds is valid. */
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

/** What does something as it is inserted. Other entries have to be filled in. */
const whole = {
  step:
    "circuitBreaker claimCheck convertBodyTo doTry loadBalance marshal multicast pipeline rollback sample setExchangePattern sort step stop " +
    "threads throwException transacted unmarshal",
  // Those of a server use the one connection that the flow may use.
  to: "controlbus ftp ftps rabbitmq sftp smtp smtps spring-rabbitmq",
  from: "cron ftp ftps kamelet:chuck-norris-source platform-http quartz scheduler sftp timer webhook",
};

test("each entry of the picker is inserted without names, addresses and expressions, and cannot be deployed until they are filled in", async (t) => {
  const { catalog, check } = await startChecks(t);
  const valid: Record<string, string[]> = { step: [], to: [], from: [] };
  const see = async (key: string, text: string): Promise<void> => {
    const found = await check(text);
    const [kind = "", ...name] = key.split(":");
    if (found === "") valid[kind]?.push(name.join(":"));
    else for (const message of found.split("; ")) assert.match(message, / needs | is missing/, key);
  };
  for (const entry of pickerEntries(catalog, "step")) {
    const session = openText(fresh);
    addStep(session, steps, stepOf(entry, catalog));
    const inside = placeInside(session);
    if (inside !== undefined) addStep(session, inside, { log: { message: "inside" } });
    await see(entry.key, session.get().text);
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
    await see(entry.key, session.get().text);
  }
  for (const [kind, names] of Object.entries(valid))
    assert.equal(names.sort().join(" "), whole[kind as keyof typeof whole]);
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
