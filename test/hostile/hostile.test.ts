/** Some of the hostile flows in an app of its own; all of them, beside neighbours and with figures: `npm run storm -- hostile`. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bundle } from "../support/bundles.ts";
import { answering } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";
import { call } from "./attacks.ts";
import { shownText } from "./case.ts";
import { hostileCases } from "./cases/index.ts";
import { endOf } from "./end-of-run.ts";

const faulty = bundle("flow-worker") === undefined ? "faulty-worker.ts" : "faulty-bundle.ts";
const threadEntry = new URL(`../support/faults/${faulty}`, import.meta.url);

const tried = [
  "flows that call each other in a circle",
  "a storm of microtasks",
  "output without end",
  "an error that nobody catches",
  "a flow that logs its caller's credentials",
];

test("a hostile flow ends with a reason, and its neighbour does not notice", async (t) => {
  const app = await startTestApp(t, { threadEntry, limits: { cancelGraceMs: 100 } });
  await app.put("near", answering("near", "here"));
  for (const name of tried) {
    await t.test(name, async () => {
      const attacked = hostileCases.find((one) => one.name === name);
      assert.ok(attacked?.record !== undefined);
      const limits = attacked.answers.includes("504 run_timeout") ? { webhookWallMs: 500 } : {};
      for (const [id, yaml] of Object.entries(attacked.flows)) {
        const put = await app.put(id, yaml, { limits });
        assert.ok(put.ok, await put.text());
      }
      const [answer, neighbour] = await Promise.all([call(app, attacked), app.post("/api/near")]);
      assert.ok(attacked.answers.includes(shownText(answer)), shownText(answer));
      assert.match(await endOf(app, answer.runId), attacked.record);
      assert.deepEqual(await attacked.also?.(app, [answer]), attacked.also && []);
      assert.equal(await neighbour.text(), "here");
      for (const id of Object.keys(attacked.flows)) await app.api(`/flows/${id}?drainMs=0`, { method: "DELETE" });
    });
  }
});

test("each kind of hostile flow has a case, and docs/security.md tells what stops it", async () => {
  const numbers = new Set(hostileCases.map(({ number }) => number));
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: 35 }, (_, i) => i + 1),
  );
  const security = await readFile(new URL("../../docs/security.md", import.meta.url), "utf8");
  const rows = hostileCases.map(({ number, name, stoppedBy }) => `| ${number} | ${name} | ${stoppedBy} |`);
  assert.deepEqual(
    rows.filter((row) => !security.includes(`${row}\n`)),
    [],
    "rows that are not in the document",
  );
});
