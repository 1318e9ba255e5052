/** The to step and direct calls inside a flow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { beginRoute, compileYaml, routeOf, runRoute } from "../../support/run-route.ts";

const sub = `
- route:
    id: sub
    from:
      uri: direct:sub
      steps:
        - setHeader: { name: seen, simple: "\${routeId}" }
        - setBody: { simple: "sub(\${body})" }`;

const calling = (to: string, after = "log: done"): string => `
- route:
    id: main
    from: { uri: "direct:start", steps: [{ to: ${to} }, { ${after} }] }
${sub}`;

test("a direct call changes the caller's message and comes back to the caller's route", async () => {
  const { exchange, logs } = await runRoute(calling('"direct:sub"', 'log: "${routeId} ${body}"'), { body: "x" });
  assert.equal(exchange.message.body, "sub(x)");
  assert.equal(exchange.message.headers.get("seen"), "sub");
  assert.equal(exchange.routeId, "main");
  assert.equal(exchange.depth, 0);
  assert.deepEqual(
    logs.map(({ logger, message }) => [logger, message]),
    [["main", "main sub(x)"]],
  );
});

test("a failure inside a called route is noted at its own step and leaves the depth as it was", async () => {
  const flow = `
- from: { uri: "direct:start", steps: [{ to: "direct:sub" }] }
- from: { uri: "direct:sub", steps: [{ throwException: { exceptionType: a.B, message: m } }] }`;
  const { failedStep, exchange } = await runRoute(flow);
  assert.equal(failedStep, "throwException1");
  assert.equal(exchange.depth, 0);
});

test("variableReceive takes the reply and leaves the message as it was, unwritten too", async () => {
  const { exchange } = await runRoute(calling('{ uri: "direct:sub", variableReceive: v }'), {
    body: "x",
    headers: { a: "1" },
  });
  assert.equal(exchange.message.body, "x");
  assert.equal(exchange.message.written, false);
  assert.equal(exchange.message.headers.has("seen"), false);
  assert.equal(exchange.variables.get("v"), "sub(x)");
  assert.equal(exchange.variables.get("header:v.seen"), "sub");
});

test("variableSend sends the variable's value as the body, the reply becomes the message", async () => {
  const { exchange } = await runRoute(calling('{ uri: "direct:sub", variableSend: v }'), {
    body: "x",
    variables: { v: "y" },
  });
  assert.equal(exchange.message.body, "sub(y)");
});

test("variableSend and variableReceive together leave body and headers alone", async () => {
  const to = '{ uri: "direct:sub", variableSend: v, variableReceive: w }';
  const { exchange } = await runRoute(calling(to), { body: "x", variables: { v: "y" } });
  assert.equal(exchange.message.body, "x");
  assert.equal(exchange.variables.get("w"), "sub(y)");
});

test("a stopped exchange keeps the called route's message as its reply", async () => {
  const flow = `
- from: { uri: "direct:start", steps: [{ to: { uri: "direct:sub", variableReceive: v } }] }
- from: { uri: "direct:sub", steps: [{ setBody: { constant: reply } }, { stop: {} }] }`;
  const { exchange } = await runRoute(flow, { body: "x" });
  assert.equal(exchange.message.body, "reply");
  assert.equal(exchange.variables.has("v"), false);
});

test("a variable of another repository is refused", () => {
  for (const option of ["variableSend", "variableReceive"]) {
    assert.throws(() => compileYaml(calling(`{ uri: "direct:sub", ${option}: "foo:v" }`)), /foo/);
  }
});

test("from.variableReceive moves a called route's message into variables", async () => {
  const flow = `
- from: { uri: "direct:start", steps: [{ to: "direct:sub" }] }
- from: { uri: "direct:sub", variableReceive: v, steps: [{ log: "[\${body}] \${variable.v}" }] }`;
  const { exchange, logs } = await runRoute(flow, { body: "x", headers: { a: "1" } });
  assert.equal(logs[0]?.message, "[] x");
  assert.equal(exchange.variables.get("header:v.a"), "1");
});

test("pattern holds for the endpoint only", async () => {
  const flow = `
- from:
    uri: direct:start
    steps:
      - to: { uri: "log:in?showExchangePattern=true&showBody=false&showBodyType=false", pattern: InOut }
      - to: "log:out?showExchangePattern=true&showBody=false&showBodyType=false"`;
  const { logs } = await runRoute(flow);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["Exchange[ExchangePattern: InOut]", "Exchange[ExchangePattern: InOnly]"],
  );
});

test("a webhook's exchange is InOut", async () => {
  const { exchange } = await runRoute("- from: { uri: webhook, steps: [{ log: m }] }");
  assert.equal(exchange.pattern, "InOut");
});

test("routes that call each other for ever are stopped at the limit", async () => {
  const flow = `
- from: { uri: "direct:start", steps: [{ to: "direct:ping" }] }
- from: { uri: "direct:ping", steps: [{ to: "direct:pong" }] }
- from: { uri: "direct:pong", steps: [{ to: "direct:ping" }] }`;
  const { error, exchange } = await runRoute(flow);
  assert.match(String(error), /direct calls nest at most 64 deep/);
  assert.equal(exchange.depth, 0);
  const above = await runRoute(flow.replace("direct:ping", "direct:none"), { hops: 63, call: () => Promise.resolve() });
  assert.equal(above.error, undefined);
  const tooFar = await runRoute(flow, { hops: 64 });
  assert.equal(tooFar.run.executed, 1);
});

test("a name of another flow is called through control and reported in the manifest", async () => {
  const yaml = routeOf('- to: "direct:elsewhere"\n- to: "direct:elsewhere"\n- log: "${body}"');
  assert.deepEqual(compileYaml(yaml).manifest.externalDirects, ["elsewhere"]);
  const names: string[] = [];
  const begun = beginRoute(yaml, {
    async call(_slot, name, exchange) {
      names.push(name);
      exchange.message.body = `reply ${names.length}`;
    },
  });
  assert.equal(begun.synchronous, false);
  const { logs } = await begun.outcome;
  assert.deepEqual(names, ["elsewhere", "elsewhere"]);
  assert.equal(logs[0]?.message, "reply 2");
});

test("failIfNoConsumers=false goes on without the consumer, but not over other failures", async () => {
  const yaml = routeOf('- to: "direct:x?failIfNoConsumers=false"\n- log: after');
  const missing = (name: string) =>
    new FlowException("DirectConsumerNotAvailableException", `no started route consumes 'direct:${name}'`);
  const call = (name: string) => () => Promise.reject(missing(name));
  assert.equal((await runRoute(yaml, { call: call("x") })).logs.length, 1);
  assert.match(String((await runRoute(yaml, { call: call("y") })).error), /direct:y/);
  assert.match(String((await runRoute(routeOf('- to: "direct:x"'), { call: call("x") })).error), /direct:x/);
});

test("a cancelled run does not wait for another flow's reply", async () => {
  const begun = beginRoute(routeOf('- to: "direct:x"\n- log: never'), { call: () => new Promise(() => {}) });
  begun.run.cancel("client gone");
  const { error, logs } = await begun.outcome;
  assert.match(String(error), /cancelled: client gone/);
  assert.deepEqual(logs, []);
});

test("an option that a message's endpoint refuses is taken there, too, with the value that Camel has anyway", async () => {
  const dynamic = (query: string): string =>
    `- from: { uri: "direct:start", steps: [{ toD: "language:simple:\${body}!?cacheScript=${query}" }] }`;
  const { exchange } = await runRoute(dynamic("False"), { body: "x" });
  assert.equal(exchange.message.body, "x!");
  const refused = await runRoute(dynamic("true"), { body: "x" });
  assert.match(String(refused.error), /'cacheScript' is refused: expressions are always compiled once/);
});
