/** The next messages of a queue or a durable subscription, which are looked at and stay where they are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { type AmqpApp, startAmqpApp, until } from "./amqp-app.ts";
import { connectionTo } from "./amqp-connector.ts";
import { startMovingBroker } from "./moving-broker.ts";

interface Peeked {
  readonly at: string | null;
  readonly body: string;
  readonly bodyType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly unreadable: string | null;
}

/** A route that is not started, and writes what it takes into the queue `seen.ID`; and a webhook that starts and stops it. */
function stopped(id: string, uri: string, parameters = "concurrentConsumers: 1"): string {
  const text = "${body}|${header.JMSXDeliveryCount}|${header.JMSRedelivered}";
  const to = `{ to: { uri: "jms:queue:seen.${id}", parameters: { disableReplyTo: true } } }`;
  return withControl(id, uri, parameters, `{ setBody: { simple: "${text}" } }, ${to}`);
}

function withControl(id: string, uri: string, parameters: string, steps: string): string {
  return `- route: { id: ${id}, autoStartup: false, from: { uri: "${uri}", parameters: { ${parameters} }, steps: [${steps}] } }
- route: { id: ${id}-control, from: { uri: webhook, steps: [{ toD: "controlbus:route?routeId=${id}&action=\${body}" }] } }\n`;
}

