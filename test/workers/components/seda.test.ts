/** The seda component, without control (Camel: SedaInOutTest, SedaTimeoutTest, SedaSizeTest, SedaMultipleConsumersTest, SedaDiscardIfNoConsumerTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, turn } from "../../support/clock.ts";
import { type BegunRoute, beginRoute, modelOf, type RouteOptions, routeOf } from "../../support/run-route.ts";

/** A route `main` with these steps, and routes that consume. */
function flow(steps: string, ...consumers: readonly (readonly [uri: string, steps: string, more?: string])[]): string {
  const routes = consumers.map(([uri, inner, more = ""], index) => {
    const lines = inner.split("\n").map((line) => `        ${line}`);
    return `- route:\n    id: c${index + 1}\n${more}    from:\n      uri: ${uri}\n      steps:\n${lines.join("\n")}\n`;
  });
  return `${routeOf(steps)}${routes.join("")}`;
}

/** Runs the first route as a caller who waits for its answer. */
function asking(yaml: string, options: RouteOptions = {}): BegunRoute {
  return beginRoute(yaml, { ...options, pattern: "InOut" });
}

test("an InOnly message is copied and goes on at once; its run has its own id and tells where it comes from", async () => {
  const yaml = flow("- to: seda:q\n- setBody: { constant: after }", [
    "seda:q",
    '- setBody: { simple: "consumed ${body}" }\n- log: done',
  ]);
  const begun = beginRoute(yaml, { body: "b" });
  assert.equal(begun.synchronous, true);
  const { exchange } = await begun.outcome;
  const [run] = await begun.announced.settled();
  assert.equal(exchange.message.body, "after");
  assert.equal(run?.exchange?.message.body, "consumed b");
  assert.equal(run?.exchange?.fromRouteId, "c1");
  assert.equal(run?.exchange?.properties.get("CamelCorrelationId"), exchange.id);
  assert.deepEqual([run?.cause, run?.uri, run?.parent, run?.routeIndex], ["source", "seda:q", begun.run, 1]);
});

test("an InOut message waits for the reply and becomes it, and a failure there is its own", async () => {
  const yaml = flow("- to: seda:q\n- log: after", [
    "seda:q",
    '- setHeader: { name: h, constant: "1" }\n- choice: { when: [{ simple: "${body} == \'bad\'", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }] }\n- setBody: { simple: "reply to ${body}" }',
  ]);
  const good = await asking(yaml, { body: "b" }).outcome;
  assert.equal(good.exchange.message.body, "reply to b");
  assert.equal(good.exchange.message.headers.get("h"), "1");
  const bad = await asking(yaml, { body: "bad" }).outcome;
  assert.match(String(bad.error), /broken/);
  assert.equal(bad.failedStep, "to1");
  assert.deepEqual(bad.logs, []);
});

test("waitForTaskToComplete, and the property CamelAsyncWait before it", async () => {
  const consumer = ["seda:q", "- setBody: { constant: reply }"] as const;
  const always = await beginRoute(flow("- to: seda:q?waitForTaskToComplete=Always", consumer), { body: "b" }).outcome;
  assert.equal(always.exchange.message.body, "reply");
  const never = await asking(flow("- to: seda:q?waitForTaskToComplete=Never", consumer), { body: "b" }).outcome;
  assert.equal(never.exchange.message.body, "b");
  const steps = "- setProperty: { name: CamelAsyncWait, constant: Never }\n- to: seda:q?waitForTaskToComplete=Always";
  const property = await asking(flow(steps, consumer), { body: "b" }).outcome;
  assert.equal(property.exchange.message.body, "b");
});

test("a reply that does not come in time is an ExchangeTimedOutException, and a message still in the queue leaves it", async () => {
  const waiting = asking(flow("- to: seda:q?timeout=10"), { body: "b" });
  const { error, exchange } = await waiting.outcome;
  assert.equal(
    String(error),
    `FlowException: The OUT message was not received within: 10 millis. Exchange[${exchange.id}]`,
  );
  assert.deepEqual(await waiting.announced.settled(), []);
  // The consumer ends when its caller has given up, however slow the machine is.
  const caught = "{ exception: [java.lang.Exception], steps: [{ setBody: { simple: '${exception.message}' } }] }";
  const steps = `- doTry: { steps: [{ to: "seda:q?timeout=10" }], doCatch: [${caught}] }\n- to: { uri: "seda:gate", pattern: InOnly }`;
  const slow = asking(flow(steps, ["seda:q", "- pollEnrich: { simple: 'seda:gate' }"]), { body: "b" });
  assert.match(String((await slow.outcome).exchange.message.body), /was not received within: 10 millis/);
  assert.equal((await slow.announced.settled())[0]?.error, undefined);
});

