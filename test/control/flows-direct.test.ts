/** `direct:` calls from flow to flow (docs/api.md 4): groups, new deployments, missing targets, depth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

test("direct calls cross flows of a group, find a new deployment at each call, and fail clearly without one", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "caller",
    webhook(
      "c",
      "setHeader: { name: h, constant: sent }",
      "to: direct:callee",
      'setBody: { simple: "${body}/${header.h}/${variable.v}" }',
    ),
  );
  const missing = await app.post("/api/c", "x");
  assert.equal(missing.status, 500);
  const failed = (await (await app.api(`/runs/${missing.headers.get("x-run-id")}`)).json()) as {
    error: { type: string };
  };
  assert.match(failed.error.type, /DirectConsumerNotAvailableException/);

  const callee = (text: string): string =>
    direct(
      "callee",
      "callee",
      `setBody: { simple: "${text} \${body} \${header.h}" }`,
      "setHeader: { name: h, constant: back }",
      "setVariable: { name: v, constant: kept }",
    );
  await app.put("callee-flow", callee("one"));
  const answer = await app.post("/api/c", "x");
  assert.equal(await answer.text(), "one x sent/back/kept");
  const runs = (await (await app.api("/runs?routeId=callee")).json()) as { parentRunId: string }[];
  assert.equal(runs[0]?.parentRunId, answer.headers.get("x-run-id"));
  await app.put("callee-flow", callee("two"));
  assert.match(await (await app.post("/api/c", "x")).text(), /^two x/);
});

test("the error of a call, the log and health say why a target cannot be called: nobody has it, it is stopped, or has failed", async (t) => {
  const app = await startTestApp(t);
  await app.put("caller", webhook("c", "to: { id: call, uri: direct:callee }"));
  const found = async (): Promise<string[]> => {
    const answer = await app.post("/api/c", "x");
    assert.equal(answer.status, 500);
    const run = await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json();
    const { message } = (run as { error: { message: string } }).error;
    assert.ok(
      app.logs.some((line) => line.flowId === "caller" && line.message.endsWith(message)),
      message,
    );
    const health = (await (await app.api("/health")).json()) as {
      status: string;
      problems: { code: string; flowId: string; message: string }[];
    };
    const [problem] = health.problems.filter(({ code }) => code === "target_missing");
    assert.deepEqual([problem?.flowId, problem?.message.endsWith(message)], ["caller", true], message);
    return [health.status, message];
  };
  assert.deepEqual(await found(), [
    "UP",
    "no deployed flow without a group consumes 'direct:callee', and none elsewhere shares it",
  ]);
  const consumer = direct("callee", "callee", "log: x");
  await app.put("b", consumer);
  assert.equal((await app.post("/api/c", "x")).status, 200);
  await app.api("/flows/b/stop", { method: "POST" });
  assert.equal(
    (await found())[1],
    "'direct:callee' cannot be called: the flow 'b', which consumes it, is stopped: start it",
  );
  await app.close();

  const broken = { "b.yaml": consumer.replace("log: x", "lgo: x"), "caller.yaml": webhook("c", "to: direct:callee") };
  const second = await startTestApp(t, { files: broken });
  const answer = await second.post("/api/c", "x");
  const run = await (await second.api(`/runs/${answer.headers.get("x-run-id")}`)).json();
  assert.match(
    (run as { error: { message: string } }).error.message,
    /consumes 'direct:callee'.*; it may be in a flow that could not be loaded: 'b'$/,
  );
});

test("a deployment, alone or in a set, and a validation warn of a target only as long as no flow consumes it", async (t) => {
  const app = await startTestApp(t);
  const headers = { "Content-Type": "application/json" };
  const codes = (found: readonly { readonly code: string }[]): string[] => found.map(({ code }) => code);
  const sent = async (yaml: string): Promise<string[][]> => {
    const body = JSON.stringify({ yaml });
    const validated = await app.api("/flows/caller/validate", { method: "POST", headers, body });
    const { diagnostics } = (await validated.json()) as { diagnostics: { code: string }[] };
    const { warnings } = (await (await app.put("caller", yaml)).json()) as { warnings: { code: string }[] };
    return [codes(diagnostics), codes(warnings)];
  };
  assert.deepEqual(await sent(webhook("c", "to: direct:callee")), [["external_direct"], ["external_direct"]]);
  await app.put("b", direct("callee", "callee", "log: x"));
  assert.deepEqual(await sent(webhook("c", "to: direct:callee", "log: anew")), [[], []]);
  const flows = [
    { id: "x", yaml: webhook("x", "to: direct:y", "to: direct:callee") },
    { id: "y", yaml: direct("y", "y", "to: direct:nobody") },
  ];
  const set = await app.api("/deployments", { method: "POST", headers, body: JSON.stringify({ flows }) });
  const answer = (await set.json()) as { flows: { id: string; warnings: { code: string }[] }[] };
  assert.deepEqual(
    answer.flows.map(({ id, warnings }) => [id, codes(warnings)]),
    [
      ["y", ["external_direct"]],
      ["x", []],
    ],
  );
});

test("groups do not see each other's direct names unless they are shared", async (t) => {
  const app = await startTestApp(t);
  await app.put("a.caller", webhook("c", "to: direct:name"));
  await app.put("b.own", direct("b1", "name", 'setBody: { constant: "of b" }'));
  assert.equal((await app.post("/api/c", "x")).status, 500);
  await app.put("b.own", direct("b1", "name?shared=true", 'setBody: { constant: "of b" }'));
  assert.equal(await (await app.post("/api/c", "x")).text(), "of b");
  assert.equal((await app.put("b.other", direct("b2", "name", 'log: "x"'))).status, 409);
});

test("a circle of direct calls over flows ends at the depth limit", async (t) => {
  const app = await startTestApp(t);
  await app.put("ping", `${webhook("start", "to: direct:pong")}${direct("ping", "ping", "to: direct:pong")}`);
  await app.put("pong", direct("pong", "pong", "to: direct:ping"));
  const answer = await app.post("/api/start", "x");
  assert.equal(answer.status, 500);
  const run = (await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json()) as {
    error: { message: string };
  };
  assert.match(run.error.message, /64 deep/);
});

test("JSON in a header, a property or a variable is JSON in the flow that is called, and back", async (t) => {
  const app = await startTestApp(t);
  const groupedBody = "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy";
  const shown =
    "setBody: { simple: '${header.node}|${exchangeProperty.text}|${variable.map}|${header.node[a]}|${body}' }";
  await app.put(
    "caller",
    webhook(
      "c",
      'setHeader: { name: node, jq: "{a: [.n]}" }',
      'setProperty: { name: text, simple: "${body}" }',
      "unmarshal: { json: {} }",
      'setVariable: { name: map, simple: "${body}" }',
      'setBody: { simple: "${list(1,2)}" }',
      `split: { simple: "\${body}", aggregationStrategy: "${groupedBody}", steps: [{ setBody: { simple: "\${exchangeProperty.text}" } }] }`,
      "to: direct:callee",
      'setHeader: { name: Seen, simple: "${body}" }',
      shown,
    ),
  );
  await app.put("callee-flow", direct("callee", "callee", shown));
  const answer = await app.post("/api/c", '{ "n": 1 }', { "Content-Type": "application/json" });
  const expected = '{"a":[1]}|{ "n": 1 }|{n=1}|[1]|';
  const list = '[{ "n": 1 }, { "n": 1 }]';
  assert.deepEqual(
    [answer.headers.get("seen"), await answer.text()],
    [`${expected}${list}`, `${expected}${expected}${list}`],
  );
});
