/** An option that is taken does something, or the check says that it does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { takenOptions, unreadOptions, untestedOptions } from "../../../scripts/taken-options.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { errorsOf, warningsOf } from "./real-catalog.ts";

const route = (step: string, from = "direct:r"): string =>
  `- route:\n    id: r\n    from:\n      uri: ${from}\n      steps:\n        - ${step}\n`;

test("no option is taken that the code does not read", () => {
  assert.deepEqual(
    unreadOptions().map(({ owner, path }) => `${owner}.${path}`),
    [],
    "give these options an effect, refuse them, or say with idle(...) why they have none",
  );
});

test("no option is taken that no test sets", () => {
  assert.deepEqual(
    untestedOptions().map(({ owner, path }) => `${owner}.${path}`),
    [],
    "show in a test or a conformance case what these options change",
  );
});

test("an option that changes nothing is taken with a warning that says why", async () => {
  for (const [yaml, option] of [
    [route("delay: { constant: 1, asyncDelayed: true }"), "asyncDelayed"],
    [route("split: { simple: '${body}', synchronous: true, steps: [{ log: a }] }"), "synchronous"],
    [route("split: { tokenize: { token: ',', regex: true }, steps: [{ log: a }] }"), "regex"],
    [route("setBody: { xpath: { expression: /a, threadSafety: true } }"), "threadSafety"],
    [route("to: 'file:out?bufferSize=4096'"), "bufferSize"],
    [route("log: a", "seda:q?pollTimeout=10"), "pollTimeout"],
    [`- onCompletion: { parallelProcessing: true, steps: [{ log: a }] }\n${route("log: a")}`, "parallelProcessing"],
  ] as const) {
    assert.deepEqual(await errorsOf(yaml), [], yaml);
    const above = yaml.slice(0, yaml.indexOf(option)).split("\n");
    const place = `${above.length}:${(above.at(-1) ?? "").length + 1}`;
    const [warning = ""] = await warningsOf(yaml);
    assert.match(warning, new RegExp(`^${place} no_effect option '${option}' of .* has no effect: \\w`), yaml);
  }
});

test("an option of the other end is taken with a warning that says where it belongs", async () => {
  for (const [yaml, option, here, there] of [
    [route("to: 'file:out?noop=true'"), "noop", "to", "from"],
    [route("to: { uri: 'file:out', parameters: { delay: 5s } }"), "delay", "to", "from"],
    [route("to: 'seda:q?concurrentConsumers=2'"), "concurrentConsumers", "to", "from"],
    [route("log: a", "file:in?fileExist=Append"), "fileExist", "from", "to"],
    [route("log: a", "seda:q?timeout=5"), "timeout", "from", "to"],
  ] as const) {
    assert.deepEqual(await errorsOf(yaml), [], yaml);
    const [warning, ...others] = await warningsOf(yaml);
    assert.match(warning ?? "", new RegExp(`no_effect option '${option}' of .* in '${here}': write it in '${there}'$`));
    assert.deepEqual(others, []);
  }
  const both = "seda:q?size=5&multipleConsumers=true";
  assert.deepEqual(await warningsOf(route(`to: "${both}"`)), []);
  assert.deepEqual(await warningsOf(route("log: a", `"${both}"`)), []);
});

test("an end's own options are options of its component", () => {
  const names = new Set(takenOptions().map(({ owner, path }) => `${owner}.${path}`));
  for (const { scheme, ends } of catalog.components.values()) {
    for (const name of [...(ends?.consumer ?? []), ...(ends?.producer ?? [])])
      assert.ok(names.has(`${scheme}.${name}`), name);
  }
});

test("without such an option there is no warning", async () => {
  assert.ok(takenOptions().some(({ idle }) => idle !== undefined));
  assert.deepEqual(await warningsOf(route("delay: { constant: 1 }")), []);
});

test("a delay before redeliveries is warned of where nothing is tried again", async () => {
  const handler = (policy: string): string =>
    `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { ${policy} } } }\n`;
  const clause = (more: string): string => `- onException: { exception: [a.B], steps: [{ log: a }]${more} }\n`;
  const message = /no_effect 'redeliveryDelay' of this redeliveryPolicy has no effect: .* without maximumRedeliveries$/;
  const [warning = "", ...others] = await warningsOf(handler("redeliveryDelay: 5s") + route("log: a"));
  assert.match(warning, message);
  assert.deepEqual(others, []);
  assert.match(
    (await warningsOf(clause(", redeliveryPolicy: { redeliveryDelay: 1 }") + route("log: a"))).join(),
    message,
  );
  const off = handler("redeliveryDelay: 5s, maximumRedeliveries: 2, disableRedelivery: true");
  assert.match((await warningsOf(off + route("log: a"))).join(), message);
  for (const elements of [
    handler("redeliveryDelay: 5s, maximumRedeliveries: 2"),
    handler("redeliveryDelay: 5s, maximumRedeliveries: -1"),
    handler("redeliveryDelay: 5s") + clause(", redeliveryPolicy: { maximumRedeliveries: 1 }"),
    handler("maximumRedeliveries: 1") + clause(", redeliveryPolicy: { redeliveryDelay: 1 }"),
    clause(", retryWhile: { simple: '${body} != null' }, redeliveryPolicy: { redeliveryDelay: 1 }"),
    clause(", redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: 1 }"),
    clause(", redeliveryPolicy: { logHandled: true }"),
  ]) {
    assert.deepEqual(await warningsOf(elements + route("log: a")), [], elements);
  }
});
