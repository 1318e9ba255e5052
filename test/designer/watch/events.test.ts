/** Event streams of the page: against a server that sends events, over the client of the API. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type Batch, type Connection, eventStreams } from "../../../designer/web/src/api/streams/event-streams.ts";
import { createClient, type LogEvent } from "../../../src/client/index.ts";

async function startServer(t: TestContext, begin: (answer: ServerResponse, connection: number) => void) {
  const asked: (string | undefined)[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.headers["last-event-id"] as string | undefined);
    closed.push(once(answer, "close"));
    begin(answer, asked.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { client: createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }), asked, closed };
}

function open(answer: ServerResponse): void {
  answer.writeHead(200, { "Content-Type": "text/event-stream" });
  answer.write('retry: 10\nevent: ready\ndata: {"stream":"log","epoch":"e","seq":0}\n\n');
}

function send(answer: ServerResponse, from: number, to: number): void {
  let text = "";
  for (let seq = from; seq <= to; seq += 1) text += `id: e-${seq}\nevent: log\ndata: {"seq":${seq},"message":"m"}\n\n`;
  answer.write(text);
}

/** A follower that resolves once `enough` holds for the numbers that have come. */
function follower(enough: (seqs: readonly number[], dropped: number) => boolean) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seqs: number[] = [];
  const batches: Batch<LogEvent>[] = [];
  const connections: Connection["kind"][] = [];
  let dropped = 0;
  return {
    done: promise,
    ...{ seqs, batches, connections },
    onBatch: (batch: Batch<LogEvent>) => {
      batches.push(batch);
      dropped += batch.dropped;
      seqs.push(...batch.events.map(({ seq }) => seq));
      if (enough(seqs, dropped)) resolve();
    },
    onConnection: ({ kind }: Connection) => void connections.push(kind),
  };
}

test("two followers of an address share one connection, which is closed with the last of them", async (t) => {
  let answer: ServerResponse | undefined;
  const { client, asked, closed } = await startServer(t, (one) => {
    answer = one;
    open(one);
    send(one, 1, 3);
  });
  const streams = eventStreams();
  const [one, two] = [follower((seqs) => seqs.includes(3)), follower((seqs) => seqs.includes(4))];
  const endOne = streams.follow({ address: "logs", open: (signal) => client.logs({}, { signal }) }, one);
  const endTwo = streams.follow({ address: "logs", open: (signal) => client.logs({}, { signal }) }, two);
  await one.done;
  endOne();
  send(answer as ServerResponse, 4, 4);
  await two.done;
  assert.deepEqual([one.seqs, two.seqs, asked.length], [[1, 2, 3], [1, 2, 3, 4], 1]);
  endTwo();
  await closed[0];
});

test("a lost connection is resumed behind the last event, by its id", async (t) => {
  const { client, asked } = await startServer(t, (answer, connection) => {
    open(answer);
    send(answer, connection === 1 ? 1 : 3, connection === 1 ? 2 : 3);
    if (connection === 1) answer.end();
  });
  const one = follower((seqs) => seqs.includes(3));
  const end = eventStreams().follow({ address: "logs", open: (signal) => client.logs({}, { signal }) }, one);
  await one.done;
  end();
  assert.deepEqual(
    [one.seqs, asked],
    [
      [1, 2, 3],
      [undefined, "e-2"],
    ],
  );
  assert.deepEqual(one.connections, ["connecting", "open", "lost", "open"]);
});

test("a follower gets a batch when it is ready; beyond the bound the oldest are dropped and counted, for it alone", async (t) => {
  let answer: ServerResponse | undefined;
  const { client } = await startServer(t, (one) => {
    answer = one;
    open(one);
    send(one, 1, 10);
  });
  const goOn = (): void => {
    send(answer as ServerResponse, 11, 1000);
    answer?.write('event: dropped\ndata: {"from":1001,"to":1005,"count":5,"reason":"slow_consumer"}\n\n');
  };
  const streams = eventStreams({ mostWaiting: 100 });
  const logs = { address: "logs", open: (signal: AbortSignal) => client.logs({}, { signal }) };
  const quick = follower((seqs, dropped) => seqs.length + dropped === 1005);
  const slow = follower((seqs, dropped) => seqs.length + dropped === 1005);
  let isOne = true;
  const ends = [
    streams.follow(logs, {
      async onBatch(batch) {
        assert.ok(isOne, "a batch comes before the one before it is settled");
        isOne = false;
        slow.onBatch(batch);
        if (slow.batches.length === 1) goOn();
        await quick.done;
        isOne = true;
      },
    }),
    streams.follow(logs, quick),
  ];
  await Promise.all([quick.done, slow.done]);
  for (const end of ends) end();
  assert.ok(slow.seqs.length <= 100 * slow.batches.length, `${slow.seqs.length} in ${slow.batches.length} batches`);
  assert.deepEqual([slow.batches.length, slow.seqs.at(-1), quick.seqs.at(-1)], [2, 1000, 1000]);
});

test("one who follows later begins with the last events, as the stream does", async (t) => {
  let answer: ServerResponse | undefined;
  const { client, asked } = await startServer(t, (one) => {
    answer = one;
    open(one);
    send(one, 1, 9);
  });
  const streams = eventStreams();
  const logs = { address: "logs", open: (signal: AbortSignal) => client.logs({}, { signal }), replay: 3 };
  const first = follower((seqs) => seqs.includes(9));
  const later = follower((seqs) => seqs.includes(10));
  const ends = [streams.follow(logs, first)];
  await first.done;
  ends.push(streams.follow(logs, later));
  send(answer as ServerResponse, 10, 10);
  await later.done;
  for (const end of ends) end();
  assert.deepEqual([later.seqs, asked.length], [[7, 8, 9, 10], 1]);
});

test("a refused stream reports the refusal, and is asked for again by the next follower", async (t) => {
  const { client, asked } = await startServer(t, (answer) => {
    answer.writeHead(401, { "Content-Type": "application/json" }).end('{"error":"unauthorized"}');
  });
  const streams = eventStreams();
  for (const attempt of [1, 2]) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const end = streams.follow(
      { address: "logs", open: (signal) => client.logs({}, { signal }) },
      {
        onBatch: () => {},
        onConnection: (connection) => {
          if (connection.kind === "refused") resolve(connection.error);
        },
      },
    );
    assert.match(String(await promise), /unauthorized/);
    assert.equal(asked.length, attempt);
    end();
  }
});
