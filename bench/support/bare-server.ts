/** What the isolated webhook is measured against: one process, `node:http`, the same work per request and no isolation. */
import { createServer } from "node:http";
import { createLogger } from "../../src/control/log.ts";
import { Metrics } from "../../src/control/runs/metrics.ts";
import { MainLoop } from "../../src/control/runs/process-health.ts";
import { RunHistory } from "../../src/control/runs/run-history.ts";
import { RunRecord } from "../../src/control/runs/run-record.ts";
import { StateCounts } from "../../src/control/state/state-counts.ts";
import { LogHub } from "../../src/control/streams/log-hub.ts";
import { newRunId, randomHex } from "../../src/shared/ids.ts";
import { defaultLimits } from "../../src/shared/limits.ts";

const logs = new LogHub(createLogger("INFO"), defaultLimits);
const history = new RunHistory(defaultLimits);
const metrics = new Metrics({
  flows: () => [],
  standbyThreads: () => 0,
  threads: () => ({ live: 0, standby: 0, stuck: 0 }),
  stats: () => ({ busyThreads: 0, waitingFlows: 0, hosts: [], hostRestarts: 0 }),
  memory: { most: 0, over: false },
  mainLoop: new MainLoop(),
  bytesInFlight: () => 0,
  idempotency: () => ({ size: 0, bytes: 0 }),
  state: () => new StateCounts(),
  denials: () => [],
  embedded: () => [],
  connections: () => [],
  failedMessages: () => [],
  testSessions: () => 0,
  streams: () => [],
});
const owner = {
  flowId: "hello",
  hash: "",
  revision: 1,
  manifest: {
    routes: [],
    steps: [],
    externalDirects: [],
    stateful: false,
    lifecycle: false,
    mappings: [],
    secrets: [],
    network: false,
    files: false,
  },
};
const trigger = { kind: "webhook", uri: "webhook", method: "POST", path: "/api/hello" } as const;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const runId = newRunId();
    const traceId = randomHex(32);
    const record = new RunRecord(owner, "hello", trigger, runId, traceId, null);
    history.open(record);
    const text = Buffer.concat(chunks).toString("utf8");
    const body = JSON.parse(text) as { orderNo: string };
    const began = performance.now();
    logs.log({
      ts: new Date().toISOString(),
      level: "INFO",
      message: `order ${body.orderNo}: ${text}`,
      logger: "hello",
      flowId: "hello",
      routeId: "hello",
      stepId: "log1",
      runId,
      traceId,
    });
    record.timings = [0, 0, performance.now() - began];
    record.stepsExecuted = 1;
    record.status = "completed";
    record.outcome = "ok";
    record.durationMs = performance.now() - record.began;
    record.bytesIn = text.length;
    record.bytesOut = 2;
    record.httpStatus = 200;
    history.close(record);
    metrics.runEnded(record);
    response.writeHead(200, [
      ...["X-Request-Id", runId, "X-Run-Id", runId, "traceparent", `00-${traceId}-${runId.slice(-16)}-01`],
      ...["Content-Type", "text/plain; charset=utf-8", "Content-Length", "2"],
    ]);
    response.end("ok");
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
