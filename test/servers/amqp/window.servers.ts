/** Several messages of a queue under way at once, with a real broker: their order, and that of large ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { waitingMessages } from "../../support/failed-messages.ts";
import { missing } from "../missing.ts";
import { startAmqpApp } from "./amqp-app.ts";

const patience = 60_000;
const count = 400;
/** The message that the broker refuses, since nobody may send where it goes. */
const refusedAt = 200;
const all = Array.from({ length: count }, (_, number) => number).filter((number) => number !== refusedAt);

test("Artemis: a window of messages", { skip: missing("Artemis") }, async (t) => {
  const { app, server, client, deploy, send } = await startAmqpApp(t);
  const elsewhere = `{ filter: { simple: "\${body} startsWith '${refusedAt} '", steps: [{ setHeader: { name: CamelJmsDestinationName, constant: forbidden.x } }] } }`;

  /** Resolves with the numbers that arrive. */
  const moved = async (id: string, options: string, texts: readonly string[], arriving: number): Promise<number[]> => {
    await Promise.all(texts.map((text) => send(`${id}-in`, text)));
    const to = `{ to: { uri: "jms:queue:${id}-out", parameters: { exchangePattern: InOnly } } }`;
    const from = `{ uri: "jms:queue:${id}-in", parameters: { ${options} }, steps: [${elsewhere}, ${to}] }`;
    await deploy(id, `- route: { id: ${id}, from: ${from} }\n`);
    await eventually(async () => (await server.count(`${id}-in`)) === 0, "all are taken", patience);
    const arrived: number[] = [];
    const receiver = await client.receive(
      { node: { type: "queue", name: `${id}-out` }, maxBytes: 8_000_000 },
      (delivery) => {
        delivery.settle("accept");
        const { body } = delivery.message ?? {};
        if (body?.section === "value") arrived.push(Number(String(body.value).split(" ")[0]));
      },
      () => {},
    );
    receiver.request(2 * count);
    await eventually(() => arrived.length >= arriving, `${arriving} arrive`, patience);
    await receiver.close();
    return arrived;
  };
  const texts = Array.from({ length: count }, (_, number) => `${number} of a burst`);

  await t.test("each arrives once and in its order, and the refused one fails alone", async () => {
    assert.deepEqual(await moved("wide", "", texts, all.length), all);
    assert.equal((await waitingMessages(app, 1)).length, 1);
  });

  await t.test("window: 1 and transacted: true keep the order, too", async () => {
    assert.deepEqual(await moved("narrow", "window: 1", texts.slice(0, 50), 50), all.slice(0, 50));
    assert.deepEqual(await moved("whole", "transacted: true", texts.slice(0, 50), 50), all.slice(0, 50));
  });

  await t.test("of large messages behind small ones many go back to the broker, and keep their order", async () => {
    const large = Array.from({ length: 64 }, (_, at) => `${count + at} ${"x".repeat(3_000_000)}`);
    const numbers = await moved("large", "", [...texts.slice(0, 100), ...large], 164);
    assert.deepEqual(numbers, [...all.slice(0, 100), ...large.map((_, at) => count + at)]);
  });
});
