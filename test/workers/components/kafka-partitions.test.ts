/** What a consumer has of a partition, how groups share partitions out, and how requests to a partition are put together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AssignedPartition } from "../../../src/workers/components/kafka/assigned-partition.ts";
import { byTopic, shareOut, without } from "../../../src/workers/connectors/kafka/assignors.ts";
import { kafkaFailure } from "../../../src/workers/connectors/kafka/failure.ts";
import { type Batch, PartitionQueue } from "../../../src/workers/connectors/kafka/partition-queue.ts";
import type { InRecord } from "../../../src/workers/connectors/kafka/records.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";

const record = (offset: number): InRecord => ({
  offset: BigInt(offset),
  timestamp: 0n,
  key: null,
  value: null,
  headers: [],
});

/** Without a confirmation of two commits its next record waits. */
function partition(...offsets: readonly number[]): AssignedPartition {
  const made = new AssignedPartition(
    { topic: "t", partition: 0 },
    {},
    { window: 1, unconfirmedCommits: 2, unconfirmedRecords: 32 },
  );
  made.begin(BigInt(offsets[0] ?? 0));
  const next = BigInt((offsets.at(-1) ?? -1) + 1);
  made.receive(offsets.map(record), next, next);
  made.sent = BigInt(offsets[0] ?? 0);
  return made;
}

test("a position moves when a record is done, over gaps, and not before", () => {
  const one = partition(5, 6, 9);
  assert.equal(one.lag, 5);
  const taken = one.take(1);
  assert.equal(one.isReady, false);
  assert.equal(one.uncommitted, undefined);
  one.finish(taken, true);
  assert.equal(one.uncommitted, 6n);
  one.finish(one.take(1), true);
  assert.equal(one.uncommitted, 9n);
  one.finish(one.take(1), true);
  assert.equal(one.uncommitted, 10n);
  assert.equal(one.lag, 0);
  assert.equal(one.wantsRecords, true);
});

test("a record waits while commits before it are not confirmed, and a failed one is sent again", () => {
  const one = partition(0, 1, 2, 3);
  const sends = (): ReturnType<AssignedPartition["send"]> => {
    one.finish(one.take(1), true);
    return one.send(one.uncommitted ?? -1n);
  };
  const first = sends();
  assert.equal(one.isReady, true);
  const second = sends();
  assert.equal(one.isReady, false);
  one.unsend(first);
  assert.equal(one.uncommitted, undefined, "the later one is still under way");
  one.unsend(second);
  assert.equal(one.uncommitted, 2n);
  assert.equal(one.isReady, false);
  one.confirm(one.send(2n));
  assert.equal(one.isReady, true);
  one.confirm(second);
  assert.deepEqual([one.committed, one.uncommitted], [2n, undefined]);
});

test("a record that comes back is the next one, and what was not counted is not committed", () => {
  const one = partition(0, 1);
  one.putBack(one.take(1));
  assert.equal(one.take(1)[0]?.offset, 0n);
  one.finish([record(0)], false);
  assert.equal(one.uncommitted, undefined);
  one.receive([], 2n, 2n);
  assert.equal(one.uncommitted, undefined);
  one.finish(one.take(1), true);
  assert.equal(one.uncommitted, 2n);
});

test("a partition that is let go of waits for its run, and does not commit what waits", async () => {
  const one = partition(0, 1, 2);
  const taken = one.take(1);
  const closed = one.close();
  assert.equal(one.isReady, false);
  one.receive([record(3)], 4n, 4n);
  one.finish(taken, true);
  await closed;
  assert.equal(one.uncommitted, 1n);
  one.fenced = true;
  assert.equal(one.uncommitted, undefined);
});

test("a partition that is let go of while a record comes back does not commit it", async () => {
  const one = partition(0, 1);
  const taken = one.take(1);
  const closed = one.close();
  one.putBack(taken);
  await closed;
  assert.equal(one.uncommitted, undefined);
});

const members = [
  { memberId: "b", instanceId: null, topics: ["x", "y"] },
  { memberId: "a", instanceId: null, topics: ["x"] },
  { memberId: "z", instanceId: "1", topics: ["x", "y"] },
];
const counts = new Map([
  ["x", 4],
  ["y", 2],
]);

