/** What operators see of what flows use: the usage report, the flows' documents, and the metrics tell the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowUsage } from "../../src/control/flows/flow-service.ts";
import type { UsageEntry, UsageReport } from "../../src/control/runs/usage/usage.ts";
import { epochMs, eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

async function usage(app: TestApp, query = ""): Promise<UsageReport> {
  const response = await app.api(`/usage${query}`);
  assert.equal(response.status, 200);
  return (await response.json()) as UsageReport;
}

async function entryOf(app: TestApp, flowId: string): Promise<UsageEntry | undefined> {
  return (await usage(app)).usage.find((entry) => entry.flowId === flowId);
}

async function documentOf(app: TestApp, flowId: string): Promise<FlowUsage> {
  return ((await (await app.api(`/flows/${flowId}`)).json()) as { usage: FlowUsage }).usage;
}

async function metric(app: TestApp, name: string, labels: string): Promise<number> {
  const text = await (await app.api("/metrics")).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name}{${labels}} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}

const burn = 'loop: { constant: 20000, steps: [ { setBody: { simple: "x" } } ] }';

test("what a flow has used is told by flow, by group and in all, over redeploys and after its end", async (t) => {
  const { host } = await startHttpServer(t, (_request, response) => response.end("there"));
  const app = await startTestApp(t, { egressAllow: host, limits: { idleMs: 50 } });
  await app.put("shop.calls", webhook("calls", `to: "http://${host}/"`, `to: "http://${host}/"`));
  await app.put("shop.burns", webhook("burns", burn, 'setBody: { constant: "12345" }'));
  await app.put("alone", answering("alone", "ok"));

  for (let i = 0; i < 3; i += 1) assert.equal((await app.post("/api/calls", "1234567")).status, 200);
  assert.equal((await app.post("/api/burns", "ä")).status, 200);

  const report = await usage(app, "?since=15m");
  assert.equal(report.resolution, "minute");
  assert.ok(Date.parse(report.from) <= Date.parse(report.to));
  assert.deepEqual(
    report.usage.map(({ flowId }) => flowId),
    ["alone", "shop.burns", "shop.calls"],
  );
  const [alone, burns, calls] = report.usage as [UsageEntry, UsageEntry, UsageEntry];
  assert.deepEqual([calls.runs.completed, calls.bytesIn, calls.bytesOut], [3, 21, 15]);
  assert.equal(calls.outboundCalls, 6);
  assert.deepEqual([burns.runs.completed, burns.bytesIn, burns.bytesOut, burns.outboundCalls], [1, 2, 5, 0]);
  assert.ok(burns.cpuMs > 0 && burns.threadSeconds > 0 && burns.peakHeapBytes > 1_000_000, JSON.stringify(burns));
  assert.equal(alone.runs.completed, 0);

  const document = await documentOf(app, "shop.calls");
  assert.deepEqual([document.runs.completed, document.bytesIn, document.outboundCalls], [3, 21, 6]);
  const list = (await (await app.api("/flows?usage=true")).json()) as { id: string; usage?: FlowUsage }[];
  assert.equal(list.find(({ id }) => id === "shop.calls")?.usage?.outboundCalls, 6);
  const plain = await app.api("/flows");
  assert.equal(((await plain.json()) as { usage?: FlowUsage }[])[0]?.usage, undefined);
  assert.ok(plain.headers.has("ETag"));
  assert.equal(await metric(app, "bulkhead_outbound_calls_total", 'flow="shop.calls"'), 6);
  assert.equal(await metric(app, "bulkhead_bytes_in_total", 'flow="shop.calls"'), 21);
  assert.ok((await metric(app, "bulkhead_cpu_seconds_total", 'flow="shop.burns"')) > 0);

  // Their threads go when they are idle, and take nothing with them.
  await eventually(async () => (await documentOf(app, "shop.burns")).threads === 0, "its thread is released");
  const rested = await documentOf(app, "shop.burns");
  assert.ok(rested.cpuMs >= burns.cpuMs, `${rested.cpuMs} of ${burns.cpuMs}`);
  assert.equal(rested.heapBytes, 0);

  await app.put("shop.calls", answering("calls", "else"), {}, "?drainMs=5000");
  await app.post("/api/calls");
  await app.api("/flows/shop.calls", { method: "DELETE" });
  const gone = await entryOf(app, "shop.calls");
  assert.deepEqual([gone?.deleted, gone?.runs.completed, gone?.outboundCalls], [true, 4, 6]);
  assert.ok(Number.isNaN(await metric(app, "bulkhead_outbound_calls_total", 'flow="shop.calls"')));

  const groups = (await usage(app, "?groupBy=group")).usage;
  assert.deepEqual(
    groups.map(({ group, runs }) => [group, runs.completed]),
    [
      ["", 0],
      ["shop", 5],
    ],
  );
  const [all, ...none] = (await usage(app, "?groupBy=none&since=2026-01-01T00:00:00Z")).usage;
  assert.deepEqual([all?.runs.completed, all?.outboundCalls, none], [5, 6, []]);

  for (const query of ["groupBy=tenant", "since=15", "since=-5m", "since=yesterday", "until=1h", "since=1h&since=2h"]) {
    const refused = await app.api(`/usage?${query}`);
    assert.equal(refused.status, 400, query);
    assert.equal(refused.headers.get("X-Error-Code"), "bad_query");
  }
  const { error } = (await (await app.api("/usage?groupBy=tenant")).json()) as { error: string };
  assert.match(error, /flow, group, none/);
});

test("a killed thread leaves its CPU time and its kill in its flow's usage, and health says what is wrong", async (t) => {
  const app = await startTestApp(t, {
    threadEntry: new URL("../support/hostile-worker.ts", import.meta.url),
    limits: { cancelGraceMs: 50, quarantineKills: 1 },
  });
  const limits = { webhookWallMs: 400 };
  await app.put("f", answering("r", "x"), { limits });
  await app.put("native", answering("n", "x"), { limits });
  const before = await documentOf(app, "f");
  const problems = async () =>
    ((await (await app.api("/health")).json()) as { problems: Readonly<Record<string, string>>[] }).problems;
  // The other thread, which is ended at once, may be among them for a moment.
  const stuck = async () =>
    (await problems()).some(({ code, flowId }) => code === "stuck_thread" && flowId === "native");
  const [inLoop, inNativeCode] = await Promise.all([app.post("/api/r", "stuck"), app.post("/api/n", "native")]);
  assert.ok(inLoop.status >= 500 && inNativeCode.status >= 500);
  await eventually(stuck, "the thread in native code is reported");
  assert.match(await (await app.api("/metrics")).text(), /^bulkhead_threads\{state="stuck"\} [12]$/m);

  const after = await documentOf(app, "f");
  assert.equal(after.threads, 0);
  assert.ok(after.cpuMs > before.cpuMs, `${before.cpuMs} -> ${after.cpuMs}`);
  assert.deepEqual(Object.values(after.kills), [1]);
  assert.equal((await entryOf(app, "f"))?.kills, 1);

  const flow = (await (await app.api("/flows/f")).json()) as Readonly<Record<string, unknown>>;
  assert.equal(flow.state, "Quarantined");
  assert.ok(Date.parse(String(flow.quarantinedUntil)) > epochMs());
  assert.match(String((flow.lastKill as { detail: string }).detail), /./);
  const quarantined = (await problems()).find(({ code, flowId }) => code === "quarantined" && flowId === "f");
  assert.ok(Date.parse(String(quarantined?.until)) > epochMs());
  assert.match(String(quarantined?.message), /the last kill \(/);
});
