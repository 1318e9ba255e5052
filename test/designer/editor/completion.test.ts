/** Functions of simple are completed behind `${`, and those that are offered exist. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { completeSimple, insertFunction, ownNames } from "../../../designer/web/src/editor/form/completion.ts";
import { simpleFunctions } from "../../../designer/web/src/editor/form/simple-functions.ts";
import { startTestApp } from "../../support/start-app.ts";
import { openText } from "./support/open-text.ts";

test("a function is completed where it is begun, and nowhere else", () => {
  assert.equal(completeSimple("a body", 6), undefined);
  assert.equal(completeSimple("${body} b", 9), undefined);
  const found = completeSimple("to ${exc", 8);
  assert.equal(found?.from, 5);
  assert.equal(found?.entries[0]?.text, "exchangeProperty.");
  const [entry] = completeSimple("to ${bod} you", 8)?.entries ?? [];
  assert.ok(entry);
  assert.deepEqual(insertFunction("to ${bod} you", 8, 5, entry), { text: "to ${body} you", caret: 10 });
  assert.deepEqual(insertFunction("${he", 4, 2, { text: "header.", docs: "" }), { text: "${header.}", caret: 9 });
});

test("names that steps set are offered first", () => {
  const session = openText(
    "- from:\n    uri: webhook\n    steps:\n      - setHeader: { name: total, simple: a }\n      - setVariable: { name: total, simple: b }\n",
  );
  const own = ownNames(session.flow(), session.get().tree);
  assert.deepEqual(
    completeSimple("${tot", 5, own)?.entries.map(({ text }) => text),
    ["header.total", "variable.total"],
  );
});

test("the runtime takes each function that is offered, with what it goes on with", async (t) => {
  const app = await startTestApp(t);
  const ends: Readonly<Record<string, string>> = {
    "body.": "name",
    "body[": "name]",
    "bodyAs(": "String)",
    "header.": "name",
    "variable.": "name",
    "exchangeProperty.": "name",
    "random(": "10)",
    "hash(": "${body}, SHA-256)",
    "pretty(": "${body})",
    "jsonpath(": "$.order.id)",
    "jq(": ".order.id)",
    "xpath(": "//id)",
    "iif(": "${body} > 5, high, low)",
    "join(": "-)",
    "replace(": "a, b)",
    "substring(": "2)",
    "concat(": "${header.a}, -)",
    "split(": ",)",
    "sum(": "1, 2)",
    "max(": "1, 2)",
    "min(": "1, 2)",
    "size(": "${body})",
  };
  const problems: Record<string, unknown> = {};
  for (const { text } of simpleFunctions) {
    const message = `\${${text}${ends[text] ?? ""}}`;
    const yaml = JSON.stringify([{ from: { uri: "webhook", steps: [{ log: { message } }] } }]);
    const answer = await app.api("/flows/orders/validate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ yaml }),
    });
    const found = (await answer.json()) as { valid: boolean; diagnostics: { message: string }[] };
    if (!found.valid) problems[message] = found.diagnostics.map((one) => one.message);
  }
  assert.deepEqual(problems, {});
});
