/** Mocks of test sessions in a flow's thread: which step or endpoint they are for, in what order, what they do in its place. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { secretMark } from "../../../src/shared/secret-mark.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { withSecrets } from "../../../src/workers/engine/model-secrets.ts";
import { anExchange } from "../../support/exchange.ts";
import { aSession, type ShortMock } from "../../support/mock-session.ts";
import { modelOf, type RouteOptions, type RouteOutcome, routeOf, runRoute, runSteps } from "../../support/run-route.ts";

const failing = { id: "crm", exceptionType: "java.lang.IllegalStateException", message: "the real step ran" };
/** A step `crm` that must not run. */
const crm = `- throwException: ${JSON.stringify(failing)}`;
const respond = (body: unknown, more: object = {}) => ({ respond: { body, ...more } });

async function run(steps: string, mocks: readonly ShortMock[], options: RouteOptions = {}): Promise<RouteOutcome> {
  const outcome = await runSteps(steps, { body: "sent", ...options, sessions: [aSession(mocks)] });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
}

const body = (outcome: RouteOutcome): unknown => outcome.exchange.message.value;
const header = (outcome: RouteOutcome, name: string): unknown => outcome.exchange.message.headers.get(name);

suite("what is mocked", () => {
  test("a step by its id, in place of all that it does", async () => {
    const outcome = await run(`${crm}\n- setHeader: { name: after, constant: "yes" }`, [
      { stepId: "crm", ...respond({ ok: true }, { headers: { x: "1" }, status: 201 }) },
    ]);
    assert.deepEqual(body(outcome), { ok: true });
    assert.deepEqual(
      ["x", "CamelHttpResponseCode", "after"].map((name) => header(outcome, name)),
      ["1", 201, "yes"],
    );
  });

  test("a step only in the session's own deployment, endpoints everywhere", async () => {
    const steps = '- setBody: { id: set, constant: real }\n- to: "mock:x"';
    const mocks: ShortMock[] = [
      { stepId: "set", ...respond("mocked") },
      { uri: "mock:x", respond: { headers: { seen: 1 } } },
    ];
    const outcome = await runSteps(steps, { sessions: [aSession(mocks, { own: false })] });
    assert.equal(body(outcome), "real");
    assert.equal(header(outcome, "seen"), 1);
  });

  test("the steps of a clause that stands for several routes", async () => {
    const yaml = `
- onException:
    exception: [java.lang.Exception]
    handled: { constant: "true" }
    steps: [{ setBody: { id: handler, constant: real } }]
- route: { id: a, from: { uri: direct:a, steps: [{ throwException: { exceptionType: java.io.IOException, message: x } }] } }
- route: { id: b, from: { uri: direct:b, steps: [{ throwException: { exceptionType: java.io.IOException, message: x } }] } }
`;
    for (const route of [0, 1]) {
      const outcome = await runRoute(yaml, {
        route,
        sessions: [aSession([{ stepId: "handler", ...respond("mocked") }])],
      });
      assert.equal(body(outcome), "mocked");
      assert.equal(outcome.calls[0]?.routeId, ["a", "b"][route]);
    }
  });

  const endpoint =
    '- to: { id: call, uri: "http://erp.test:8080/orders", parameters: { httpMethod: POST, connectTimeout: 5s } }';
  const patterns: Readonly<Record<string, string>> = {
    "the URI in normal form": "http:erp.test:8080/orders?httpMethod=POST&connectTimeout=5s",
    "with two slashes": "http://erp.test:8080/orders?httpMethod=POST&connectTimeout=5s",
    "its parameters in another order": "http://erp.test:8080/orders?connectTimeout=5s&httpMethod=POST",
    "without its query": "http:erp.test:8080/orders",
    "in another case": "HTTP:ERP.test:8080/Orders",
    "a prefix": "http:erp*",
    "a prefix with two slashes": "http://erp*",
    everything: "*",
    "a regular expression": "http:.*/(orders|invoices)",
  };
  for (const [what, uri] of Object.entries(patterns)) {
    test(`an endpoint by ${what}`, async () => {
      const outcome = await run(endpoint, [{ uri, ...respond("mocked") }]);
      assert.equal(body(outcome), "mocked");
      assert.equal(outcome.calls[0]?.stepId, "call");
    });
  }

  test("not the endpoints that a pattern does not match", async () => {
    for (const uri of ["mock:y", "mock:", "ock:x", "mock:x.", "log:x"]) {
      assert.deepEqual((await run('- to: "mock:x"', [{ uri, ...respond("mocked") }])).calls, [], uri);
    }
  });

  test("a URI as it stands in the flow, its placeholders filled", async () => {
    const steps = '- to: { uri: "log://x?showHeaders={{show:true}}", parameters: { level: WARN } }';
    const outcome = await run(steps, [{ uri: "log://x?showHeaders=true", ...respond("mocked") }]);
    assert.equal(body(outcome), "mocked");
  });

  test("a URI with a secret by the secret's name", async () => {
    const steps = '- to: { uri: "http://erp.test/x?key={{secret:KEY}}", parameters: { httpMethod: GET } }';
    const outcome = await run(steps, [{ uri: "http://erp.test/x?key={{secret:KEY}}", ...respond("mocked") }]);
    assert.equal(body(outcome), "mocked");
  });

  const dynamic: Readonly<Record<string, string>> = {
    toD: "- toD: 'mock://${header.to}'",
    "toD with its name as a parameter": "- toD: { uri: mock, parameters: { name: '${header.to}' } }",
    recipientList: "- recipientList: { simple: 'mock:${header.to}' }",
    routingSlip: "- routingSlip: { simple: 'mock:${header.to}' }",
    enrich: "- enrich: { simple: 'mock:${header.to}' }",
    multicast: '- multicast: { steps: [{ to: "mock:x" }] }',
    direct: '- to: "direct:{{to:start}}"',
  };
  for (const [name, steps] of Object.entries(dynamic)) {
    test(`what ${name} sends to`, async () => {
      const uri = name === "direct" ? "direct:start" : "mock:x";
      const outcome = await run(steps, [{ uri, ...respond("mocked") }], { headers: { to: "x" } });
      assert.equal(body(outcome), "mocked");
      assert.equal(outcome.calls[0]?.request.uri, uri);
    });
  }

  test("what a tap sends to, in the run of its own", async () => {
    const outcome = await run('- wireTap: { id: tap, uri: "mock:x" }', [
      { uri: "mock:x", throw: { message: "tapped" } },
    ]);
    const [tap] = await outcome.announced.settled();
    assert.equal(exceptionMessage(tap?.error), "tapped");
    assert.equal(body(outcome), "sent");
    assert.deepEqual([outcome.calls[0]?.stepId, outcome.calls[0]?.request.body], ["tap", "sent"]);
  });

  test("a step's mock first; when it is exhausted, the endpoints of the real step", async () => {
    const steps = '- to: { id: call, uri: "mock:x" }\n- to: { id: again, uri: "mock:x" }';
    const loop = `- loop: { constant: 2, steps: [{ to: { id: call, uri: "mock:x" } }] }`;
    const mocks: ShortMock[] = [
      { uri: "mock:x", ...respond("endpoint") },
      { stepId: "call", ...respond("step"), times: 1 },
    ];
    const actions = async (text: string) => (await run(text, mocks)).calls.map(({ stepId, mock }) => [stepId, mock]);
    assert.deepEqual(await actions(steps), [
      ["call", 1],
      ["again", 0],
    ]);
    assert.deepEqual(await actions(loop), [
      ["call", 1],
      ["call", 0],
    ]);
  });
});

