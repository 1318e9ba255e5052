/** Messages that share a channel: their order, and what becomes of them when the server refuses one and closes the channel. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outgoing, RabbitChannel } from "../../../../src/workers/connectors/rabbitmq/channel.ts";
import { channelFailure } from "../../../../src/workers/connectors/rabbitmq/failure.ts";
import { PipelinedPublisher } from "../../../../src/workers/connectors/rabbitmq/pipelined-publisher.ts";
import { turn } from "../../../support/clock.ts";

const outgoing = (routingKey: string): Outgoing => ({
  ...{ exchange: "", routingKey, mandatory: false, properties: {}, content: new Uint8Array() },
});
const signal = new AbortController().signal;
const refusal = (code: string): Error => channelFailure(Object.assign(new Error(code), { code }));

function server() {
  const seen: string[] = [];
  let isLost = false;
  let unconfirmed: { readonly key: string; readonly fate: PromiseWithResolvers<void> }[] = [];
  let channel = { isOpen: false };
  const openPublisher = async (): Promise<RabbitChannel> => {
    const opened = {
      isOpen: true,
      publish({ routingKey: key }: Outgoing): Promise<void> {
        seen.push(key);
        const fate = Promise.withResolvers<void>();
        unconfirmed.push({ key, fate });
        return fate.promise;
      },
      close: async () => {},
    };
    channel = opened;
    return opened as unknown as RabbitChannel;
  };
  const pipeline = new PipelinedPublisher({
    openPublisher,
    async withPublisher(_signal, use) {
      const publish = async ({ routingKey }: Outgoing): Promise<void> => {
        seen.push(`alone ${routingKey}`);
        await turn();
        if (routingKey === "refused") throw refusal("NOT_FOUND");
      };
      return await use({ publish } as unknown as RabbitChannel);
    },
    isLost: () => isLost,
  });
  return {
    ...{ seen, pipeline },
    publish: (key: string) => pipeline.publish(outgoing(key), signal, () => seen.push(`${key} is published`)),
    confirm: (key: string) => unconfirmed.find((one) => one.key === key)?.fate.resolve(),
    deny: (key: string) => unconfirmed.find((one) => one.key === key)?.fate.reject(refusal("NACK")),
    /** The failure names the first message, whichever was refused. */
    closeChannel(lost = false) {
      isLost = lost;
      channel.isOpen = false;
      for (const { fate } of unconfirmed) fate.reject(refusal("CH_CLOSE"));
      unconfirmed = [];
    },
  };
}

const outcomes = async (sent: readonly Promise<void>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(sent)).map(({ status }) => status);

test("messages are published in their order, before the one ahead is confirmed; a nack concerns one", async () => {
  const { seen, publish, confirm, deny, pipeline } = server();
  const ended = outcomes(["a", "b", "c"].map(publish));
  await turn();
  assert.deepEqual(seen, ["a", "a is published", "b", "b is published", "c", "c is published"]);
  let isKnown = false;
  const known = pipeline.known().then(() => {
    isKnown = true;
  });
  confirm("c");
  deny("b");
  await turn();
  assert.equal(isKnown, false);
  confirm("a");
  await known;
  assert.deepEqual(await ended, ["fulfilled", "rejected", "fulfilled"]);
});

test("when the channel is closed, each is sent again alone, in order, and ahead of what comes later", async () => {
  const { seen, publish, confirm, closeChannel } = server();
  const sent = ["a", "refused", "b"].map(publish);
  await turn();
  seen.length = 0;
  closeChannel();
  const later = publish("later");
  assert.deepEqual(await outcomes(sent), ["fulfilled", "rejected", "fulfilled"]);
  await turn();
  assert.deepEqual(seen, ["alone a", "alone refused", "alone b", "later", "later is published"]);
  confirm("later");
  await later;
});

test("when the connection is lost, none is sent again", async () => {
  const { seen, publish, closeChannel } = server();
  const sent = ["a", "b"].map(publish);
  await turn();
  seen.length = 0;
  closeChannel(true);
  assert.deepEqual(await outcomes(sent), ["rejected", "rejected"]);
  assert.deepEqual(seen, []);
});
