/** A run against a real server becomes a test session, which replays it when the server is gone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fixture } from "../../src/control/runs/fixture/fixture-document.ts";
import { eventually } from "../support/clock.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const json = { "Content-Type": "application/json" };

async function fixtureOf(app: TestApp, answer: Response): Promise<Fixture> {
  await answer.arrayBuffer();
  const fixture = await app.api(`/runs/${answer.headers.get("x-run-id")}/fixture`);
  assert.equal(fixture.status, 200, await fixture.clone().text());
  return (await fixture.json()) as Fixture;
}

/** Opens a session, begins what it names and closes it. */
async function invokedIn(app: TestApp, session: unknown) {
  const opened = await app.api("/test/session", { method: "POST", headers: json, body: JSON.stringify(session) });
  assert.equal(opened.status, 201, await opened.clone().text());
  const { sessionId } = (await opened.json()) as { sessionId: string };
  const invoked = await app.api("/test/invoke", { method: "POST", headers: json, body: JSON.stringify({ sessionId }) });
  assert.equal(invoked.status, 200, await invoked.clone().text());
  const { runId } = (await invoked.json()) as { runId: string };
  const closed = await app.api(`/test/session/${sessionId}?waitMs=10000`, { method: "DELETE" });
  assert.equal(closed.status, 200, JSON.stringify(app.logs.slice(-2)));
  const report = (await closed.json()) as { passed: boolean; assertions: { passed: boolean; message: string }[] };
  return { runId, report };
}

async function replay(app: TestApp, fixture: unknown) {
  const { assertions, passed } = (await invokedIn(app, fixture)).report;
  return { passed, failures: assertions.filter((one) => !one.passed).map(({ message }) => message) };
}

test("a fixture of a run against a real server replays with the server gone", async (t) => {
  const server = await startHttpServer(t, ({ url, body }, response) => {
    if (url.startsWith("/customers")) {
      response.setHeader("Content-Type", "application/json");
      response.end('{"name": "Anna", "tags": ["a", "b"]}');
    } else if (url.startsWith("/text")) response.end(`got ${body}`);
    else response.writeHead(404).end('{"reason": "no such order"}');
  });
  const app = await startTestApp(t, { egressAllow: server.host });
  const yaml = `
- onException:
    exception: [org.apache.camel.http.base.HttpOperationFailedException]
    handled: { constant: "true" }
    steps:
      - setBody: { simple: "\${header.customer}: \${exception.statusCode} \${exception.responseBody}" }
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setProperty: { name: sent, simple: "\${body[sku]} \${body}" }
        - setHeader: { name: CamelHttpMethod, constant: GET }
        - to: { id: get, uri: "http://${server.host}/customers/7" }
        - setHeader: { name: customer, simple: "\${body[name]} \${body}" }
        - setHeader: { name: CamelHttpMethod, constant: POST }
        - setBody: { simple: "order \${exchangeProperty.sent}" }
        - to: { id: post, uri: "http://${server.host}/text" }
        - log: "\${body}"
        - toD: { id: missing, uri: "http://${server.host}/orders/\${header.number}" }
`;
  const put = await app.put("shop", yaml, { limits: { record: "all" } });
  assert.equal(put.status, 201, await put.text());
  const answer = await app.post("/api/orders", '{"sku": "A1"}', { ...json, number: "17" });
  const text = await answer.clone().text();
  assert.equal(text, 'Anna {"name": "Anna", "tags": ["a", "b"]}: 404 {"reason": "no such order"}');
  assert.equal(server.heard.length, 3);

  const fixture = await fixtureOf(app, answer);
  assert.deepEqual(fixture.replaceFrom, { orders: "direct:replay-orders" });
  assert.equal(fixture.invoke.body, '{"sku": "A1"}', "as it was written, since the flow makes text of it");
  assert.equal(fixture.invoke.headers["number"], "17");
  assert.equal(fixture.invoke.headers["host"] ?? fixture.invoke.headers["Host"], undefined);
  assert.deepEqual(
    fixture.mocks.map((mock) => ("stepId" in mock ? mock.stepId : mock.uri)),
    ["get", "post", "missing"],
  );
  assert.partialDeepStrictEqual(fixture.mocks, [
    { respond: { body: '{"name": "Anna", "tags": ["a", "b"]}' } },
    { respond: { body: 'got order A1 {"sku": "A1"}' } },
    { throw: { statusCode: 404, responseBody: '{"reason": "no such order"}' } },
  ]);

  await server.stop();
  const { failures, passed } = await replay(app, fixture);
  assert.deepEqual(failures, []);
  assert.equal(passed, true);
  assert.equal(server.heard.length, 3);

  const other = { ...fixture, invoke: { ...fixture.invoke, body: { sku: "B2" } } };
  const failed = await replay(app, other);
  assert.equal(failed.passed, false, "the assertions hold for this message only");
});