test("a full queue fails, discards, or lets its producers wait", async () => {
  const twice = (query: string): string =>
    flow(`- to: seda:q?size=1&${query}\n- to: seda:q?size=1&${query}\n- log: after`);
  const failing = await beginRoute(twice("failIfNoConsumers=false")).outcome;
  assert.equal(String(failing.error), "FlowException: Queue full");
  assert.equal(failing.failedStep, "to2");
  const discarding = await beginRoute(twice("discardWhenFull=true")).outcome;
  assert.equal(discarding.error, undefined);
  const blocked = await beginRoute(twice("blockWhenFull=true&offerTimeout=10")).outcome;
  assert.match(String(blocked.error), /Fails to insert element into queue, after timeout of 10 milliseconds/);
  const released = beginRoute(
    flow("- to: seda:q\n- to: seda:q?blockWhenFull=true\n- to: seda:q?blockWhenFull=true\n- log: after", [
      "seda:q?size=1",
      '- delay: { constant: "5" }',
    ]),
  );
  assert.equal(released.synchronous, false);
  assert.equal((await released.outcome).error, undefined);
  assert.equal((await released.announced.settled()).length, 3);
});

test("a thread without places for more announced runs is a full queue", async () => {
  const sending = (query: string): string => flow(`- to: seda:q${query}\n- to: seda:q${query}`, ["seda:q", "- log: x"]);
  const limits = { announcedRuns: 1 };
  const failing = await beginRoute(sending(""), { limits }).outcome;
  assert.match(String(failing.error), /IllegalStateException|Queue full: 1 messages wait/);
  const blocking = beginRoute(sending("?blockWhenFull=true"), { limits });
  assert.equal((await blocking.outcome).error, undefined);
  assert.equal((await blocking.announced.settled()).length, 2);
});

test("a blocked producer stops waiting when its run is cancelled", async () => {
  const begun = beginRoute(flow("- to: seda:q?size=1\n- to: seda:q?blockWhenFull=true"));
  begun.run.cancel("enough");
  assert.match(String((await begun.outcome).error), /cancelled: enough/);
});

test("one message at a time per concurrent consumer, in their order", async () => {
  const sends = Array.from({ length: 4 }, (_, i) => `- setBody: { constant: "${i}" }\n- to: seda:q`).join("\n");
  const steps = '- log: "in ${body}"\n- delay: { constant: "5" }\n- log: "out ${body}"';
  const one = beginRoute(flow(sends, ["seda:q", steps]));
  const { logs } = await one.outcome;
  await one.announced.settled();
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["in 0", "out 0", "in 1", "out 1", "in 2", "out 2", "in 3", "out 3"],
  );
  const two = beginRoute(flow(sends, ["seda:q?concurrentConsumers=2", steps]));
  const second = await two.outcome;
  await two.announced.settled();
  assert.deepEqual(
    second.logs.slice(0, 2).map(({ message }) => message),
    ["in 0", "in 1"],
  );
  assert.equal(second.logs.filter(({ message }) => message.startsWith("out")).length, 4);
});

test("multipleConsumers gives each route a copy, and an InOut message goes on as it was", async () => {
  const yaml = flow(
    "- to: seda:q",
    ["seda:q?multipleConsumers=true", '- setBody: { simple: "1 ${body}" }'],
    ["seda:q?multipleConsumers=true", '- setBody: { simple: "2 ${body}" }'],
  );
  const begun = asking(yaml, { body: "b" });
  const { exchange } = await begun.outcome;
  const runs = await begun.announced.settled();
  assert.equal(exchange.message.body, "b");
  assert.deepEqual(runs.map((run) => run.exchange?.message.body).toSorted(), ["1 b", "2 b"]);
});