suite("which mock answers", () => {
  const thrice = `- loop: { constant: 3, steps: [{ setBody: { id: set, constant: real } }, { to: "mock:out" }] }`;
  /** What the step left, three times. */
  async function answers(mocks: readonly ShortMock[], steps = thrice): Promise<unknown[]> {
    const { calls, error } = await runSteps(steps, {
      sessions: [aSession([...mocks, { uri: "mock:out", spy: true }])],
    });
    const bodies = calls.filter(({ stepId }) => stepId !== "set").map(({ request }) => request.body);
    return error === undefined ? bodies : [...bodies, exceptionMessage(error)];
  }

  test("in order, each as often as it says, then the real step", async () => {
    const mocks = [
      { stepId: "set", ...respond("first"), times: 1 },
      { stepId: "set", ...respond("second"), times: 1 },
    ];
    assert.deepEqual(await answers(mocks), ["first", "second", "real"]);
  });

  test("a sequence goes on with the real step, its last action or a failure", async () => {
    const sequence = [respond(1), respond(2)];
    assert.deepEqual(await answers([{ stepId: "set", sequence }]), [1, 2, "real"]);
    assert.deepEqual(await answers([{ stepId: "set", sequence, after: "repeatLast" }]), [1, 2, 2]);
    const fails = "mock 0 of the test session has no use left";
    assert.deepEqual(await answers([{ stepId: "set", sequence, after: "fail" }]), [1, 2, fails]);
    assert.deepEqual(await answers([{ stepId: "set", ...respond(1), times: 1, after: "fail" }]), [1, fails]);
  });

  test("by what the message is: body, headers, an expression", async () => {
    const when = async (condition: ShortMock["when"], options: RouteOptions): Promise<boolean> => {
      const mocks = [{ stepId: "set", ...respond("mocked"), when: condition as NonNullable<typeof condition> }];
      const outcome = await run("- setBody: { id: set, constant: real }", mocks, options);
      return body(outcome) === "mocked";
    };
    const order = { body: new JsonText('{"id":17,"sku":"A1"}', { id: 17, sku: "A1" }), headers: { orderId: 17 } };
    assert.equal(await when({ body: { $contains: { id: 17 } } }, order), true);
    assert.equal(await when({ body: { id: 17 } }, order), false);
    assert.equal(await when({ body: { $contains: { sku: { $regex: "^A\\d$" } } } }, order), true);
    assert.equal(await when({ headers: { ORDERID: "17" } }, order), true);
    assert.equal(await when({ headers: { orderId: "18" } }, order), false);
    assert.equal(await when({ body: { $contains: { id: 17 } }, headers: { other: { $exists: true } } }, order), false);
    assert.equal(await when({ expression: { language: "simple", text: "${body[sku]} == 'A1'" } }, order), true);
    assert.equal(await when({ expression: { language: "jq", text: ".id > 17" } }, order), false);
    assert.equal(await when({ expression: { language: "js", text: "body.id === 17" } }, order), true);
  });

  test("one whose condition does not hold keeps its uses", async () => {
    const when = { headers: { CamelLoopIndex: "no" } };
    const session = aSession([
      { stepId: "set", ...respond("no"), when, times: 1 },
      { stepId: "set", ...respond("yes"), times: 1 },
    ]);
    await runSteps(thrice, { sessions: [session] });
    assert.deepEqual([session.uses(), session.calls()], [[0, 1], [1]]);
  });

  test("a failing condition fails the step, and names the mock", async () => {
    const when = { expression: { language: "js", text: "null.x" } };
    const mocks: ShortMock[] = [
      { stepId: "other", spy: true },
      { stepId: "set", spy: true, when },
    ];
    const { error, failedStep, calls } = await runSteps(thrice, { body: "x", sessions: [aSession(mocks)] });
    assert.match(exceptionMessage(error), /^mock 1 of the test session: when: /);
    assert.deepEqual([failedStep, calls.length], ["set", 0]);
  });

  test("an expression that cannot be read fails the step", async () => {
    const expression = { language: "jq", text: ".[" };
    const { error } = await runSteps(thrice, { sessions: [aSession([{ stepId: "set", respond: { expression } }])] });
    assert.match(exceptionMessage(error), /^mock 0 of the test session: /);
  });

  test("an expression without end is stopped, and its step fails", async () => {
    const expression = { language: "js", text: "for (;;) {}" };
    const sessions = [aSession([{ stepId: "set", respond: { expression } }])];
    const { error } = await runSteps(thrice, { limits: { scriptMs: 50 }, sessions });
    assert.match(exceptionMessage(error), /^mock 0 of the test session: respond: .*50/);
  });

  test("sessions in their order; behind a spy the next may answer", async () => {
    const spy = aSession([{ stepId: "crm", spy: true }]);
    const first = aSession([{ stepId: "crm", ...respond("first"), times: 1 }]);
    const second = aSession([{ stepId: "crm", ...respond("second") }]);
    const { calls, exchange } = await runSteps(`${crm}\n- to: "mock:x"`, { sessions: [spy, first, second] });
    assert.equal(exchange.message.body, "first");
    assert.deepEqual(
      calls.map(({ action, response }) => [action, response?.body]),
      [
        ["respond", "first"],
        ["spy", "first"],
      ],
    );
    assert.deepEqual(second.calls(), [0]);
    const next = await runSteps(crm, { sessions: [spy, first, second] });
    assert.equal(next.exchange.message.body, "second");
  });

  test("none of a session that is closed, in runs under way either", async () => {
    const session = aSession([{ stepId: "crm", ...respond("mocked") }]);
    session.close();
    const { error } = await runSteps(crm, { sessions: [session] });
    assert.equal(exceptionMessage(error), "the real step ran");
    assert.deepEqual(session.calls(), [0]);
  });
});

