/** Texts with rest services, templates, kamelets and pipes: whatever they say, an answer with places inside of the text. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkReal } from "./real-catalog.ts";

const good = `- restConfiguration: { contextPath: /shop, enableCORS: true }
- beans: [{ name: b, type: org.apache.camel.processor.aggregate.UseLatestAggregationStrategy }]
- rest:
    path: /orders
    get: [{ path: "/{id}", param: [{ name: q, type: query, defaultValue: a }], to: "direct:a" }]
- routeTemplate:
    id: t
    parameters: [{ name: p, defaultValue: "{{x:5}}00" }]
    route: { from: { uri: "timer:{{name}}", parameters: { period: "{{p}}" }, steps: [{ to: "kamelet:log-sink" }] } }
- templatedRoute: { routeTemplateRef: t, parameters: [{ name: name, value: n }] }
- route:
    id: r
    from:
      uri: kamelet:timer-source
      parameters: { message: hi }
      steps: [{ kamelet: { name: set-body-action, parameters: { value: "a" } } }]
`;
const pipe = `kind: Pipe
metadata: { name: p }
spec:
  source: { ref: { kind: Kamelet, name: timer-source }, properties: { message: hi } }
  sink: { ref: { kind: Kamelet, name: k }, properties: { a: b } }
---
kind: Kamelet
metadata: { name: k }
spec:
  definition: { required: [a], properties: { a: { type: string } } }
  template: { from: { uri: "kamelet:source", steps: [{ log: "{{a}}" }] } }
`;

async function answers(text: string): Promise<void> {
  const { flow, diagnostics } = await checkReal(text);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  assert.equal(flow === undefined, errors.length > 0, text);
  const lines = text.split("\n");
  for (const { line, column, message } of diagnostics) {
    if (line === null || column === null) continue;
    assert.ok(
      line <= lines.length && column <= (lines[line - 1]?.length ?? 0) + 1,
      `${line}:${column} ${message}\n${text}`,
    );
  }
}

for (const sample of [good, pipe]) {
  test(`a good document with something changed: ${sample.slice(0, 20)}`, async () => {
    assert.ok((await checkReal(sample)).flow);
    const change = fc.record({
      at: fc.nat({ max: sample.length }),
      remove: fc.nat({ max: 12 }),
      insert: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom("\n", "  ", "- ", "{{", "}}", ": ", "[", "{", "_api", "null", "kamelet:", "path", "{{p}}"),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) =>
        answers(changes.reduce((t, { at, remove, insert }) => t.slice(0, at) + insert + t.slice(at + remove), sample)),
      ),
      { numRuns: 40 },
    );
  });
}

describe("texts made to be slow", () => {
  const kamelet = (name: string, steps: string): string =>
    `---\nkind: Kamelet\nmetadata: { name: ${name} }\nspec: { template: { from: { uri: "kamelet:source", steps: [${steps}] } } }\n`;
  const calls = (name: string): string =>
    Array.from({ length: 60 }, (_, n) => `{ to: "kamelet:${name}/${name}${n}" }`).join(", ");
  const integration =
    'kind: Integration\nspec: { flows: [{ from: { uri: timer:t, steps: [{ to: "kamelet:a" }] } }] }\n';
  const bombs: Record<string, string> = {
    "kamelets that multiply": `${integration}${kamelet("a", calls("b"))}${kamelet("b", calls("c"))}${kamelet("c", calls("d"))}${kamelet("d", "{ stop: {} }")}`,
    "many kamelets of one name": `- from:\n    uri: timer:t\n    steps:\n${Array.from({ length: 1000 }, (_, n) => `      - to: kamelet:log-sink?loggerName=l${n}\n`).join("")}`,
    "many rest paths of one name": `- rest:\n    get:\n${"      - { path: /a, to: 'direct:a' }\n".repeat(1000)}`,
    slashes: `- rest: { path: "${"/".repeat(50_000)}x", get: [{ path: "x${"/".repeat(50_000)}x", to: "direct:a" }] }`,
    "spaces in a placeholder": `- routeTemplate: { id: t, from: { uri: "timer:a", steps: [{ log: "{{${" ".repeat(50_000)}" }] } }\n- templatedRoute: { routeTemplateRef: t }`,
    "dashes in an id": `- rest: { id: "a${"-".repeat(50_000)}b", get: [{ to: "direct:a" }] }`,
    "many unknown kamelets": `- from:\n    uri: timer:t\n    steps:\n${"      - to: kamelet:nope-sink\n".repeat(1000)}`,
    "a template used often": `- routeTemplate:\n    id: t\n    from:\n      uri: timer:t\n      steps:\n${"        - stop: {}\n".repeat(2000)}${"- templatedRoute: { routeTemplateRef: t }\n".repeat(1000)}`,
  };
  for (const [name, text] of Object.entries(bombs)) {
    test(name, () => answers(text));
  }
});
