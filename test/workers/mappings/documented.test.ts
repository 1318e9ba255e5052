/** The examples of docs/value-mappings.md do what the page says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { runSteps } from "../../support/run-route.ts";
import { acceptedValueMapping, mappingsOf } from "../../support/with-mappings.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/value-mappings.md"), "utf8");

/** The first block of the language. */
function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(page) ?? [];
  assert.ok(text !== undefined, language);
  return text;
}

test("the document passes its tests, and is understood whole", () => {
  const { facts, warnings } = acceptedValueMapping(block("json"));
  assert.deepEqual([facts.rows, facts.tests, warnings], [4, { passed: 3, failed: 0 }, []]);
});

test("the table is imported", () => {
  const { kept } = acceptedValueMapping(block("csv"), { media: "csv" });
  assert.deepEqual(JSON.parse(kept ?? "").rows[1], { crm: ["Done", "Closed"], erp: "ZCLS" });
});

test("the steps run", async () => {
  const mappings = mappingsOf({ "order-status": block("json") });
  const { exchange, error, logs } = await runSteps(block("yaml"), {
    mappings,
    body: { status: "Hold" },
    headers: { country: "DE" },
  });
  assert.equal(error, undefined);
  assert.deepEqual(exchange.message.body, { status: "DHLD" });
  // What the step put there is no word of the CRM any more.
  assert.equal(exchange.message.headers.get("status"), "ZUNK");
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["ZNEW"],
  );
});
