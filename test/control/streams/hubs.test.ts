/** The trace hub's interest word and bodies, and the log hub's numbering. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, mock, test } from "node:test";
import { LogHub, type NumberedLogEvent } from "../../../src/control/streams/log-hub.ts";
import { TraceHub } from "../../../src/control/streams/trace-hub.ts";
import { Interest } from "../../../src/shared/protocol.ts";
import type { TraceEvent } from "../../../src/shared/trace-event.ts";
import { limitsWith, type Reader, StreamServer, type Subscribable } from "./stream-client.ts";

const servers: StreamServer[] = [];
afterEach(async () => {
  mock.timers.reset();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(hub: Subscribable): Promise<StreamServer> {
  const server = new StreamServer(hub);
  servers.push(server);
  await server.listen();
  return server;
}

async function leave(server: StreamServer, index: number, reader: Reader): Promise<void> {
  const response = server.responses[index];
  assert.ok(response);
  const closed = once(response, "close");
  reader.drop();
  await closed;
}

const preview = (body: string) => ({ headers: { a: "1" }, body, bodyType: "String" });
const event: TraceEvent = {
  type: "step.completed",
  ts: "2026-01-01T00:00:00.000Z",
  flowId: "f",
  runId: "r",
  stepId: "s",
  in: preview("i".repeat(10)),
  out: preview("ä".repeat(5000)),
};

const { trace, preview: previewBit, full } = Interest;

test("nobody watches: no interest, and what is published all the same is not kept", async () => {
  const hub = new TraceHub(limitsWith({}));
  const word = new Int32Array(hub.interest);
  assert.equal(word[0], 0);
  assert.equal(hub.watched, false);
  hub.publish(event);
  const server = await serve(hub);
  const reader = await server.open("?replay=10");
  assert.equal(((await reader.next()).data as { seq: number }).seq, 0);
  assert.equal(word[0], trace);
  assert.equal(hub.watched, true);
});

test("interest outlives the last subscriber for the time to reconnect in, then a new epoch begins", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const hub = new TraceHub(limitsWith({ streamLingerMs: 30_000 }));
  const word = new Int32Array(hub.interest);
  const server = await serve(hub);
  const first = await server.open("?body=preview");
  await first.next();
  assert.equal(word[0], trace | previewBit);
  hub.publish(event);
  const seen = (await first.next()).id ?? "";
  await leave(server, 0, first);
  assert.equal(hub.subscriberCount, 0);

  mock.timers.tick(29_999);
  assert.equal(word[0], trace | previewBit);
  hub.publish({ ...event, runId: "missed" });
  const second = await server.open("?body=preview", { "Last-Event-ID": seen });
  await second.until(() => second.received.length === 2);
  assert.equal((second.received[1]?.data as TraceEvent).runId, "missed");

  mock.timers.tick(60_000);
  assert.equal(word[0], trace | previewBit);
  await leave(server, 1, second);
  mock.timers.tick(30_000);
  assert.equal(word[0], 0);
  assert.equal(hub.watched, false);

  const third = await server.open("", { "Last-Event-ID": seen });
  await third.until(() => third.received.length === 2);
  assert.deepEqual(third.gaps, [{ from: 1, to: 0, count: 0, reason: "resume_gap" }]);
  hub.publish(event);
  await third.until(() => third.seqs.length === 1);
  assert.deepEqual(third.seqs, [1]);
});

test("bits for bodies are set while somebody asks for them, and linger on their own", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const hub = new TraceHub(limitsWith({}));
  const word = new Int32Array(hub.interest);
  const server = await serve(hub);
  await server.open();
  assert.equal(word[0], trace);
  const reader = await server.open("?body=full");
  assert.equal(word[0], trace | previewBit | full);
  await leave(server, 1, reader);
  mock.timers.tick(30_000);
  assert.equal(word[0], trace);
});

test("each reader gets as much of the bodies as it asked for", async () => {
  const hub = new TraceHub(limitsWith({ previewBytes: 100 }));
  const server = await serve(hub);
  const readers = [await server.open(), await server.open("?body=preview"), await server.open("?body=full")];
  for (const reader of readers) await reader.next();
  hub.publish(event);
  const [none, some, all] = await Promise.all(readers.map(async (reader) => (await reader.next()).data as TraceEvent));
  assert.deepEqual(all, event);
  assert.deepEqual([none?.in, none?.out], [undefined, undefined]);
  assert.equal(none?.stepId, "s");
  assert.deepEqual(some?.in, event.in);
  assert.equal(some?.out?.body, `${"ä".repeat(48)}…`);
  assert.ok(Buffer.byteLength(some?.out?.body ?? "") <= 100);
});

test("log events are numbered once, for the sink and for the stream alike, whether or not anybody reads", async () => {
  const written: NumberedLogEvent[] = [];
  const hub = new LogHub({ write: (line) => written.push(line) }, limitsWith({}));
  hub.log({ ts: "2026-01-01T00:00:00.000Z", level: "INFO", message: "hello", logger: "r1", flowId: "f", runId: "r" });
  hub.runtime("WARN", "killed", { flowId: "f" });
  const server = await serve(hub);
  const reader = await server.open("?replay=10");
  const [ready, first, second] = await reader.take(3);
  assert.equal((ready?.data as { stream: string }).stream, "log");
  assert.deepEqual([first?.event, first?.data], ["log", sent(written[0])]);
  assert.deepEqual(second?.data, sent(written[1]));
  assert.deepEqual(sent(written[0]), {
    ts: "2026-01-01T00:00:00.000Z",
    seq: 1,
    level: "INFO",
    message: "hello",
    logger: "r1",
    flowId: "f",
    runId: "r",
  });
  const { ts, ...line } = sent(written[1]) as NumberedLogEvent;
  assert.match(ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(line, { seq: 2, level: "WARN", message: "killed", logger: "runtime", flowId: "f" });
});

test("filters apply to the replay and to what follows", async () => {
  const hub = new LogHub({ write() {} }, limitsWith({}));
  const server = await serve(hub);
  hub.runtime("INFO", "one");
  hub.runtime("ERROR", "two");
  const reader = await server.open("?replay=10&level=warn");
  await reader.next();
  hub.runtime("DEBUG", "three");
  hub.runtime("WARN", "four");
  const events = await reader.take(2);
  assert.deepEqual(
    events.map(({ data }) => (data as NumberedLogEvent).message),
    ["two", "four"],
  );
});

test("a query that is not understood is answered before the head", async () => {
  const hub = new TraceHub(limitsWith({}));
  const server = await serve(hub);
  const reader = await server.open("?flow=x");
  assert.equal(reader.res.statusCode, 400);
  assert.equal(reader.res.headers["x-error-code"], "bad_query");
  assert.equal(hub.watched, false);
});

/** As JSON has it: fields without a value are not there. */
function sent(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event));
}
