/** What flows do, case by case, as Camel's manual and tests say and as real Camel did it. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { asText, javaType } from "../../src/workers/engine/convert.ts";
import { exceptionMessage, exceptionType } from "../../src/workers/engine/exception.ts";
import { fullClassName } from "../../src/workers/engine/exception-classes.ts";
import { type Expectation, flowOf, type MockExpectation, type Reply, readTopics } from "./case.ts";
import { startEcho } from "./echo.ts";
import { type CaseOutcome, type Received, runCase, type Sent } from "./run-case.ts";

const topics = readTopics();

for (const topic of topics) {
  for (const example of topic.cases) {
    test(`${topic.name}: ${example.name}`, async (t) => {
      const { expect, inputs } = example;
      const params = flowOf(example).includes("{{server}}") ? { server: await startEcho(t) } : {};
      const outcome = await runCase(example, params);
      if (expect.diagnostic !== undefined) {
        assertRefused(outcome, expect.diagnostic);
        return;
      }
      const errors = outcome.diagnostics.filter(({ severity }) => severity === "error");
      assert.deepEqual(
        errors.map(({ line, column, message }) => `${line}:${column} ${message}`),
        [],
      );
      const replies = inputs === undefined ? [expect] : (expect.replies ?? []);
      replies.forEach((reply, index) => {
        assertReply(outcome.replies[index] as Sent, reply);
      });
      for (const [mock, expected] of Object.entries(expect.mocks ?? {})) {
        assertMock(mock, outcome.mocks.get(mock) ?? [], expected);
      }
      if (expect.logs !== undefined) assert.deepEqual(outcome.logs, expect.logs, "lines of log");
    });
  }
}

after(() => {
  const cases = topics.flatMap(({ cases }) => cases);
  const of = (verdict: string): number => cases.filter(({ oracle }) => oracle.startsWith(verdict)).length;
  console.log(
    `${cases.length} conformance cases: real Camel confirms ${of("confirmed")}, differs in ${of("differs")}, was not asked ${of("n/a")}`,
  );
});

function assertRefused(
  { diagnostics }: CaseOutcome,
  { code, message = "" }: NonNullable<Expectation["diagnostic"]>,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const found = errors.some((error) => (code ?? error.code) === error.code && error.message.includes(message));
  assert.ok(found, `no diagnostic '${code ?? ""}' with '${message}' among ${JSON.stringify(errors, undefined, 1)}`);
}

function assertReply({ exchange, error }: Sent, expected: Reply): void {
  if (expected.exception === undefined) assert.equal(error && describe(error), undefined, "the reply's failure");
  else {
    assert.notEqual(error, undefined, `it did not fail with ${expected.exception.type}`);
    assert.equal(fullClassName(exceptionType(error)), expected.exception.type, describe(error));
    if (expected.exception.message !== undefined) assert.equal(exceptionMessage(error), expected.exception.message);
  }
  const { message, properties, variables } = exchange;
  if ("body" in expected) assert.equal(rendered(message.body), rendered(expected.body), "the reply's body");
  if (expected.bodyType !== undefined) assert.equal(javaType(message.body), expected.bodyType, "the body's type");
  assertEntries("header", (name) => message.headers.get(name), expected.headers);
  assertEntries("property", (name) => properties.get(name), expected.properties);
  assertEntries("variable", (name) => variables.get(name), expected.variables);
}

function assertMock(mock: string, received: readonly Received[], expected: MockExpectation): void {
  const { anyOrder = false, bodies } = expected;
  const inOrder = (texts: readonly unknown[]): readonly unknown[] => (anyOrder ? [...texts].sort() : texts);
  if (bodies !== undefined) {
    assert.deepEqual(
      inOrder(received.map(({ body }) => rendered(body))),
      inOrder(bodies.map(rendered)),
      `bodies that mock:${mock} received`,
    );
  }
  if (expected.count !== undefined)
    assert.equal(received.length, expected.count, `messages that mock:${mock} received`);
  expected.headers?.forEach((headers, index) => {
    const names = new Map([...(received[index]?.headers ?? [])].map(([name, value]) => [name.toLowerCase(), value]));
    assertEntries(`mock:${mock} [${index}] header`, (name) => names.get(name.toLowerCase()), headers);
  });
  expected.properties?.forEach((properties, index) => {
    assertEntries(`mock:${mock} [${index}] property`, (name) => received[index]?.properties.get(name), properties);
  });
}

function assertEntries(
  what: string,
  actual: (name: string) => unknown,
  expected: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const [name, value] of Object.entries(expected ?? {})) {
    assert.equal(rendered(actual(name)), rendered(value), `${what} ${name}`);
  }
}

/** null stays null, so that "" is told from nothing. */
function rendered(value: unknown): string | null {
  return value === null || value === undefined ? null : asText(value);
}

function describe(error: unknown): string {
  return `${exceptionType(error)}: ${exceptionMessage(error)}`;
}