suite("what a mock does", () => {
  test("each answer has a body of its own", async () => {
    const sessions = [aSession([{ stepId: "crm", ...respond({ list: [] }) }])];
    const [first, second] = [await runSteps(crm, { sessions }), await runSteps(crm, { sessions })].map(body);
    assert.deepEqual(first, { list: [] });
    assert.notEqual(first, second);
  });

  test("bodies of each kind: an object is what a server's JSON is, text is text", async () => {
    const shown = async (answer: ShortMock["respond"]): Promise<unknown> => {
      const outcome = await run(
        `${crm}\n- setBody: { simple: "\${body}|\${headers}" }`,
        [{ stepId: "crm", respond: answer as NonNullable<typeof answer> }],
        { headers: { gone: 1 } },
      );
      return body(outcome);
    };
    assert.equal(await shown({ body: { a: [1] } }), '{"a":[1]}|{gone=1}');
    assert.equal(await shown({ body: "text" }), "text|{gone=1}");
    assert.equal(await shown({ body: 5 }), "5|{gone=1}");
    assert.equal(await shown({ body: null }), "|{gone=1}");
    assert.equal(await shown({ bodyBase64: "aGk=" }), "hi|{gone=1}");
    assert.equal(await shown({ headers: { gone: null } }), "sent|{}");
    assert.equal(await shown({ expression: { language: "simple", text: "was ${body}" } }), "was sent|{gone=1}");
    assert.equal(await shown({ expression: { language: "js", text: "1 + 1" } }), "2|{gone=1}");
  });

  test("an answer that does not fit leaves the message as it was, and fails", async () => {
    const { error, exchange } = await runSteps(crm, {
      body: "sent",
      sessions: [aSession([{ stepId: "crm", ...respond("fits", { headers: { a: 1, b: "x".repeat(100_000) } }) }])],
    });
    assert.equal(exceptionType(error), "LimitExceededException");
    assert.match(exceptionMessage(error), /^mock 0 of the test session: respond: /);
    assert.deepEqual([exchange.message.body, exchange.message.headers.size], ["sent", 0]);
  });

  test("a failure by its class, which clauses and catches know", async () => {
    const steps = `
- doTry:
    steps: [{ to: { id: call, uri: "mock:x" } }]
    doCatch:
      - exception: [java.io.IOException]
        steps: [{ setBody: { simple: "caught \${exception.message}" } }]`;
    for (const type of ["java.net.ConnectException", "ConnectException"]) {
      const outcome = await run(steps, [{ uri: "mock:x", throw: { type, message: "refused" } }]);
      assert.equal(body(outcome), "caught refused");
      assert.equal(outcome.calls[0]?.error?.type, "java.net.ConnectException");
    }
    const other = [{ uri: "mock:x", throw: { type: "com.acme.OwnException", message: "own" } }];
    await assert.rejects(run(steps, other), { type: "com.acme.OwnException", message: "own" });
  });

  test("an HTTP failure has what Camel's has; each redelivery is a call", async () => {
    const yaml = `
- onException:
    exception: [org.apache.camel.http.base.HttpOperationFailedException]
    redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: "0" }
    handled: { constant: "true" }
    steps:
      - setBody: { simple: "\${exception.statusCode} \${exception.responseBody} \${exception.message} \${header.CamelHttpResponseCode}" }
${routeOf('- to: { id: call, uri: "http://erp.test/orders" }')}`;
    const answer = {
      type: "HttpOperationFailedException",
      statusCode: 503,
      responseBody: { busy: true },
      responseHeaders: { why: "x", token: "t" },
    };
    const session = aSession([{ uri: "http:erp*", throw: answer }]);
    const { exchange, calls } = await runRoute(yaml, { sessions: [session] });
    const message = "HTTP operation failed invoking http://erp.test/orders with statusCode: 503";
    assert.equal(exchange.message.body, `503 {"busy":true} ${message} 503`);
    assert.deepEqual([session.calls(), calls.map(({ seq }) => seq)], [[3], [1, 2, 3]]);
    assert.deepEqual(
      [calls[0]?.response, calls[0]?.error?.statusCode, calls[0]?.error?.responseBody],
      [null, 503, '{"busy":true}'],
    );
    assert.partialDeepStrictEqual(calls[0]?.error, { responseHeaders: { why: "x", token: "***" }, redacted: true });
  });

  test("a spy lets the step run, and has both ends of it", async () => {
    const steps = '- setBody: { id: set, constant: after }\n- to: "mock:result"';
    const mocks: ShortMock[] = [
      { stepId: "set", spy: true },
      { uri: "mock:result", spy: true },
    ];
    const { calls } = await run(steps, mocks, { headers: { a: 1 }, properties: { p: [1] } });
    const [set, result] = calls;
    assert.deepEqual(
      [set?.request.body, set?.request.headers, set?.request.properties],
      ["sent", { a: 1 }, { p: [1] }],
    );
    assert.deepEqual([set?.response?.body, set?.error, set?.request.uri], ["after", null, undefined]);
    assert.deepEqual([result?.request.body, result?.request.uri], ["after", "mock:result"]);
    assert.equal(result?.request.properties["CamelToEndpoint"], "mock://result");
  });

  test("an expression does not read the flow's secrets, however it names them", () => {
    const steps = '- to: { uri: "http://erp.test/x?key={{secret:KEY}}" }\n- setBody: { simple: "${properties:open}" }';
    const model = withSecrets(modelOf(routeOf(steps), defaultLimits), catalog, () => "hush-hush");
    const { expressions } = compileFlow(model, defaultLimits);
    assert.ok(JSON.stringify(model).includes("hush-hush"));
    for (const name of [secretMark("KEY"), "KEY", "secret:KEY"]) {
      const text = `\${properties:${name}:none}`;
      const value = expressions.expression({ language: "simple", text, options: {}, at: model.routes[0]?.at as never });
      assert.doesNotMatch(String(value(anExchange())), /hush/, name);
    }
  });

  test("the step limit counts mocked steps", async () => {
    const { error } = await runSteps("- loop: { constant: 1000, steps: [{ setBody: { id: set, constant: x } }] }", {
      ...{ limits: { stepsPerRun: 20 }, sessions: [aSession([{ stepId: "set", ...respond(1) }])] },
    });
    assert.equal(exceptionType(error), "LimitExceededException");
  });

  test("watchers are told which mock, between the step's start and its end", async () => {
    const { traces } = await run(
      crm,
      [
        { uri: "x", spy: true },
        { stepId: "crm", ...respond(1) },
      ],
      { interest: 1 },
    );
    assert.deepEqual(
      traces.map(({ type, stepId, extra }) => [type, stepId, extra]),
      [
        ["step.started", "crm", {}],
        ["step.mocked", "crm", { mock: 1, action: "respond" }],
        ["step.completed", "crm", {}],
      ],
    );
  });
});