test("without a consumer: messages wait, or failIfNoConsumers, or discardIfNoConsumers", async () => {
  const fails = await beginRoute(flow("- to: seda:q?failIfNoConsumers=true")).outcome;
  assert.match(String(fails.error), /No consumers available on endpoint: seda:q\. Exchange\[/);
  const discards = beginRoute(flow("- to: seda:q?discardIfNoConsumers=true"));
  assert.equal((await discards.outcome).error, undefined);
  assert.deepEqual(await discards.announced.settled(), []);
});

test("a route that is not started lets its queue fill, and consumes it when it is", async () => {
  const begun = beginRoute(flow("- to: seda:q", ["seda:q", "- log: late", "    autoStartup: false\n"]));
  const { logs } = await begun.outcome;
  await turn();
  assert.equal(logs.length, 0);
  begun.flow.life.serve("11");
  await begun.announced.settled();
  assert.equal(logs[0]?.message, "late");
});

test("at the flow's end queues are consumed, but not those that nobody consumes or that are purged when stopping", async () => {
  const kept = beginRoute(flow("- to: seda:q\n- to: seda:q", ["seda:q", "- log: x"]));
  await kept.outcome;
  kept.flow.life.halt();
  assert.equal((await kept.announced.settled()).length, 2);
  const left = beginRoute(flow("- to: seda:q\n- to: seda:q"));
  const { logs } = await left.outcome;
  left.flow.life.halt();
  assert.deepEqual(await left.announced.settled(), []);
  assert.match(logs[0]?.message ?? "", /2 messages of 'seda:q' are dropped: no started route consumes it/);
  const purged = beginRoute(
    flow("- to: seda:q\n- to: seda:q\n- to: seda:q", ["seda:q?purgeWhenStopping=true", "- log: x"]),
  );
  await purged.outcome;
  purged.flow.life.halt();
  assert.equal((await purged.announced.settled()).length, 1);
});

test("a consumer that is stopped leaves the queue as it is, or drops what waits when it is purged when stopping", async () => {
  for (const [options, taken, told] of [
    ["", 3, []],
    ["?purgeWhenStopping=true", 1, ["2 messages of 'seda:q' are dropped: its consumer has purgeWhenStopping"]],
  ] as const) {
    const begun = beginRoute(
      flow("- to: seda:q\n- to: seda:q\n- to: seda:q", [`seda:q${options}`, "- delay: { constant: 1 }"]),
    );
    const { logs } = await begun.outcome;
    begun.flow.life.serve("10");
    await eventually(() => begun.announced.ended.length > 0, "the run under way ends");
    await turn();
    assert.equal(begun.announced.ended.length, 1);
    begun.flow.life.serve("11");
    assert.equal((await begun.announced.settled()).length, taken);
    assert.deepEqual(
      logs.map(({ message }) => message),
      told,
    );
  }
});

test("variableReceive of the consumer's from", async () => {
  const yaml = flow("- to: seda:q", [
    "seda:q\n      variableReceive: v",
    '- setBody: { simple: "${body}/${variable.v}" }',
  ]);
  const begun = beginRoute(yaml, { body: "b" });
  await begun.outcome;
  assert.equal((await begun.announced.settled())[0]?.exchange?.message.body, "/b");
});

test("messages that cause each other without end are stopped", async () => {
  const begun = beginRoute(flow("- to: seda:q", ["seda:q", "- to: seda:q"]), { limits: { directDepth: 5 } });
  await begun.outcome;
  const runs = await begun.announced.settled();
  assert.equal(runs.length, 5);
  assert.match(String(runs.at(-1)?.error), /runs that cause each other nest at most 5 deep/);
});

test("a message that is sent to a name that comes with it", async () => {
  const begun = beginRoute(flow('- toD: "seda:${header.to}"', ["seda:q", "- log: here"]), { headers: { to: "q" } });
  const { logs } = await begun.outcome;
  await begun.announced.settled();
  assert.equal(logs[0]?.message, "here");
  const none = await beginRoute(flow('- toD: "seda:${header.to}"'), { headers: { to: "q" } }).outcome;
  assert.match(String(none.error), /no endpoint that is written in the flow keeps queues/);
});

test("stub is a queue under any URI, apart from seda's", async () => {
  const yaml = flow(
    "- to: stub:jms:queue:q?username=u\n- to: seda:q",
    ["stub:jms:queue:q", "- log: stubbed"],
    ["seda:q", "- log: queued"],
  );
  const begun = beginRoute(yaml);
  const { logs } = await begun.outcome;
  await begun.announced.settled();
  assert.deepEqual(logs.map(({ message }) => message).toSorted(), ["queued", "stubbed"]);
});

test("what cannot be is refused", () => {
  const refuse = (yaml: string, why: RegExp): void => assert.throws(() => modelOf(yaml), why);
  const log = "- log: x";
  refuse(flow(log, ["seda:q", log], ["seda:q", log]), /'seda:q' is already consumed by route 'c1'/);
  refuse(flow(log, ["seda:q?multipleConsumers=true", log], ["seda:q", log]), /with multipleConsumers=true/);
  refuse(flow("- to: seda:q?size=5", ["seda:q?size=6", log]), /has size=5|has size=6/);
  refuse(flow("- to: seda:q?size=50000"), /at most announcedRuns=2000/);
  refuse(flow(log, ["seda:q?concurrentConsumers=501", log]), /above 500/);
  modelOf(flow(log, ["seda:q?concurrentConsumers=501&limitConcurrentConsumers=false", log]));
  refuse(flow(log, ["seda:q?concurrentConsumers=0", log]), /at least 1/);
  refuse(flow("- to: seda:q?queue=#mine"), /no beans/);
});
