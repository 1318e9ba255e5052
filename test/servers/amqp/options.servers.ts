/** Options of the jms component that no other test sets: what each of them changes at a real broker. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AmqpMessage } from "../../../src/workers/connectors/amqp-client.ts";
import { missing } from "../missing.ts";
import { startAmqpApp, until } from "./amqp-app.ts";

const inOnly = "exchangePattern: InOnly";

test("Artemis: options", { skip: missing("Artemis") }, async (t) => {
  const { app, server, flow, take, send, deploy, lastFailure } = await startAmqpApp(t, {}, 2);
  const lines = (id: string): readonly string[] =>
    app.logs
      .filter(({ flowId, message }) => flowId === id && message.startsWith("got "))
      .map(({ message }) => message.slice("got ".length));
  const hears = async (id: string, ...texts: readonly string[]): Promise<void> => {
    await until(`${id} hears ${texts.join()}`, () => texts.every((text) => lines(id).includes(text)));
  };
  const consuming = (id: string, uri: string, more: string, steps = ""): Promise<void> =>
    deploy(
      id,
      `- route: { id: ${id}, from: { uri: "${uri}", parameters: { ${more} }, steps: [{ log: "got \${body}" }${steps}] } }\n`,
    );
  const remove = (id: string): Promise<Response> => app.api(`/flows/${id}`, { method: "DELETE" });

  await t.test("what a message carries", async () => {
    const set = (name: string, value: string): string => `{ setHeader: { name: "${name}", ${value} } }`;
    const before = [
      set("a-b.c", "constant: x"),
      set("JMSXAppID", "constant: app"),
      set("at", `simple: "\${date:millis:1700000000000}"`),
      `{ setBody: { simple: "\${date:now}" } }, { setHeader: { name: when, simple: "\${body}" } }`,
      `{ setBody: { constant: hi } }, { convertBodyTo: { type: "byte[]" } }, { setHeader: { name: raw.one, simple: "\${body}" } }`,
    ].join(", ");
    type Seen = (message: AmqpMessage) => unknown;
    const property =
      (name: string): Seen =>
      ({ application }) =>
        application?.[name];
    const hyphened = "a_HYPHEN_b_DOT_c";
    for (const [at, [more, seen, expected]] of (
      [
        ["jmsKeyFormatStrategy: default", property(hyphened), "x"],
        ["jmsKeyFormatStrategy: passthrough", property("a-b.c"), "x"],
        ["includeAllJMSXProperties: false", property("JMSXAppID"), undefined],
        ["includeAllJMSXProperties: true", property("JMSXAppID"), "app"],
        ["allowAdditionalHeaders: other", property("raw_DOT_one"), undefined],
        ["allowAdditionalHeaders: 'other, raw.*'", property("raw_DOT_one"), Uint8Array.of(104, 105)],
        ["formatDateHeadersToIso8601: false", (one) => isIso(one.application?.["when"]), false],
        ["formatDateHeadersToIso8601: true", (one) => isIso(one.application?.["when"]), true],
        ["messageIdEnabled: true", (one) => one.properties?.messageId?.startsWith("ID:"), true],
        ["messageIdEnabled: false", (one) => one.properties?.messageId, undefined],
        ["messageTimestampEnabled: true", (one) => (one.properties?.creationTime ?? 0) > 0, true],
        ["messageTimestampEnabled: false", (one) => one.properties?.creationTime ?? 0, 0],
      ] as readonly (readonly [string, Seen, unknown])[]
    ).entries()) {
      const id = `carries-${at}`;
      const call = await flow(id, `${before}, { to: { uri: "jms:queue:${id}", parameters: { ${inOnly}, ${more} } } }`);
      assert.equal((await call("x")).status, 200, JSON.stringify(await lastFailure(id)));
      const found = seen(await take(id));
      assert.deepEqual(found instanceof Uint8Array ? Uint8Array.from(found) : found, expected, more);
      await remove(id);
    }
    await send("passed", { application: { a_DOT_b: 7 }, body: { section: "value", value: "x" } });
    const shows = `, { log: "got [\${header[a_DOT_b]}]" }`;
    await consuming("passed", "jms:queue:passed", "jmsKeyFormatStrategy: passthrough", shows);
    await hears("passed", "[7]");
    const ids = `- from: { uri: webhook, steps: [{ to: "jms:x?useMessageIDAsCorrelationID=true&messageIdEnabled=false" }] }`;
    assert.match(await (await app.put("ids", ids)).text(), /needs the id of each message: leave messageIdEnabled out/);
  });

  await t.test("destinationType says what a name without a type is, at both ends", async () => {
    await consuming("typed", "jms:news", "destinationType: topic");
    const call = await flow(
      "to-typed",
      `{ to: { uri: "jms:news", parameters: { ${inOnly}, destinationType: topic } } }`,
    );
    await until("it comes by the topic", async () => {
      await call("tidings");
      return lines("typed").includes("tidings");
    });
    const temporary = `- from: { uri: "jms:x?destinationType=temp-queue", steps: [{ log: a }] }`;
    assert.match(await (await app.put("temporary", temporary)).text(), /a temporary queue belongs to who has made it/);
  });

  await t.test(
    "acknowledgementModeName=SESSION_TRANSACTED gives a failed message back, the others accept it",
    async () => {
      const fails = `, { throwException: { exceptionType: java.io.IOException, message: no } }`;
      for (const [mode, dead] of [
        ["AUTO_ACKNOWLEDGE", 0],
        ["CLIENT_ACKNOWLEDGE", 0],
        ["DUPS_OK_ACKNOWLEDGE", 0],
        ["SESSION_TRANSACTED", 1],
      ] as const) {
        const id = `mode-${mode.toLowerCase()}`;
        await consuming(id, `jms:queue:${id}`, `acknowledgementModeName: ${mode}`, fails);
        await send(id, mode);
        await hears(id, mode);
        await until(`${mode}: it is gone`, async () => (await server.count(id)) === 0);
        await until(`${mode}: ${dead} dead letters`, async () => (await server.count("DLQ")) === dead);
      }
      await server.clear("DLQ");
    },
  );

  await t.test("as many messages are under way as maxConcurrentConsumers and asyncConsumer say", async () => {
    for (const [id, more, count] of [
      ["most", "concurrentConsumers: 2, maxConcurrentConsumers: 3", 3],
      ["async", "asyncConsumer: true", 16],
    ] as const) {
      for (let one = 0; one <= count; one += 1) await send(id, "under way");
      await consuming(id, `jms:queue:${id}`, more, `, { delay: { constant: 600000 } }`);
      await until(`${count} of ${id}`, () => lines(id).filter((line) => line === "under way").length === count);
      await remove(id);
    }
  });

  await t.test("artemisConsumerPriority: the one with the highest number gets the messages", async () => {
    await consuming("lower", "jms:queue:preferred", "artemisConsumerPriority: 1, concurrentConsumers: 8");
    await until("one listens", async () => (await server.consumers("preferred")) === 8);
    await consuming("higher", "jms:queue:preferred", "artemisConsumerPriority: 9, concurrentConsumers: 8");
    await until("it has asked for messages", async () => {
      await send("preferred", "first");
      return lines("higher").includes("first");
    });
    for (const text of ["a", "b", "c", "d"]) await send("preferred", text);
    await hears("higher", "a", "b", "c", "d");
  });

  await t.test("durableSubscriptionName keeps what comes while the flow is away", async () => {
    const deployed = (): Promise<void> =>
      consuming("older", "jms:topic:kept", "durableSubscriptionName: older-name, clientId: keeper");
    const listeners = async (): Promise<number> => {
      const queue = (await server.queues()).find((name) => name.includes("older-name"));
      return queue === undefined ? -1 : await server.consumers(queue);
    };
    await deployed();
    await until("it listens", async () => (await listeners()) === 1);
    await remove("older");
    await until("it is away", async () => (await listeners()) === 0);
    await send("kept", "meanwhile", { type: "topic" });
    await deployed();
    await hears("older", "meanwhile");
  });

  await t.test("replyToSameDestinationAllowed sends a reply to the queue that is consumed, too", async () => {
    for (const [id, allowed, expected] of [
      ["same-not", false, ["asked", "end"]],
      ["same", true, ["asked", "re asked", "end"]],
    ] as const) {
      const steps = `, { filter: { simple: "\${body} == 'asked'", steps: [{ setBody: { constant: "re asked" } }] } }`;
      await consuming(id, `jms:queue:${id}`, `replyToSameDestinationAllowed: ${allowed}`, steps);
      await send(id, { properties: { replyTo: id }, body: { section: "value", value: "asked" } });
      await until("it is answered", async () => lines(id).length > 0 && (await server.count(id)) === 0);
      await send(id, "end");
      await hears(id, ...expected);
      assert.deepEqual(lines(id), expected);
    }
  });

  await t.test("pubSubNoLocal leaves out what the consumer's own connection has sent", async () => {
    for (const [id, noLocal, expected] of [
      ["local", false, ["x", "echo", "end"]],
      ["no-local", true, ["x", "end"]],
    ] as const) {
      const topic = { type: "topic" } as const;
      const echo = `, { filter: { simple: "\${body} == 'x'", steps: [{ setBody: { constant: echo } }, { to: { uri: "jms:topic:${id}", parameters: { ${inOnly} } } }] } }`;
      const before = (await server.queues()).length;
      // What the route sends in its transaction is sent over the consumer's connection.
      await consuming(id, `jms:topic:${id}`, `transacted: true, pubSubNoLocal: ${noLocal}`, echo);
      await until("it listens", async () => (await server.queues()).length > before);
      await send(id, "x", topic);
      await until("its run is over", async () => {
        const runs = (await (await app.api(`/runs?routeId=${id}&status=completed`)).json()) as readonly unknown[];
        return runs.length > 0;
      });
      await send(id, "end", topic);
      await hears(id, ...expected);
      assert.deepEqual(lines(id), expected);
    }
  });

  await t.test("replyCorrelationProperty: replies have their correlation id in a property", async () => {
    const steps = `, { setHeader: { name: answersTo, simple: "\${header.JMSCorrelationID}" } }, { setBody: { simple: "re \${body}" } }`;
    // What it replies has an id of its own.
    await consuming("answers", "jms:queue:asked", "useMessageIDAsCorrelationID: true", steps);
    for (const [id, more] of [
      ["by-temporary", "replyCorrelationProperty: answersTo"],
      ["by-fixed", "replyCorrelationProperty: answersTo, replyTo: fixed-replies"],
    ] as const) {
      const call = await flow(id, `{ to: { uri: "jms:queue:asked", parameters: { ${more} } } }`);
      const answers = await Promise.all(["1", "2", "3"].map((text) => call(text)));
      assert.deepEqual(
        answers.map(({ text }) => text),
        ["re 1", "re 2", "re 3"],
        JSON.stringify(await lastFailure(id)),
      );
    }
  });
});

function isIso(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);
}
