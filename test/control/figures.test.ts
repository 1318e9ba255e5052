/** Figures of routes and of the endpoints that they call: in the scrape and in the flow's document, wherever its threads are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowDetail } from "../../src/control/flows/flow-service.ts";
import type { Isolation } from "../../src/shared/protocol.ts";
import { eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

/** Samples of the flow by what they measure, and labels without the flow's. */
async function samples(app: TestApp, flowId: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await app.api("/metrics")).text();
  const own = [...text.matchAll(new RegExp(`^bulkhead_(\\w+)\\{flow="${flowId}",?([^}]*)\\} (\\S+)$`, "gm"))];
  return new Map(own.map(([, name, labels, value]) => [`${name} ${labels}`, Number(value)]));
}

async function usageOf(app: TestApp, flowId: string): Promise<FlowDetail["usage"]> {
  return ((await (await app.api(`/flows/${flowId}`)).json()) as FlowDetail).usage;
}

const deadLetters = (uri: string): string =>
  `- errorHandler: { deadLetterChannel: { deadLetterUri: "${uri}", redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 0 } } }\n`;
const plain = { "Content-Type": "text/plain" };
const places: readonly Isolation[] = ["thread", "process"];

for (const isolation of places) {
  test(`calls, retries and dead letters are counted by route and endpoint, in a ${isolation}`, async (t) => {
    const server = await startHttpServer(t, (request, response) => {
      response.statusCode = request.body === "bad" ? 500 : 200;
      response.end("ok");
    });
    const app = await startTestApp(t, { egressAllow: server.host, isolation });
    const flow = (answer: string): string =>
      deadLetters("direct:dead") +
      webhook(
        "post",
        `to: "http://user:pass@${server.host}/a?connectTimeout=3000"`,
        `setBody: { constant: ${answer} }`,
      ) +
      webhook("ask", `toD: "${server.url}/\${body}"`) +
      direct("dead", "dead", 'log: "dead"');
    assert.equal((await app.put("f", flow("first"))).status, 201);
    for (const body of ["good", "bad"]) await app.post("/api/post", body, plain);
    await app.post("/api/ask", "good", plain);
    const url = `http://${server.host}`;
    const counted = await usageOf(app, "f");
    assert.equal(counted.routes["post"]?.runs.completed, 2);
    assert.equal(counted.routes["post"]?.retries, 2);
    assert.equal(counted.routes["post"]?.deadLetters, 1);
    assert.equal(counted.routes["post"]?.handledFailures, 1);
    assert.equal(counted.routes["ask"]?.retries, 0);
    assert.deepEqual(counted.endpoints, {
      "direct:dead": { ok: 1, failed: 0, retries: 0 },
      [url]: { ok: 1, failed: 3, retries: 2 },
      dynamic: { ok: 1, failed: 0, retries: 0 },
    });

    // What the threads before have counted goes on, in other threads, and other routes have gone.
    await app.put("f", flow("second").replaceAll("ask", "query"), {}, "?drainMs=5000");
    await app.post("/api/post", "bad", plain);
    const scraped = await samples(app, "f");
    assert.equal(scraped.get('route_runs_total route="post",status="completed"'), 3);
    assert.equal(scraped.get('route_runs_total route="query",status="failed"'), 0);
    assert.equal(scraped.get('route_retries_total route="post"'), 4);
    assert.equal(scraped.get('route_dead_letters_total route="post"'), 2);
    assert.equal(scraped.get('route_dead_letters_total route="dead"'), 0);
    assert.equal(scraped.get(`endpoint_calls_total endpoint="${url}",outcome="failed"`), 6);
    assert.equal(scraped.get(`endpoint_retries_total endpoint="${url}"`), 4);
  });
}

test("groups, breakers and repeated messages are counted as they are now", async (t) => {
  const app = await startTestApp(t);
  const bean =
    "- beans: [{ name: seen, type: org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository }]\n";
  const breaker = `circuitBreaker: { resilience4jConfiguration: { minimumNumberOfCalls: 1, slidingWindowSize: 1 }, steps: [{ throwException: { exceptionType: a.B, message: no } }], onFallback: { steps: [{ log: no }] } }`;
  const aggregate = `aggregate: { correlationExpression: { simple: "\${body}" }, completionSize: 2, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy" }`;
  const once = `idempotentConsumer: { simple: "\${body}", idempotentRepository: "#seen" }`;
  const logs = Array.from({ length: 22 }, (_, i) => `to: "log:l${i}"`);
  await app.put("f", bean + webhook("r", once, aggregate, breaker) + webhook("many", ...logs));
  const before = (await usageOf(app, "f")).routes["r"];
  assert.deepEqual([before?.openAggregations, before?.breakers], [0, { closed: 1, open: 0, halfOpen: 0 }]);

  for (const body of ["a", "b", "c", "a"]) await app.post("/api/r", body, plain);
  const after = (await usageOf(app, "f")).routes["r"];
  assert.equal(after?.idempotentHits, 1);
  assert.equal(after?.openAggregations, 2);
  // The breaker's fallback answers each, whether the breaker is open or not.
  assert.equal(after?.handledFailures, 4);
  assert.deepEqual(after?.breakers, { closed: 0, open: 1, halfOpen: 0 });
  await app.post("/api/many", "x", plain);
  const scraped = await samples(app, "f");
  assert.equal(scraped.get('route_open_aggregations route="r"'), 2);
  assert.equal(scraped.get('route_breakers route="r",state="open"'), 1);
  assert.equal(scraped.get('route_idempotent_hits_total route="r"'), 1);
  assert.equal(scraped.get('endpoint_calls_total endpoint="log:l19",outcome="ok"'), 1);
  assert.equal(scraped.get('endpoint_calls_total endpoint="log:l20",outcome="ok"'), undefined);
  assert.equal(scraped.get('endpoint_calls_total endpoint="other",outcome="ok"'), 2);

  // The state of a thread is gone with it; groups are not the thread's.
  await app.put("f", bean + webhook("r", once, "log: new", aggregate, breaker), {}, "?drainMs=5000");
  const anew = await eventually(async () => {
    const { r } = (await usageOf(app, "f")).routes;
    return r?.openAggregations === 2 ? r : undefined;
  }, "the groups go on");
  assert.deepEqual(anew.breakers, { closed: 1, open: 0, halfOpen: 0 });
  assert.equal(anew.idempotentHits, 1);
});