async function peek({ app }: AmqpApp, id: string, limit = 50): Promise<readonly Peeked[]> {
  const answer = await app.api(`/flows/${id}/routes/${id}/messages?limit=${limit}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Peeked[];
}

async function refused({ app }: Pick<AmqpApp, "app">, id: string): Promise<string> {
  const answer = await app.api(`/flows/${id}/routes/${id}/messages`);
  assert.equal(answer.headers.get("x-error-code"), "not_peekable");
  return ((await answer.json()) as { error: string }).error;
}

async function control({ app }: Pick<AmqpApp, "app">, id: string, action: "start" | "stop"): Promise<void> {
  const answer = await app.post(`/api/${id}-control`, action, { "Content-Type": "text/plain" });
  assert.ok(answer.ok, await answer.text());
}

const bodies = (messages: readonly Peeked[]): readonly string[] => messages.map(({ body }) => body);

test("messages of a broker are looked at and stay", { skip: missing("Artemis") }, async (t) => {
  const all = await startAmqpApp(t, { limits: { messageBodyBytes: 200_000 } });
  const { server, deploy, send } = all;

  await t.test(
    "those of a queue in their order, as many as asked for, and they are delivered as if nobody had looked",
    async () => {
      const texts = ["m0", "m1", "m2", "m3"];
      for (const value of texts)
        await send("inbox", {
          properties: { messageId: `ID:${value}`, subject: "order" },
          application: { mine: "yes" },
          body: { section: "value", value },
        });
      await deploy("taker", stopped("taker", "jms:queue:inbox"));
      const [first, ...more] = await peek(all, "taker", 3);
      assert.deepEqual(bodies(more), ["m1", "m2"]);
      const { JMSMessageID, JMSType, JMSDestination, mine } = first?.headers ?? {};
      assert.deepEqual(
        { ...first, headers: { JMSMessageID, JMSType, JMSDestination, mine } },
        {
          ...{ at: null, body: "m0", bodyType: "String", unreadable: null },
          headers: { JMSMessageID: "ID:m0", JMSType: "order", JMSDestination: "queue://inbox", mine: "yes" },
        },
      );
      for (let look = 0; look < 12; look++) assert.deepEqual(bodies(await peek(all, "taker")), texts);
      assert.equal(await server.count("inbox"), 4);
      assert.equal(await server.consumers("inbox"), 0);
      await control(all, "taker", "start");
      await until("all are taken", async () => (await server.count("seen.taker")) === 4);
      assert.deepEqual(
        await server.texts("seen.taker"),
        texts.map((text) => `${text}|1|false`),
      );
      assert.deepEqual(await peek(all, "taker"), []);
    },
  );

  await t.test("but not those that are under way", async () => {
    const steps = `steps: [{ log: "took \${body}" }, { delay: { constant: 600000 } }]`;
    await deploy("busy", `- route: { id: busy, from: { uri: "jms:queue:busy", ${steps} } }\n`);
    for (const text of ["b0", "b1", "b2"]) await send("busy", text);
    await until("the first is under way", () => all.app.logs.some(({ message }) => message === "took b0"));
    assert.deepEqual(bodies(await peek(all, "busy")), ["b1", "b2"]);
  });

  await t.test("those alone that the selector chooses", async () => {
    for (const country of ["DE", "FR", "DE"])
      await send("chosen", { application: { country }, body: { section: "value", value: country } });
    await deploy("chooser", stopped("chooser", "amqp:queue:chosen", `selector: "country = 'FR'"`));
    assert.deepEqual(bodies(await peek(all, "chooser")), ["FR"]);
    assert.equal(await server.count("chosen"), 3);
  });

  await t.test("fewer when they are large, and one that the route could not read with the reason", async () => {
    await deploy("large", stopped("large", "jms:queue:large"));
    await send("large", "x".repeat(300_000));
    await send("large", {
      properties: { messageId: "ID:object", contentType: "application/x-java-serialized-object" },
      body: { section: "data", bytes: Uint8Array.of(1) },
    });
    for (const letter of ["a", "b", "c"]) await send("large", letter.repeat(120_000));
    const [tooLarge, object, ...rest] = await peek(all, "large");
    assert.match(tooLarge?.unreadable ?? "", /larger than the limit messageBodyBytes/);
    assert.match(object?.unreadable ?? "", /an object of Java, which is not read/);
    assert.equal(object?.headers["JMSMessageID"], "ID:object");
    assert.deepEqual(
      rest.map(({ body }) => `${body[0]} ${body.endsWith("...")}`),
      ["a true", "b true"],
    );
    assert.equal(await server.count("large"), 5);
  });

  await t.test("those of a topic for a durable subscription alone", async () => {
    await deploy("plain", stopped("plain", "jms:topic:news"));
    assert.match(await refused(all, "plain"), /^route 'plain': a topic keeps no messages for this consumer/);
    const queues = ["me.mine", "shared:global"];
    let subscribed = 0;
    const subscriptions = [
      ["durable", "clientId: me, subscriptionDurable: true, subscriptionName: mine"],
      ["shared", "subscriptionShared: true, subscriptionDurable: true"],
    ] as const;
    for (const [id, parameters] of subscriptions) {
      await deploy(id, stopped(id, "jms:topic:news", parameters));
      assert.match(await refused(all, id), /start the route, and look again$/);
      assert.deepEqual(
        (await server.queues()).filter((name) => queues.includes(name)),
        queues.slice(0, subscribed++),
      );
      await control(all, id, "start");
      await until("it listens", async () => (await server.consumers(queues[subscribed - 1] ?? "")) === 1);
    }
    const listening = async (count: number): Promise<void> =>
      await until(`${count} listen`, async () => {
        const counts = await Promise.all(queues.map((queue) => server.consumers(queue)));
        return counts.every((one) => one === count);
      });
    // Also while the consumer is there, whose id no second connection may have.
    for (const [id] of subscriptions) assert.deepEqual(await peek(all, id), []);
    for (const [id] of subscriptions) await control(all, id, "stop");
    await listening(0);
    for (const text of ["one", "two"]) await send("news", text, { type: "topic" });
    for (const [id] of subscriptions) {
      assert.deepEqual(bodies(await peek(all, id)), ["one", "two"]);
      await control(all, id, "start");
      await until("both are taken", async () => (await server.count(`seen.${id}`)) === 2);
      assert.deepEqual(await server.texts(`seen.${id}`), ["one|1|false", "two|1|false"]);
    }
  });

  await t.test("a connection whose only place the consumer has is the reason", async () => {
    await putConnection(all.app, "narrow", connectionTo(server, { flows: ["*"], maxConnections: 1 }));
    const from = `uri: "jms:queue:narrow", parameters: { connectionFactory: "#narrow" }`;
    await deploy("narrow", `- route: { id: narrow, from: { ${from}, steps: [{ log: x }] } }\n`);
    await until("it listens", async () => (await server.consumers("narrow")) === 1);
    assert.match(
      await refused(all, "narrow"),
      /no connection to the broker was free within .*: raise its maxConnections/,
    );
  });

  await t.test("a broker that does not answer is the reason", async () => {
    await server.process.stop("SIGKILL");
    assert.match(await refused(all, "chooser"), /^route 'chooser': .*127\.0\.0\.1/);
  });
});

test("a broker that would deliver its messages to whoever looks is not asked for any, and one without addresses of subscriptions says so", async (t) => {
  const broker = await startMovingBroker("other-broker");
  t.after(() => broker.close());
  const app = await startTestApp(t, { egressAllow: `127.0.0.1:${broker.port}` });
  const url = `brokerURL: "amqp://127.0.0.1:${broker.port}", username: u, password: p`;
  const deploy = async (id: string, uri: string, parameters: string): Promise<void> => {
    const answer = await app.put(id, withControl(id, uri, parameters, "{ log: x }"));
    assert.ok(answer.ok, await answer.text());
  };
  await deploy("moving", "jms:queue:orders", url);
  assert.match(await refused({ app }, "moving"), /the broker does not let messages be looked at/);
  assert.equal(broker.credit, 0);
  await deploy("topic", "jms:topic:news", `${url}, subscriptionDurable: true, clientId: c`);
  await control({ app }, "topic", "start");
  const reason = await eventually(async () => {
    const found = await refused({ app }, "topic");
    return found.includes("start the route") ? undefined : found;
  }, "the subscription is known to be there");
  assert.match(reason, /can be looked at in Artemis alone, and this is other-broker/);
});
