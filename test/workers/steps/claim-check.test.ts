/** The claimCheck step (Camel: ClaimCheckEipGetSetTest, ...PushPopBodyTest, ...HeadersPatternTest, ...ExcludeHeadersTest, ...RemoveHeaderTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileYaml, routeOf, runSteps } from "../../support/run-route.ts";

const change = [
  "- setBody: { constant: Bye }",
  "- setHeader: { name: foo, constant: 456 }",
  "- removeHeader: bar",
].join("\n");

test("Set keeps the message under its key, Get merges it back as often as one likes, GetAndRemove once", async () => {
  const { exchange, logs } = await runSteps(
    [
      "- claimCheck: { operation: Set, key: '${header.key}' }",
      change,
      "- log: '${body}'",
      "- claimCheck: { operation: Get, key: k }",
      "- log: '${body} ${header.foo} ${header.bar}'",
      "- setBody: { constant: Hi }",
      "- claimCheck: { operation: GetAndRemove, key: k }",
      "- log: '${body}'",
      "- setBody: { constant: Hi }",
      "- claimCheck: { operation: Get, key: k }",
    ].join("\n"),
    { body: "Hello", headers: { key: "k", foo: 123, bar: "moes" } },
  );
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["Bye", "Hello 123 moes", "Hello"],
  );
  assert.equal(exchange.message.body, "Hi");
});

test("Push and Pop keep messages on a stack; an empty one gives nothing", async () => {
  const { logs } = await runSteps(
    [
      "- claimCheck: { operation: Push }",
      "- setBody: { constant: two }",
      "- claimCheck: { operation: Push }",
      "- setBody: { constant: three }",
      ...[1, 2, 3].flatMap(() => ["- claimCheck: { operation: Pop }", "- log: '${body}'"]),
    ].join("\n"),
    { body: "one" },
  );
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["two", "one", "one"],
  );
});

for (const [filter, body, foo, bar] of [
  ["", "Hello", 123, "moes"],
  ["*", "Hello", 123, "moes"],
  ["body", "Hello", "456", undefined],
  ["-body", "Bye", 123, "moes"],
  ["headers", "Bye", 123, "moes"],
  ["header:foo", "Bye", 123, undefined],
  ["header:fo*", "Bye", 123, undefined],
  ["body,header:(foo|bar)", "Hello", 123, "moes"],
  ["-header:bar", "Hello", 123, undefined],
  ["-header:b*,body", "Hello", 123, undefined],
  ["+body, +header:bar", "Hello", "456", "moes"],
  ["-headers", "Hello", "456", undefined],
  ["body,header:foo*,-header:bar,attachments", "Hello", 123, undefined],
  ["--header:foo", "Hello", undefined, "moes"],
  ["--headers", "Hello", undefined, undefined],
  ["--body", null, 123, "moes"],
] as const) {
  test(`the filter '${filter}' merges body ${body}, foo ${foo}, bar ${bar}`, async () => {
    const pop = `- claimCheck: { operation: Pop, filter: "${filter}" }`;
    const { exchange } = await runSteps(`- claimCheck: { operation: Push }\n${change}\n${pop}`, {
      body: "Hello",
      headers: { foo: 123, bar: "moes" },
    });
    const { message } = exchange;
    assert.deepEqual([message.body, message.headers.get("foo"), message.headers.get("bar")], [body, foo, bar]);
  });
}

test("a header of the request that comes back is none that a step has set", async () => {
  const steps =
    "- claimCheck: { operation: Push }\n- removeHeaders: '*'\n- setHeader: { name: own, constant: 1 }\n- claimCheck: { operation: Pop }";
  const { exchange } = await runSteps(steps, { headers: { authorization: "secret" } });
  assert.equal(exchange.message.headers.get("authorization"), "secret");
  assert.deepEqual(
    Array.from(exchange.message.headers.written(), ([name]) => name),
    ["own"],
  );
});

test("it keeps at most a thousand messages", async () => {
  const steps = (count: number): string =>
    `- loop: { constant: ${count}, steps: [{ claimCheck: { operation: Push } }] }`;
  assert.equal((await runSteps(steps(1000))).error, undefined);
  assert.match(String((await runSteps(steps(1001))).error), /at most 1000 messages/);
});

test("a key and a filter that reads are needed, strategies are refused", () => {
  for (const [options, why] of [
    ["operation: Get", /need a key/],
    ["operation: Pop, filter: nothing", /'nothing' is no part of a filter/],
    ["operation: Pop, aggregationStrategy: x", /say with filter/],
  ] as const) {
    assert.throws(() => compileYaml(routeOf(`- claimCheck: { ${options} }`)), why);
  }
});
