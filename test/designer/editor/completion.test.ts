/** Functions of simple are completed behind `${`, and those that are offered exist. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  completePlaceholder,
  completeSecret,
  completeSimple,
  insertEntry,
  ownNames,
} from "../../../designer/web/src/editor/form/completion.ts";
import { placeholdersOf } from "../../../designer/web/src/editor/form/form-context.ts";
import { simpleFunctions } from "../../../designer/web/src/editor/form/simple-functions.ts";
import { secretsOf } from "../../../designer/web/src/model/index.ts";
import { functionDocs } from "../../../src/workers/languages/simple/docs/index.ts";
import { openText } from "./support/open-text.ts";

const functions = simpleFunctions(functionDocs);

test("a function is completed where it is begun, and nowhere else", () => {
  assert.equal(completeSimple("a body", 6, functions), undefined);
  assert.equal(completeSimple("${body} b", 9, functions), undefined);
  const found = completeSimple("to ${exc", 8, functions);
  assert.equal(found?.from, 5);
  assert.equal(found?.entries[0]?.text, "exchangeProperty.");
  const [entry] = completeSimple("to ${bod} you", 8, functions)?.entries ?? [];
  assert.ok(entry);
  assert.deepEqual(insertEntry("to ${bod} you", 8, { from: 5, open: "", close: "}" }, entry), {
    text: "to ${body} you",
    caret: 10,
  });
  assert.deepEqual(insertEntry("${he", 4, { from: 2, open: "", close: "}" }, { text: "header.", docs: "" }), {
    text: "${header.}",
    caret: 9,
  });
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

test("each function of the runtime is offered as it begins", () => {
  const texts = functions.map(({ text }) => text);
  for (const text of ["body", "body.", "headers", "header.", "date-with-timezone:", "random(", "uuid(", "null"])
    assert.ok(texts.includes(text), text);
  assert.ok(!texts.includes("header"));
  assert.equal(completeSimple("${date-w", 8, functions)?.entries[0]?.text, "date-with-timezone:");
});

test("secrets and parameters are completed behind two braces, whatever the language, and as whole values of empty fields", () => {
  const { flow } = openText(
    '- from: { uri: webhook, steps: [{ log: "{{secret:OLD}} {{env:HOME}} # {{secret:}}" }] }\n',
  ).get();
  const names = [
    { name: "CRM_KEY", shared: false },
    { name: "OLD", shared: true },
  ];
  const placeholders = placeholdersOf(flow, { region: "eu" }, names);
  assert.deepEqual(
    placeholders.map(({ text, docs }) => [text, docs]),
    [
      ["secret:CRM_KEY", "a secret of this flow"],
      ["secret:OLD", "a secret for all flows"],
      ["region", "a parameter of this flow"],
      ["env:HOME", "named in this flow"],
    ],
  );
  assert.deepEqual(
    placeholdersOf(flow, {}, undefined).map(({ text }) => text),
    ["secret:OLD", "env:HOME"],
    "names of the flow alone while the runtime has not answered",
  );
  assert.equal(completePlaceholder("a {body", 7, placeholders), undefined);
  const offer = completePlaceholder("key={{crm", 9, placeholders);
  assert.deepEqual(
    offer?.entries.map(({ text }) => text),
    ["secret:CRM_KEY"],
  );
  const [entry] = offer?.entries ?? [];
  assert.ok(offer !== undefined && entry !== undefined);
  assert.deepEqual(insertEntry("key={{crm}}", 9, offer, entry), { text: "key={{secret:CRM_KEY}}", caret: 22 });
  const whole = completeSecret("", placeholders);
  assert.ok(whole !== undefined);
  assert.deepEqual(insertEntry("", 0, whole, entry), { text: "{{secret:CRM_KEY}}", caret: 18 });
  assert.equal(completeSecret("x", placeholders), undefined);
});

test("secrets that a flow names are found at their places, and not in comments", () => {
  const text =
    '# {{secret:NO}}\n- from:\n    uri: webhook\n    steps:\n      - log: "a {{secret:kafka/key}}" # {{secret:NO}}\n      - setBody:\n          constant: |\n            {{ secret:B }}\n';
  const found = secretsOf(openText(text).get().flow);
  assert.deepEqual(
    found.map(({ name, from, to }) => [name, text.slice(from, to)]),
    [
      ["kafka/key", "{{secret:kafka/key}}"],
      ["B", "{{ secret:B }}"],
    ],
  );
});
