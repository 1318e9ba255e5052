/** Texts that Camel would load from a file, the classpath or a server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../../src/workers/catalog.ts";
import { errorsOf } from "./real-catalog.ts";

const route = (step: string): string =>
  `- route:\n    id: r\n    from:\n      uri: direct:r\n      steps:\n        - ${step}\n`;

const refusal = /^\d+:\d+ resource_here 'resource:[^']*' is refused: .* write the text itself in its place$/;

test("an expression of any language that begins with resource: is refused at its place", async () => {
  for (const { name, text } of catalog.languages.values()) {
    if (text !== undefined) continue;
    const [error = "", ...others] = await errorsOf(route(`setBody: { ${name}: "  resource:classpath:a.txt" }`));
    assert.match(error, refusal, name);
    assert.match(error, new RegExp(`^6:${27 + name.length} `), "the place is that of the word resource");
    assert.deepEqual(others, []);
  }
});

test("conditions, scripts, nested spellings and the names of headers are refused as well", async () => {
  for (const step of [
    "filter: { simple: 'resource:file:a.txt', steps: [{ stop: {} }] }",
    "script: { js: 'resource:https://a.example/a.js' }",
    "setBody: { expression: { language: { language: js, expression: 'resource:a' } } }",
    "setHeader: { name: 'resource:file:a.txt', constant: b }",
    "throwException: { exceptionType: a.B, message: 'resource:classpath:a.txt' }",
    "loop: { constant: 'resource:file:a.txt', steps: [{ log: a }] }",
  ]) {
    const errors = await errorsOf(route(step));
    assert.match(errors.join("\n"), refusal, step);
  }
});

test("texts that Camel takes as they are stay texts", async () => {
  for (const step of [
    "log: 'resource: ${body} is here'",
    "setBody: { simple: 'Resource:a' }",
    "setBody: { simple: 'the resource:a' }",
    "setBody: { simple: { expression: ' resource:a', trim: false } }",
    "split: { tokenize: 'resource:', steps: [{ log: a }] }",
  ]) {
    assert.deepEqual(await errorsOf(route(step)), [], step);
  }
});