test("what is not one step's call after the other replays as well, also of a run that was only watched by a session", async (t) => {
  const server = await startHttpServer(t, ({ url, body }, response) => {
    if (url === "/fail") response.statusCode = 500;
    response.end(`${url} got ${body}`);
  });
  const app = await startTestApp(t, { egressAllow: server.host });
  const yaml = `
- errorHandler: { deadLetterChannel: { deadLetterUri: "http://${server.host}/dead" } }
- route:
    id: parts
    from:
      uri: direct:parts
      steps:
        - wireTap: { id: tap, uri: "http://${server.host}/tap" }
        - to: { id: queue, uri: "seda:later?waitForTaskToComplete=Never" }
        - split:
            tokenize: ","
            parallelProcessing: true
            aggregationStrategy: "#class:org.apache.camel.processor.aggregate.StringAggregationStrategy"
            steps:
              - to: { id: part, uri: "http://${server.host}/part" }
        - recipientList: { id: list, constant: "http://${server.host}/a,direct:inner" }
        - to: { id: kept, uri: "http://${server.host}/kept", variableReceive: answer }
        - setBody: { simple: "\${body} and \${variable.answer}" }
        - to: { id: failing, uri: "http://${server.host}/fail" }
- route:
    id: inner
    from: { uri: "direct:inner", steps: [{ to: { id: inside, uri: "http://${server.host}/inner" } }] }
- route:
    id: later
    from: { uri: "seda:later", steps: [{ to: { id: late, uri: "http://${server.host}/late" } }] }
`;
  const put = await app.put("parts", yaml, { limits: { record: "off" } });
  assert.equal(put.status, 201, await put.text());
  const invoke = { endpoint: "direct:parts", body: "x,y,z" };
  const watching = { flowId: "parts", scope: "session", mocks: [{ stepId: "part", spy: true }], invoke };
  const { runId } = await invokedIn(app, watching);
  const calls = 1 + 1 + 3 + 2 + 1 + 2;
  await eventually(() => server.heard.length === calls, "all calls were made");
  await eventually(async () => {
    const runs = (await (await app.api("/runs?flowId=parts")).json()) as { status: string }[];
    return runs.every(({ status }) => status === "completed");
  }, "all runs are over");
  await server.stop();

  const fixture = (await (await app.api(`/runs/${runId}/fixture`)).json()) as Fixture;
  assert.deepEqual(
    new Set(fixture.mocks.map((mock) => ("stepId" in mock ? mock.stepId : mock.uri))),
    new Set(["tap", "part", "list", "late", "failing", `http://${server.host}/kept`, `http://${server.host}/dead`]),
  );
  assert.equal(fixture.replaceFrom, undefined);
  const { failures, passed } = await replay(app, fixture);
  assert.deepEqual(failures, []);
  assert.equal(passed, true);
  assert.equal(server.heard.length, calls);
});

test("JSON that a flow has marshalled is asserted as JSON, not as bytes", async (t) => {
  const server = await startHttpServer(t, (_request, response) => response.end('{"ok": true}'));
  const app = await startTestApp(t, { egressAllow: server.host });
  const yaml = `
- route:
    id: copy
    from:
      uri: webhook
      steps:
        - unmarshal: { json: {} }
        - marshal: { json: {} }
        - to: { id: post, uri: "http://${server.host}/" }
        - unmarshal: { json: {} }
        - marshal: { json: {} }
`;
  await app.put("copy", yaml, { limits: { record: "all" } });
  const fixture = await fixtureOf(app, await app.post("/api/copy", '{"sku": "A1"}', json));
  assert.deepEqual(fixture.assertions, [
    { mockCalled: { stepId: "post", times: 1, with: { body: { sku: "A1" } } } },
    { result: { status: "completed", body: { ok: true } } },
  ]);
  await server.stop();
  assert.deepEqual(await replay(app, fixture), { passed: true, failures: [] });
});
