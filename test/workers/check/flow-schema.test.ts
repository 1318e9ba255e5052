/** The schema for editors accepts each flow of this project that is deployed, and refuses what the check refuses. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { describe } from "../../../src/workers/check/describe.ts";
import { Budget } from "../../../src/workers/languages/budget.ts";
import { compileSchema } from "../../../src/workers/mappings/json-schema.ts";
import { flowOf, readTopics } from "../../conformance/case.ts";
import { routeOf } from "../../support/run-route.ts";
import { judge } from "./fuzz/judge.ts";
import { exampleFlows, sampleFlows } from "./fuzz/samples.ts";

const root = new URL("../../../", import.meta.url);
const validate = compileSchema(structuredClone(describe(catalog).flowSchema));

/** What the schema has against a text, whose documents it sees one by one, as editors do. */
function problemsOf(yaml: string): string[] {
  return parseAllDocuments(yaml, { merge: true }).flatMap((document) =>
    validate(document.toJS(), new Budget({ ...defaultLimits, scriptMs: 60_000 }, "a schema")).map(
      ({ path, message }) => `${path}: ${message}`,
    ),
  );
}

function assertAccepted(flows: Readonly<Record<string, string>>): void {
  for (const [name, yaml] of Object.entries(flows)) assert.deepEqual(problemsOf(yaml), [], `${name}\n${yaml}`);
}

test("every sample flow", () => {
  assert.ok(sampleFlows.length > 0);
  assertAccepted(Object.fromEntries(sampleFlows.entries()));
});

test("every example of the catalogue", () => {
  assertAccepted(Object.fromEntries(exampleFlows.entries()));
});

test("every flow in the docs", () => {
  const pages = ["README.md", ...readdirSync(new URL("docs/", root)).map((name) => `docs/${name}`)];
  const flows = pages
    .filter((page) => page.endsWith(".md") && page !== "docs/reference.md")
    .flatMap((page) => {
      const text = readFileSync(new URL(page, root), "utf8");
      const blocks = text.matchAll(/^```yaml\n(.*?)^```$|--data-binary '\n(- .*?)^'/gms);
      return [...blocks].map(([, block, sent], at) => [`${page} ${at}`, block ?? sent ?? ""] as const);
    })
    .filter(([, text]) => text.startsWith("- "))
    .map(([name, text]) => [name, /^- (?:route|from|beans):/.test(text) ? text : routeOf(text.trimEnd())] as const);
  assert.ok(flows.length >= 2);
  assertAccepted(Object.fromEntries(flows));
});

test("every flow of the conformance cases that is deployed", () => {
  for (const { name, cases } of readTopics()) {
    const deployed = cases.filter(({ expect }) => expect.diagnostic === undefined);
    assertAccepted(Object.fromEntries(deployed.map((example) => [`${name}: ${example.name}`, flowOf(example)])));
  }
});

const steps = "steps: [{ log: a }]";
const inRoute = (step: string): string => `- route: { id: r, from: { uri: webhook, steps: [${step}] } }`;

for (const [what, yaml] of Object.entries({
  "a route with its own error handler": `- route:
    errorHandler: { noErrorHandler: {} }
    from: { uri: webhook, ${steps} }`,
  "a route with a routeConfiguration and idle attributes": `
- routeConfiguration: { id: c, onException: [{ exception: [java.lang.Exception], handled: { constant: "true" } }] }
- route: { routeConfigurationId: c, streamCache: true, kameletId: k, from: { uri: webhook, ${steps} } }`,
  "a route in a list without 'route' around it": `- { id: r, from: { uri: webhook }, ${steps} }`,
  "a list of routes with words for people": `{ name: n, routes: [{ from: { uri: webhook, ${steps} } }] }`,
  "an Integration": `{ kind: Integration, spec: { flows: [{ from: { uri: webhook, ${steps} } }] } }`,
  "a Pipe and its Kamelet": `
kind: Pipe
metadata: { name: p }
spec: { source: { ref: { kind: Kamelet, name: k } }, sink: { uri: "log:a" } }
---
kind: Kamelet
metadata: { name: k }
spec: { template: { from: { uri: "timer:t", steps: [{ to: "kamelet:sink" }] } } }`,
  "a kamelet as a step": inRoute("{ kamelet: { name: log-sink, parameters: { showHeaders: true }, steps: [] } }"),
  "names in kebab-case": inRoute("{ throw-exception: { exception-type: java.io.IOException, message: a } }"),
  "a required name in kebab-case": inRoute("{ throwException: { exception-type: java.io.IOException, message: a } }"),
  "a language by its name": inRoute("{ setBody: { language: { language: simple, expression: a } } }"),
  "a language's text as its expression": inRoute("{ split: { tokenize: { expression: ',' }, steps: [] } }"),
  "an expression below 'expression'": inRoute("{ recipientList: { expression: { constant: 'mock:a' } } }"),
  "an expression with an id": inRoute(
    "{ aggregate: { correlationExpression: { id: e, header: a }, completionSize: 2, steps: [{ log: a }], " +
      "aggregationStrategy: '#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy' } }",
  ),
  "a data format's name of old": inRoute("{ marshal: { gzip: {} } }"),
  "words in small letters": inRoute("{ log: { message: a, loggingLevel: warn } }"),
  "a number among words": inRoute("{ marshal: { zipDeflater: { compressionLevel: 6 } } }"),
  "an option that is taken with one value": inRoute("{ toD: { uri: 'log:a', autoStartComponents: true } }"),
  "ids that look like numbers": `- route: { id: 7, from: { id: 8, uri: webhook, ${steps} } }`,
})) {
  test(`accepted: ${what}`, async () => {
    const { flow, diagnostics } = await judge(yaml);
    assert.ok(flow, JSON.stringify(diagnostics));
    assert.deepEqual(problemsOf(yaml), []);
  });
}

for (const [what, yaml] of Object.entries({
  "a step that is none": inRoute("{ lgo: a }"),
  "an option that is none": inRoute("{ log: { mesage: a } }"),
  "an option that is missing": inRoute("{ throwException: { message: a } }"),
  "two steps in one item": inRoute("{ log: a, setBody: { constant: b } }"),
  "two expressions": inRoute("{ setBody: { simple: a, constant: b } }"),
  "a refused option": inRoute("{ toD: { uri: 'log:a', autoStartComponents: false } }"),
  "a word that is none": inRoute("{ log: { message: a, loggingLevel: LOUD } }"),
  "an attribute of the route that is none": `- route: { idd: r, from: { uri: webhook, ${steps} } }`,
  "an element that is none": `- rout: { from: { uri: webhook, ${steps} } }`,
  "a kind that makes no routes": "{ kind: Deployment, spec: {} }",
  "no route at all": "[]",
})) {
  test(`refused: ${what}`, async () => {
    assert.equal((await judge(yaml)).flow, undefined);
    assert.notDeepEqual(problemsOf(yaml), []);
  });
}
