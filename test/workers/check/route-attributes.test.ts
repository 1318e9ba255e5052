/** Attributes of a route: those that change nothing here are accepted, with a word where Camel would do something else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkText, said } from "./small-catalog.ts";

function checked(attribute: string): readonly string[] {
  const { diagnostics } = checkText(
    `- route:\n    id: a\n    ${attribute}\n    from: { uri: timer:t, steps: [{ stop: {} }] }`,
  );
  return said(diagnostics);
}

test("what is the case anyway needs no word", () => {
  for (const attribute of [
    "streamCache: true",
    "stream-caching: true",
    "messageHistory: true",
    "trace: false",
    "logMask: true",
    "shutdownRunningTask: CompleteAllTasks",
    "kameletId: k",
    "note: n",
    "group: g",
  ]) {
    assert.deepEqual(checked(attribute), [], attribute);
  }
});

test("what would be done otherwise in Camel is a warning that says how it is here", () => {
  for (const attribute of [
    "startupOrder: 5",
    "streamCache: false",
    "trace: true",
    "messageHistory: false",
    "logMask: false",
    "shutdownRoute: Defer",
  ]) {
    const lines = checked(attribute);
    assert.equal(lines.length, 1, attribute);
    assert.match(lines[0] as string, /^3:5 warning no_effect route attribute '.*' has no effect: /);
  }
});

test("what a route would be without is refused, with what to write in its place", () => {
  for (const [attribute, advice] of [
    ["delayer: 5", "step 'delay'"],
    ["errorHandlerRef: e", "'errorHandler'"],
    ["routePolicyRef: p", "no policy beans"],
    ["inputType: { urn: json }", "unmarshal"],
    ["outputType: { urn: json }", "marshal"],
  ] as const) {
    const line = checked(attribute)[0] ?? "";
    assert.match(line, /^3:5 error not_yet /);
    assert.ok(line.includes(advice), line);
  }
});
