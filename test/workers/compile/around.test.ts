/** onCompletion and intercepts (Camel: OnCompletionTest, intercept.adoc). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type RouteOptions, runRoute } from "../../support/run-route.ts";

async function said(yaml: string, options: RouteOptions = {}): Promise<string[]> {
  const outcome = await runRoute(yaml, options);
  await outcome.announced.settled();
  return outcome.logs.map(({ message }) => message);
}

const route = (steps: string): string => `- route: { id: main, from: { uri: "direct:start", steps: [${steps}] } }\n`;
const fail = "{ throwException: { exceptionType: java.io.IOException, message: gone } }";

describe("onCompletion", () => {
  const always =
    '- onCompletion: { steps: [{ log: "done ${body} ${exchangeProperty.CamelOnCompletion} ${exception.message}" }] }\n';
  const only = (kind: string): string => `- onCompletion: { on${kind}Only: true, steps: [{ log: ${kind} }] }\n`;

  test("runs when the exchange is over, with what it ended with", async () => {
    assert.deepEqual(await said(always + route("{ setBody: { constant: z } }, { log: last }")), [
      "last",
      "done z true ",
    ]);
    assert.deepEqual(await said(always + route(fail), { body: "b" }), ["done b true gone"]);
  });

  test("for success or for failure only, and under a condition", async () => {
    const both = only("Complete") + only("Failure");
    assert.deepEqual(await said(both + route("{ setBody: { constant: z } }")), ["Complete"]);
    assert.deepEqual(await said(both + route(fail)), ["Failure"]);
    const when = `- onCompletion: { onWhen: { simple: "\${body} == 'a'" }, steps: [{ log: a }] }\n`;
    assert.deepEqual(await said(when + route("{ setBody: { constant: a } }")), ["a"]);
    assert.deepEqual(await said(when + route("{ setBody: { constant: b } }")), []);
  });

  test("a called route's exchange is over when its caller's is", async () => {
    const two = `${always + route('{ to: "direct:b" }, { log: back }')}- route: { id: b, from: { uri: "direct:b", steps: [{ log: b }] } }\n`;
    assert.deepEqual(await said(two, { body: "x" }), ["b", "back", "done x true ", "done x true "]);
  });

  test("BeforeConsumer changes the reply; AfterConsumer does not", async () => {
    const mode = (name: string): string =>
      `- onCompletion: { mode: ${name}, steps: [{ setBody: { constant: late } }] }\n`;
    const reply = async (name: string): Promise<unknown> =>
      (await runRoute(mode(name) + route("{ setBody: { constant: early } }"))).exchange.message.body;
    assert.equal(await reply("BeforeConsumer"), "late");
    assert.equal(await reply("AfterConsumer"), "early");
  });
});

describe("intercepts", () => {
  test("intercept runs before each step, with the step's id; a stop ends the routing", async () => {
    const intercept = '- intercept: { steps: [{ log: "-> ${exchangeProperty.CamelInterceptedNodeId}" }] }\n';
    assert.deepEqual(
      await said(intercept + route("{ setBody: { id: one, constant: z } }, { log: { id: two, message: x } }")),
      ["-> one", "-> two", "x"],
    );
    const stopping = "- intercept: { onWhen: { simple: \"${body} == 'z'\" }, steps: [{ stop: {} }] }\n";
    assert.deepEqual(await said(stopping + route("{ log: first }, { setBody: { constant: z } }, { log: never }")), [
      "first",
    ]);
  });

  test("interceptFrom runs before the routes whose endpoint matches", async () => {
    const from = (uri: string): string => `- interceptFrom: { uri: "${uri}", steps: [{ log: in }] }\n`;
    for (const uri of ["direct:start", "direct://start", "direct:*", "direct:st.*"]) {
      assert.deepEqual(await said(from(uri) + route("{ log: x }")), ["in", "x"], uri);
    }
    assert.deepEqual(await said(from("timer:*") + route("{ log: x }")), ["x"]);
  });

  test("interceptSendToEndpoint runs before the endpoint, or in its place, also one that is named by the message", async () => {
    const send = (more: string): string =>
      `- interceptSendToEndpoint: { uri: "log:out*", ${more} steps: [{ log: "to \${exchangeProperty.CamelInterceptedEndpoint}" }] }\n`;
    const steps = route(
      '{ to: "log:out?showBodyType=false" }, { toD: "log:out-${body}?showBodyType=false" }, { to: "log:other?showBodyType=false" }',
    );
    assert.deepEqual(await said(send("") + steps, { body: "b" }), [
      "to log://out?showBodyType=false",
      "Exchange[Body: b]",
      "to log://out-b?showBodyType=false",
      "Exchange[Body: b]",
      "Exchange[Body: b]",
    ]);
    assert.deepEqual(await said(send("skipSendToOriginalEndpoint: true,") + steps, { body: "b" }), [
      "to log://out?showBodyType=false",
      "to log://out-b?showBodyType=false",
      "Exchange[Body: b]",
    ]);
    const when = `skipSendToOriginalEndpoint: true, onWhen: { simple: "\${body} == 'other'" },`;
    assert.equal((await said(send(when) + steps, { body: "b" })).length, 3);
    assert.equal(
      (await said(send('afterUri: "log:after?showBody=false&showBodyType=false",') + steps, { body: "b" })).length,
      7,
    );
  });
});

test("elements that stand behind a route are refused", async () => {
  await assert.rejects(
    said(`${route("{ log: x }")}- onCompletion: { steps: [{ log: y }] }\n`),
    /must be defined before any route/,
  );
});
