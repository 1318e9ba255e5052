/** Several records of a partition under way at once, with a real broker: their order, and what runs again behind a send that the broker refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { waitingMessages } from "../../support/failed-messages.ts";
import { missing } from "../missing.ts";
import { startKafkaApp, startKafkaFor } from "./kafka-app.ts";

const patience = 60_000;
const count = 400;
/** The record that the broker refuses, since it is larger than its topic allows. */
const refusedAt = 200;
const mostBytes = 2000;

test("a window of records: each arrives in its order, and behind a refused send all run again", {
  skip: missing("Kafka"),
}, async (t) => {
  const { server, tester } = await startKafkaFor(t);
  const app = await startKafkaApp(t, server);

  /** Resolves with the numbers that arrive when one record is refused, and with how many runs were withdrawn. */
  const moved = async (id: string, options: string, steps: string) => {
    await tester.create(`${id}-in`);
    await tester.create(`${id}-out`, 1, { "max.message.bytes": String(mostBytes) });
    const text = (number: number): string => `${number} ${"x".repeat(number === refusedAt ? 2 * mostBytes : 10)}`;
    await tester.send(
      `${id}-in`,
      Array.from({ length: count }, (_, number) => ({ value: text(number) })),
    );
    const from = `{ uri: "kafka:${id}-in", parameters: { groupId: ${id}, autoOffsetReset: earliest${options} }, steps: [${steps}] }`;
    const answer = await app.put(id, `- route: { id: ${id}, from: ${from} }\n`);
    assert.ok(answer.ok, await answer.text());
    await eventually(async () => (await tester.lag(`${id}-in`, id)) === 0, "all is committed", patience);
    const records = await tester.read(`${id}-out`);
    const runs = (await (await app.api(`/runs?flowId=${id}&status=cancelled&limit=100`)).json()) as unknown[];
    return { numbers: records.map(({ value }) => Number(String(value).split(" ")[0])), withdrawn: runs.length };
  };
  const all = Array.from({ length: count }, (_, number) => number).filter((number) => number !== refusedAt);
  const to = (id: string): string => `{ to: "kafka:${id}-out" }`;

  await t.test("with a window", async () => {
    const { numbers, withdrawn } = await moved("wide", "", to("wide"));
    assert.deepEqual([...new Set(numbers)], all);
    assert.deepEqual(numbers.slice(0, refusedAt), all.slice(0, refusedAt));
    // What was doubled stood behind it.
    const doubled = numbers.length - all.length;
    assert.ok(doubled >= 0 && doubled < 32, `${doubled} were doubled`);
    assert.ok(doubled <= withdrawn, `${doubled} were doubled, and ${withdrawn} runs withdrawn`);
    const failed = await waitingMessages(app, 1);
    assert.equal(failed.length, 1);
  });

  await t.test("with window 1, or a redelivery, nothing comes twice", async () => {
    const { numbers, withdrawn } = await moved("narrow", ", window: 1", to("narrow"));
    assert.deepEqual(numbers, all);
    assert.equal(withdrawn, 0);
    const caught = `{ doTry: { steps: [${to("caught")}], doCatch: [{ exception: [java.lang.Exception], steps: [{ log: no }] }] } }`;
    const tried = await moved("caught", "", caught);
    assert.deepEqual(tried.numbers, all);
    assert.equal(tried.withdrawn, 0);
  });
});
