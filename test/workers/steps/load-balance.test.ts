/** The loadBalance step (Camel: RoundRobinLoadBalanceTest, FailOverLoadBalanceTest, WeightedRoundRobinLoadBalanceTest, StickyLoadBalanceTest, TopicLoadBalanceTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Repeated, repeatRoute } from "../../support/repeat-route.ts";
import { compileYaml, routeOf, runRoute } from "../../support/run-route.ts";

function balanced(balancer: string, ...ways: readonly string[]): string {
  return `- loadBalance:\n    ${balancer}\n    steps:\n${ways.map((way) => `      - ${way}\n`).join("")}`;
}
const [a, b, c] = ["a", "b", "c"].map((name) => `{ log: ${name} }`) as [string, string, string];
const failing = (name: string, type = "java.io.IOException"): string =>
  `{ pipeline: { steps: [{ log: ${name} }, { setBody: { constant: ${name} } }, { throwException: { exceptionType: ${type}, message: of ${name} } }] } }`;

async function send(flow: Repeated, times: number): Promise<readonly string[]> {
  const before = flow.logs.length;
  for (let i = 0; i < times; i++) await flow.run("x", { key: `k${i % 2}` });
  return flow.logs.slice(before);
}

test("round robin goes through the ways in turn", async () => {
  assert.deepEqual(await send(repeatRoute(balanced("roundRobinLoadBalancer: {}", a, b, c)), 4), ["a", "b", "c", "a"]);
});

test("random takes one of them", async () => {
  const taken = await send(repeatRoute(balanced("randomLoadBalancer: {}", a, b)), 64);
  assert.equal(taken.length, 64);
  assert.deepEqual([...new Set(taken)].sort(), ["a", "b"]);
});

test("weights hold in each round, in turn and at random", async () => {
  const inTurn = repeatRoute(
    balanced('weightedLoadBalancer: { distributionRatio: "2,1,3", roundRobin: true }', a, b, c),
  );
  assert.deepEqual(await send(inTurn, 7), ["a", "b", "c", "a", "c", "c", "a"]);
  const random = repeatRoute(
    balanced('weightedLoadBalancer: { distributionRatio: "2:0:3", distributionRatioDelimiter: ":" }', a, b, c),
  );
  for (let round = 0; round < 5; round++)
    assert.equal((await send(random, 5)).filter((name) => name === "a").length, 2);
});

test("sticky keeps a key to its way", async () => {
  const flow = repeatRoute(balanced("stickyLoadBalancer: { correlationExpression: { header: key } }", a, b, c));
  assert.deepEqual(await send(flow, 4), ["a", "b", "a", "b"]);
});

test("topic sends a copy every way, and the message goes on as it was", async () => {
  const flow = repeatRoute(
    `${balanced("topicLoadBalancer: {}", "{ setBody: { constant: y } }", '{ log: "${body}" }')}- log: "after \${body}"`,
  );
  assert.deepEqual(await send(flow, 1), ["x", "after x"]);
  const broken = repeatRoute(balanced("topicLoadBalancer: {}", failing("a"), b));
  assert.match(String((await broken.run("x")).error), /of a/);
  assert.deepEqual(broken.logs, ["a"]);
});

test("failover tries the next way with the message as it came", async () => {
  const flow = repeatRoute(
    `${balanced("failoverLoadBalancer: {}", failing("a"), '{ log: "b ${body}" }', c)}- log: after`,
  );
  assert.deepEqual(await send(flow, 1), ["a", "b x", "after"]);
});

for (const [options, ways, calls, error] of [
  ["", [failing("a"), failing("b")], ["a", "b"], /of b/],
  ["maximumFailoverAttempts: 1", [failing("a"), failing("b"), c], ["a", "b"], /of b/],
  ["maximumFailoverAttempts: 0", [failing("a"), b], ["a"], /of a/],
  ["exception: [java.lang.IllegalStateException]", [failing("a"), b], ["a"], /of a/],
  ["exception: [java.lang.Exception]", [failing("a"), b], ["a", "b"], undefined],
  ["roundRobin: true, maximumFailoverAttempts: 3", [failing("a"), failing("b")], ["a", "b", "a", "b"], /of b/],
] as const) {
  test(`failover with ${options || "the defaults"} calls ${calls}`, async () => {
    const flow = repeatRoute(balanced(`failoverLoadBalancer: { ${options} }`, ...ways));
    const { error: thrown, exchange } = await flow.run("x");
    assert.deepEqual(flow.logs, calls);
    if (error === undefined) assert.equal(thrown, undefined);
    else {
      assert.match(String(thrown), error);
      assert.equal(exchange.message.body, calls.at(-1));
    }
  });
}

test("failover begins with the next way, or with the last good one", async () => {
  const inTurn = repeatRoute(balanced("failoverLoadBalancer: { roundRobin: true }", failing("a"), b, c));
  assert.deepEqual(
    [await send(inTurn, 1), await send(inTurn, 1), await send(inTurn, 1)],
    [["a", "b"], ["c"], ["a", "b"]],
  );
  const sticky = repeatRoute(balanced("failoverLoadBalancer: { sticky: true }", failing("a"), b));
  assert.deepEqual([await send(sticky, 1), await send(sticky, 1)], [["a", "b"], ["b"]]);
});

test("the ways of a failover have the route's error handler unless it is taken from them", async () => {
  const handler =
    "- onException: { exception: [java.io.IOException], handled: { constant: true }, steps: [{ log: handled }] }\n";
  const logs = async (options: string): Promise<readonly string[]> => {
    const outcome = await runRoute(
      handler + routeOf(balanced(`failoverLoadBalancer: { ${options} }`, failing("a"), b)),
    );
    return outcome.logs.filter(({ level }) => level === "INFO").map(({ message }) => message);
  };
  assert.deepEqual(await logs(""), ["a", "handled"]);
  assert.deepEqual(await logs("inheritErrorHandler: false"), ["a", "b"]);
});

test("it names one load balancer, and weights for all ways", () => {
  for (const [balancer, why] of [
    ["id: x", /name one load balancer/],
    ["{ randomLoadBalancer: {}, topicLoadBalancer: {}, steps: [] }", /name one load balancer/],
    ["customLoadBalancer: { ref: x }", /no processor beans/],
    ["stickyLoadBalancer: {}", /needs a correlationExpression/],
    ['weightedLoadBalancer: { distributionRatio: "1,2,3" }', /3 weights for 2 steps/],
    ['weightedLoadBalancer: { distributionRatio: "0,0" }', /between 1 and/],
    ['weightedLoadBalancer: { distributionRatio: "1,x" }', /whole numbers/],
  ] as const) {
    const step = balancer.startsWith("{") ? `- loadBalance: ${balancer}` : balanced(balancer, a, b);
    assert.throws(() => compileYaml(routeOf(step)), why);
  }
  assert.throws(() => compileYaml(routeOf("- loadBalance: { roundRobinLoadBalancer: {} }")), /at least one step/);
});