test("partitions are shared out as Java's assignors do it", () => {
  const list = (shares: ReturnType<typeof shareOut>) =>
    Object.fromEntries(
      [...shares].map(([id, some]) => [id, some.map(({ topic, partition }) => `${topic}${partition}`).join()]),
    );
  // Members with an id of their own come first.
  assert.deepEqual(list(shareOut("range", members, counts)), { z: "x0,x1,y0", a: "x2", b: "x3,y1" });
  assert.deepEqual(list(shareOut("roundrobin", members, counts)), {
    z: "x0,x3,y1",
    a: "x1",
    b: "x2,y0",
  });
});

test("partitions by topic, and those that are not among others", () => {
  const all = [0, 1].map((one) => ({ topic: "x", partition: one }));
  assert.deepEqual(byTopic([...all, { topic: "y", partition: 3 }]), [
    { topic: "x", partitions: [0, 1] },
    { topic: "y", partitions: [3] },
  ]);
  assert.deepEqual(without(all, [{ topic: "x", partition: 0 }]), [{ topic: "x", partition: 1 }]);
});

const out = (text: string) => ({
  ...{ topic: "t", partition: 0, key: null, headers: [], timestamp: undefined },
  value: Buffer.from(text),
});
const forEver = new AbortController().signal;

test("records that come while a request is under way go together in the next one, with the numbers behind it", async () => {
  const sent: { readonly values: readonly string[]; readonly sequence: number }[] = [];
  const producer = { producerId: 7n, producerEpoch: 0 };
  const queue = new PartitionQueue({ requestBytes: 1000, lingerMs: 0 }, async (batch: Batch) => {
    const { sequence } = await batch.number(() => Promise.resolve(producer));
    sent.push({ values: batch.records.map(({ value }) => String(value)), sequence });
    return { topic: "t", partition: 0, offset: BigInt(10 * sent.length), timestamp: -1n };
  });
  const first = queue.add(out("a"), forEver);
  const others = first.then(() => Promise.all([queue.add(out("b"), forEver), queue.add(out("c"), forEver)]));
  assert.equal((await first).offset, 10n);
  assert.deepEqual(
    (await others).map(({ offset }) => offset),
    [20n, 21n],
  );
  assert.deepEqual(sent, [
    { values: ["a"], sequence: 0 },
    { values: ["b", "c"], sequence: 1 },
  ]);
});

test("a record that the broker refuses fails alone, and one that nobody waits for is not sent", async () => {
  const sent: string[][] = [];
  const queue = new PartitionQueue({ requestBytes: 1000, lingerMs: 0 }, (batch: Batch) => {
    const values = batch.records.map(({ value }) => String(value));
    sent.push(values);
    if (values.includes("large"))
      return Promise.reject(new FlowException("org.apache.kafka.common.errors.RecordTooLargeException", "too large"));
    return Promise.resolve({ topic: "t", partition: 0, offset: 0n, timestamp: -1n });
  });
  const gone = new AbortController();
  gone.abort(new Error("over"));
  const results = await Promise.allSettled([
    queue.add(out("a"), forEver),
    queue.add(out("large"), forEver),
    queue.add(out("gone"), gone.signal),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected"],
  );
  assert.deepEqual(sent, [["a", "large"], ["a"], ["large"]]);
});

test("failures have the class that Camel's users know", () => {
  const named = (apiId: string): string => kafkaFailure("", Object.assign(new Error("x"), { apiId })).type;
  assert.equal(named("MESSAGE_TOO_LARGE"), "org.apache.kafka.common.errors.RecordTooLargeException");
  assert.equal(named("NOT_LEADER_OR_FOLLOWER"), "org.apache.kafka.common.errors.NotLeaderOrFollowerException");
  assert.equal(named("INVALID_TOPIC_EXCEPTION"), "org.apache.kafka.common.errors.InvalidTopicException");
  const lost = kafkaFailure(
    "here",
    new AggregateError([new Error("Connection failed.", { cause: new Error("ECONNREFUSED") })]),
  );
  assert.equal(lost.message, "here: Connection failed: ECONNREFUSED");
  assert.equal(lost.type, "org.apache.kafka.common.errors.DisconnectException");
});
