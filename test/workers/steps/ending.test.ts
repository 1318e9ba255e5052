/** `validate`, `rollback`, `setExchangePattern` and `sort`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { runRoute, runSteps } from "../../support/run-route.ts";

test("validate lets a message pass, or fails with the predicate in its message", async () => {
  const steps = "- validate: { simple: \"${body} == 'x'\" }\n- setBody: { constant: passed }";
  assert.equal((await runSteps(steps, { body: "x" })).exchange.message.body, "passed");
  const { error, exchange } = await runSteps(steps, { body: "y" });
  assert.equal(exceptionType(error), "org.apache.camel.support.processor.PredicateValidationException");
  assert.equal(exceptionMessage(error), `Validation failed for Predicate[\${body} == 'x']. Exchange[${exchange.id}]`);
  await assert.rejects(
    runSteps("- validate: { header: h, predicateExceptionFactory: f }"),
    /'predicateExceptionFactory' of step 'validate' is refused/,
  );
});

test("rollback fails with a RollbackExchangeException; its message is no template", async () => {
  const plain = await runSteps("- rollback: {}\n- setBody: { constant: z }", { body: "x" });
  assert.equal(exceptionType(plain.error), "org.apache.camel.RollbackExchangeException");
  assert.equal(exceptionMessage(plain.error), `Intended rollback. Exchange[${plain.exchange.id}]`);
  const named = await runSteps('- rollback: "no ${body}"', { body: "x" });
  assert.equal(exceptionMessage(named.error), `no \${body}. Exchange[${named.exchange.id}]`);
});

test("rollback that only marks ends the routing without an exception, in calling routes too", async () => {
  for (const mark of ["markRollbackOnly", "markRollbackOnlyLast"]) {
    const { exchange, error } = await runRoute(
      `- route:
    id: outer
    from: { uri: "direct:outer", steps: [ { to: "direct:inner" }, { setBody: { constant: after } } ] }
- route:
    id: inner
    from: { uri: "direct:inner", steps: [ { rollback: { ${mark}: true } }, { setBody: { constant: z } } ] }`,
      { body: "x" },
    );
    assert.equal(error, undefined);
    assert.equal(exchange.message.body, "x");
    assert.equal(exchange.rollback, true);
  }
});

test("a rollback is not tried again", async () => {
  const attempts = async (step: string): Promise<number> => {
    const { error, timed } = await runRoute(
      `- onException:
    exception: [java.lang.Exception]
    redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 0 }
- route:
    id: main
    from: { uri: "direct:start", steps: [ { ${step} } ] }`,
      { body: "x" },
    );
    assert.ok(error instanceof Error);
    return timed.filter((id) => id === "failing").length;
  };
  assert.equal(await attempts("rollback: { id: failing }"), 1);
  assert.equal(await attempts("throwException: { id: failing, exceptionType: java.io.IOException }"), 3);
});

test("setExchangePattern sets the pattern, in any case", async () => {
  for (const [written, pattern] of [
    ["InOnly", "InOnly"],
    ["inout", "InOut"],
  ]) {
    const { exchange } = await runSteps(`- setExchangePattern: ${written}`);
    assert.equal(exchange.pattern, pattern);
  }
  await assert.rejects(runSteps("- setExchangePattern: RobustInOnly"), /is one of InOnly, InOut/);
});

test("sort puts a list into natural order, null first, and makes it the body", async () => {
  const cases: readonly (readonly [unknown, unknown])[] = [
    [
      [10, 9, 2],
      [2, 9, 10],
    ],
    [
      [1.5, 1],
      [1, 1.5],
    ],
    [
      ["b", "A", "a", "B"],
      ["A", "B", "a", "b"],
    ],
    [
      ["10", "9", "2"],
      ["10", "2", "9"],
    ],
    [
      [true, false],
      [false, true],
    ],
    [
      ["b", null, "a"],
      [null, "a", "b"],
    ],
    [
      [{ b: 2 }, { a: 1 }],
      [{ b: 2 }, { a: 1 }],
    ],
    [new JsonText("[3, 1]", [3, 1]), [1, 3]],
  ];
  for (const [list, sorted] of cases) {
    assert.deepEqual((await runSteps("- sort: {}", { body: list })).exchange.message.body, sorted);
  }
  const before = [2, 1];
  const { exchange } = await runSteps("- sort: { header: h }", { body: "x", headers: { h: before } });
  assert.deepEqual(exchange.message.body, [1, 2]);
  assert.deepEqual(before, [2, 1]);
});

test("what is no list, and values of different types, cannot be sorted", async () => {
  for (const body of ["c,a,b", null, 7, { a: 1 }]) {
    const { error } = await runSteps("- sort: {}", { body });
    assert.equal(exceptionType(error), "java.lang.NullPointerException");
    assert.match(exceptionMessage(error), /^sort needs a list; found /);
  }
  assert.equal(
    exceptionType((await runSteps("- sort: {}", { body: [10, "9"] })).error),
    "java.lang.ClassCastException",
  );
  await assert.rejects(
    runSteps("- sort: { simple: '${body}', comparator: c }"),
    /'comparator' of step 'sort' is refused/,
  );
});
