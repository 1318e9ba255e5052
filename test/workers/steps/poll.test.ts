/** The steps `poll` and `pollEnrich`, without control: what the check says of them, and what their polls leave behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { aSession } from "../../support/mock-session.ts";
import { beginRoute, routeOf, runSteps } from "../../support/run-route.ts";
import { checkReal, errorsOf, warningsOf } from "../check/real-catalog.ts";
import { loopback } from "../components/http-calls.ts";

const refused: readonly (readonly [step: string, expected: RegExp])[] = [
  [
    "poll: direct:x",
    /^6:17 no_poller component 'direct' cannot be polled; here there are: file, http, https, seda, stub$/,
  ],
  ["poll: seda:q?siz=3", /^6:24 unknown_option component 'seda' has no option 'siz' \(did you mean 'size'\?\)/],
  ["poll: { uri: file:in, parameters: { delay: soon } }", /^6:54 invalid_value option 'delay' of component 'file'/],
  ["poll: { uri: seda:q, timeout: later }", /^6:41 invalid_value option 'timeout' of step 'poll' is a duration/],
  ["poll: { timeout: 1 }", /^6:11 missing_option step 'poll' needs 'uri'/],
  ["poll: http://localhost/x?httpMethod=PUT", /^6:17 bad_endpoint httpMethod is PUT, and a poll sends GET/],
  ["poll: file:../x", /^6:17 bad_endpoint the name '..\/x' leads out of the flow's directory/],
  ['pollEnrich: { constant: "log:x" }', /^6:36 bad_endpoint component 'log' cannot be polled; here there are: file,/],
  ['pollEnrich: { constant: "nope:x" }', /^6:36 bad_endpoint No endpoint could be found for: nope:x/],
  ['pollEnrich: { simple: "seda:q?siz=3" }', /^6:34 bad_endpoint component 'seda' has no option 'siz'/],
  [
    'pollEnrich: { constant: "seda:q", allowedSchemes: "file,http" }',
    /bad_endpoint allowedSchemes does not name 'seda'/,
  ],
  [
    'pollEnrich: { constant: "seda:q", allowOptimisedComponents: false }',
    /not_yet .*components need no start: leave it/,
  ],
  [
    'pollEnrich: { constant: "seda:q", autoStartComponents: false }',
    /not_yet .*components need no start: leave it out/,
  ],
  ['pollEnrich: { constant: "seda:q", aggregationStrategy: "#nope" }', /there is no bean 'nope'/],
];

for (const [step, expected] of refused) {
  test(`refused: ${step}`, async () => {
    const errors = await errorsOf(routeOf(`- ${step}`));
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] as string, expected);
  });
}

test("options that a poll does not read are warned of; those of Camel's own defaults are taken", async () => {
  assert.deepEqual(await warningsOf(routeOf("- poll: file:in?greedy=true&move=done&fileExist=Append")), [
    "6:25 no_effect option 'greedy' of component 'file' has no effect where the endpoint is polled: leave it out",
    "6:47 no_effect option 'fileExist' of component 'file' has no effect where the endpoint is polled: leave it out",
  ]);
  assert.deepEqual(await warningsOf(routeOf("- poll: http://localhost/x?throwExceptionOnFailure=true")), [
    "6:36 no_effect option 'throwExceptionOnFailure' of component 'http' has no effect where the endpoint is polled: leave it out",
  ]);
  const usual =
    'pollEnrich: { constant: "seda:q", cacheSize: 5, allowOptimisedComponents: true, autoStartComponents: true }';
  assert.deepEqual(await warningsOf(routeOf(`- ${usual}`)), []);
});

test("a flow that polls files has files and one thread; one that polls servers has the network", async () => {
  const manifestOf = async (step: string) => (await checkReal(routeOf(`- ${step}`))).flow?.manifest;
  for (const step of ["poll: file:in", 'poll: "file:in?fileName=${body}"', 'pollEnrich: { simple: "file:${body}" }']) {
    const { files, stateful, network, steps } = (await manifestOf(step)) ?? {};
    assert.deepEqual([files, stateful, network, steps?.[0]?.outbound], [true, true, false, true], step);
  }
  for (const step of ["poll: http://localhost/x", 'pollEnrich: { simple: "http://localhost/${body}" }']) {
    const { files, network, steps } = (await manifestOf(step)) ?? {};
    assert.deepEqual([files, network, steps?.[0]?.outbound], [false, true, true], step);
  }
});

test("a message that only a message names a component of fails where that cannot be polled", async () => {
  const { error } = await runSteps('- pollEnrich: { simple: "${body}", timeout: 0 }', { body: "log:x" });
  assert.match(
    String(error),
    /Failed to resolve endpoint: log:x due to: component 'log' cannot be polled; here there are/,
  );
});

test("a cancelled run ends its poll, and leaves the messages to the next one", async () => {
  const yaml = `${routeOf("- poll: { uri: seda:q, timeout: -1 }")}- route: { id: fill, from: { uri: direct:fill, steps: [{ to: seda:q }] } }\n`;
  const begun = beginRoute(yaml, { body: "x" });
  begun.run.cancel("the test says so");
  assert.match(String((await begun.outcome).error), /the test says so/);
});

test("a mock of a test session answers for the endpoint, and the poll is recorded", async () => {
  const session = aSession([{ uri: "seda:q", respond: { body: "mocked", headers: { m: "1" } } }]);
  const steps = '- pollEnrich: { constant: "seda:q", timeout: 0 }';
  const { exchange, error, calls } = await runSteps(steps, { body: "b", headers: { h: "2" }, sessions: [session] });
  assert.equal(error, undefined);
  const { body, headers } = exchange.message;
  assert.deepEqual([body, headers.get("m"), headers.get("h")], ["mocked", "1", "2"]);
  assert.deepEqual([calls[0]?.stepId, calls[0]?.request.body], ["pollEnrich1", "b"]);
});

test("a server that sends nothing for longer than the time-out fails the poll", async (t) => {
  const server = await startHttpServer(t, () => {});
  const { error } = await runSteps(`- poll: { uri: "${server.url}/slow", timeout: 50 }`, { egress: loopback });
  assert.match(
    String(error),
    /Error during poll.*Caused by: \[java.net.SocketTimeoutException - .*raise the step's timeout\]/,
  );
});

test("when the flow ends, its last runs still get what they put into a queue, and the rest is dropped with a warning", async () => {
  const yaml = routeOf("- to: seda:q\n- delay: { constant: 50 }\n- to: seda:q\n- poll: seda:q\n- to: mock:x");
  const begun = beginRoute(yaml, { body: "x", logLevel: "WARN" });
  begun.flow.life.halt();
  const { exchange, error, logs } = await begun.outcome;
  assert.equal(error, undefined);
  assert.equal(exchange.message.body, "x");
  await begun.flow.life.finish();
  await eventually(() => logs.some(({ message }) => message.includes("1 messages of 'seda:q' are dropped")), "warning");
  await begun.announced.settled();
});
