/** The client's event streams: events and gaps of a runtime, and a server that drops the connection in every way. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type BulkheadClient, createClient, type StreamMessage, type TraceEvent } from "../../src/client/index.ts";
import type { TraceEvent as OwnTraceEvent } from "../../src/shared/trace-event.ts";
import { onNextTurn } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp, token } from "../support/start-app.ts";

/** What the runtime sends is what the client has types for. */
export const sameEvents: (event: OwnTraceEvent) => unknown = (event) => event satisfies Loosely<TraceEvent>;
type Loosely<T> = { readonly [Name in keyof T]: Deep<T[Name]> | undefined };
type Deep<T> = T extends object ? { readonly [Name in keyof T]: Deep<T[Name]> | undefined } : T;

test("a runtime's traces and logs: ready, then events with their ids", async (t) => {
  const app = await startTestApp(t);
  const bulkhead = createClient({ url: app.url, token });
  await app.put("greet", answering("greet", "hi"));
  const types: string[] = [];
  for await (const message of bulkhead.trace({ flowId: "greet", type: ["run.*"] })) {
    if (message.kind === "ready") await app.post("/api/greet");
    if (message.kind !== "event") continue;
    types.push(message.event.type);
    assert.match(message.id, /^\w+-\d+$/);
    if (message.event.type === "run.completed") break;
  }
  assert.deepEqual(types, ["run.started", "run.completed"]);
  for await (const message of bulkhead.logs({ flowId: "greet", replay: "10" })) {
    if (message.kind !== "event") continue;
    assert.equal(message.event.logger, "runtime");
    break;
  }
});

test("a refused stream rejects with the code of the API, and one that nobody serves with UnreachableError", async (t) => {
  const { url } = await startTestApp(t);
  const first = (bulkhead: BulkheadClient, query = {}) => bulkhead.trace(query).next();
  await assert.rejects(first(createClient({ url, token: "wrong" })), { name: "ApiError", code: "unauthorized" });
  await assert.rejects(first(createClient({ url, token }), { sample: "2" }), { name: "ApiError", code: "bad_query" });
  await assert.rejects(first(createClient({ url: "http://127.0.0.1:9" })), { name: "UnreachableError" });
});

type Connection = (res: ServerResponse, req: IncomingMessage) => void;

/** A server whose connections behave as `connections` has them, one after the other. */
async function serving(t: TestContext, connections: readonly Connection[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    const next = connections[asked.length] ?? (() => res.destroy());
    asked.push(req.headers["last-event-id"] as string | undefined);
    next(res, req);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, bulkhead: createClient({ url, token: "a" }) };
}

const head = { "Content-Type": "text/event-stream" };
const event = (id: string): string =>
  `id: ${id}\nevent: trace\ndata: {"type":"run.started","flowId":"a","ts":"${id}"}\n\n`;
const ready = (seq: number): string => `retry: 1\nevent: ready\ndata: {"stream":"trace","epoch":"e","seq":${seq}}\n\n`;

/** Takes messages until one of this event has come. */
async function until(stream: AsyncGenerator<StreamMessage<TraceEvent>>, id: string) {
  const kinds: string[] = [];
  for await (const message of stream) {
    kinds.push(message.kind === "event" ? message.id : message.kind);
    if (message.kind === "event" && message.id === id) break;
  }
  return kinds;
}

test("a lost connection goes on behind the last event: when it breaks, is ended, or is refused for a while", async (t) => {
  const { asked, bulkhead } = await serving(t, [
    (res) => res.writeHead(200, head).end(`${ready(7)}: heartbeat\n\n`),
    (res) => {
      res.writeHead(200, head).write(`${ready(8)}${event("e-8")}id: e-9\nevent: tra`);
      onNextTurn(() => res.destroy());
    },
    (res) => res.writeHead(503, { "X-Error-Code": "draining" }).end('{"error":"the runtime is shutting down"}'),
    (res) => res.destroy(),
    (res) => {
      const gap = 'event: dropped\ndata: {"from":9,"to":12,"count":4,"reason":"resume_gap"}\n\n';
      res.writeHead(200, head).end(`${ready(12)}${gap}${event("f-13")}`);
    },
  ]);
  assert.deepEqual(await until(bulkhead.trace(), "f-13"), [
    ...["ready", "lost"],
    ...["ready", "e-8", "lost", "lost", "lost"],
    ...["ready", "dropped", "f-13"],
  ]);
  assert.deepEqual(asked, [undefined, "e-7", "e-8", "e-8", "e-8"]);
});

test("an id that was kept is where a new reader begins", async (t) => {
  const { asked, bulkhead } = await serving(t, [(res) => res.writeHead(200, head).end(ready(9) + event("e-5"))]);
  assert.deepEqual(await until(bulkhead.trace({}, { lastEventId: "e-4" }), "e-5"), ["ready", "e-5"]);
  assert.deepEqual(asked, ["e-4"]);
});

test("a refusal that does not pass ends the stream, later too, and says why", async (t) => {
  const { bulkhead } = await serving(t, [
    (res) => res.writeHead(200, head).end(ready(1)),
    (res) => res.writeHead(401, { "X-Error-Code": "unauthorized" }).end('{"error":"who?"}'),
  ]);
  await assert.rejects(until(bulkhead.trace(), "e-2"), { name: "ApiError", code: "unauthorized", message: "who?" });
});

test("without reconnect the stream ends with its connection; an answer that is no stream is refused", async (t) => {
  const { bulkhead } = await serving(t, [
    (res) => res.writeHead(200, head).end(ready(1)),
    (res) => {
      res.writeHead(200, head).write(ready(1));
      onNextTurn(() => res.destroy());
    },
    (res) => res.writeHead(200, { "Content-Type": "application/json" }).end("{}"),
  ]);
  assert.deepEqual(await until(bulkhead.trace({}, { reconnect: false }), "e-2"), ["ready"]);
  await assert.rejects(until(bulkhead.trace({}, { reconnect: false }), "e-2"), { name: "UnreachableError" });
  await assert.rejects(bulkhead.trace().next(), { message: /something other than an event stream/ });
});

test("leaving the loop and aborting the signal close the connection", async (t) => {
  const closed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const open =
    (at: 0 | 1): Connection =>
    (res) => {
      res.writeHead(200, head).write(ready(1));
      res.once("close", () => closed[at].resolve());
    };
  const { bulkhead } = await serving(t, [open(0), open(1)]);
  for await (const message of bulkhead.trace()) if (message.kind === "ready") break;
  await closed[0].promise;
  const stop = new AbortController();
  for await (const message of bulkhead.logs({}, { signal: stop.signal })) if (message.kind === "ready") stop.abort();
  await closed[1].promise;
});

test("a stream that is aborted while it waits for the next attempt ends at once", async (t) => {
  const { bulkhead } = await serving(t, [
    (res) => res.writeHead(200, head).end(ready(1).replace("retry: 1", "retry: 3600000")),
  ]);
  const stop = new AbortController();
  const kinds: string[] = [];
  for await (const { kind } of bulkhead.trace({}, { signal: stop.signal })) {
    kinds.push(kind);
    if (kind === "lost") onNextTurn(() => stop.abort());
  }
  assert.deepEqual(kinds, ["ready", "lost"]);
});
