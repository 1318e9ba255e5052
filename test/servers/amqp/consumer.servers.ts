/** What flows consume of a real broker: headers, bodies, selectors, subscriptions, failures, transactions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { type AmqpApp, startAmqpApp, until } from "./amqp-app.ts";
import { connectionTo } from "./amqp-connector.ts";

/** A consumer that writes an expression of each message into the queue `seen`. */
function seen(id: string, uri: string, parameters: string, text: string, before = ""): string {
  return `- route: { id: ${id}, from: { uri: "${uri}", parameters: { ${parameters} }, steps: [${before} { setBody: { simple: "${text}" } }, { to: { uri: "jms:queue:seen.${id}", parameters: { exchangePattern: InOnly } } }] } }\n`;
}

async function sees({ server }: AmqpApp, id: string, expected: readonly string[]): Promise<void> {
  const texts = await eventually(
    async () => {
      const found = await server.texts(`seen.${id}`);
      return found.length >= expected.length ? found : undefined;
    },
    `${expected.length} messages of ${id}`,
    30_000,
  );
  assert.deepEqual([...texts].sort(), [...expected].sort());
}

test("Artemis: what flows consume", { skip: missing("Artemis") }, async (t) => {
  const all = await startAmqpApp(t, {}, 3);
  const { app, server, send, deploy, take } = all;

  await t.test("headers and bodies are those of the message", async () => {
    await send("in", {
      ...{ priority: 6, ttl: 60_000 },
      properties: {
        messageId: "ID:1",
        correlationId: "c",
        subject: "t",
        groupId: "g",
        replyTo: "r",
        creationTime: 1000,
      },
      application: { a_DOT_b: 7, CamelX: "no" },
      body: { section: "value", value: { k: "v" } },
    });
    const names =
      "JMSMessageID JMSCorrelationID JMSType JMSXGroupID JMSReplyTo JMSTimestamp JMSPriority JMSDeliveryMode JMSRedelivered JMSXDeliveryCount JMSDestination a.b CamelX";
    const text = names.split(" ").map((name) => `\${header[${name}]}`);
    await deploy("headers", seen("headers", "jms:queue:in", "disableReplyTo: true", `${text.join("|")}|\${body[k]}`));
    await sees(all, "headers", ["ID:1|c|t|g|queue://r|1000|6|2|false|1|queue://in|7||v"]);
  });

  await t.test("a selector chooses messages, and the others stay", async () => {
    for (const country of ["DE", "FR"])
      await send("chosen", { application: { country }, body: { section: "value", value: country } });
    await deploy("selector", seen("selector", "jms:queue:chosen", `selector: "country = 'DE'"`, "${body}"));
    await sees(all, "selector", ["DE"]);
    // It is acknowledged behind its run.
    await until("the chosen one is gone", async () => (await server.count("chosen")) < 2);
    assert.equal(await server.count("chosen"), 1);
  });

  await t.test(
    "a failed run's message is accepted without transacted, and goes to the dead letter queue with it",
    async () => {
      const fails = `{ throwException: { exceptionType: java.io.IOException, message: no } },`;
      await deploy("failing", seen("failing", "jms:queue:failing", "transacted: false", "${body}", fails));
      await send("failing", "x");
      await until("it is gone", async () => (await server.count("failing")) === 0);
      assert.equal(await server.count("DLQ"), 0);
      const count = `{ to: { uri: "jms:queue:tries", parameters: { disableReplyTo: true } } }, ${fails}`;
      await deploy("rolled", seen("rolled", "jms:queue:rolled", "transacted: true", "${body}", count));
      await send("rolled", "y");
      await until("it is in the dead letter queue", async () => (await server.count("DLQ")) === 1);
      assert.equal(await server.count("rolled"), 0);
      // What failed runs have sent is undone.
      assert.equal(Math.max(0, await server.count("tries")), 0);
      const [run] = (await (await app.api("/runs?routeId=rolled&limit=10")).json()) as readonly unknown[];
      assert.ok(run);
      await take("DLQ");
    },
  );

  await t.test("a message that cannot be read is a failed run, and the broker gets it back as rejected", async () => {
    await send("objects", {
      properties: { contentType: "application/x-java-serialized-object" },
      body: { section: "data", bytes: Uint8Array.of(1) },
    });
    await deploy("objects", seen("objects", "jms:queue:objects", "concurrentConsumers: 2", "${body}"));
    await until("it is in the dead letter queue", async () => (await server.count("DLQ")) === 1);
    await take("DLQ");
    assert.match(JSON.stringify(await all.lastFailure("objects")), /object of Java, which is not read/);
  });

  await t.test(
    "a topic delivers to all who listen, and keeps messages for durable and shared subscriptions",
    async () => {
      const topic = { type: "topic" } as const;
      await deploy("plain-topic", seen("plain-topic", "jms:topic:news", "concurrentConsumers: 1", "${body}"));
      const durable = seen(
        "durable",
        "jms:topic:news",
        "subscriptionDurable: true, clientId: me, subscriptionName: mine",
        "${body}",
      );
      await deploy("durable", durable);
      const shared = (id: string): string =>
        seen(
          id,
          "jms:topic:news",
          "subscriptionShared: true, subscriptionDurable: true, subscriptionName: us, concurrentConsumers: 2",
          "${body}",
        );
      await deploy("shared", shared("shared"));
      await until("all listen", async () => {
        const queues = await server.queues();
        const counts = await Promise.all(
          queues.filter((name) => /mine|us/.test(name)).map((name) => server.consumers(name)),
        );
        return (
          counts.length === 2 &&
          counts.every((count) => count > 0) &&
          queues.some((name) => /^[0-9a-f-]{36}$/.test(name))
        );
      });
      await send("news", "one", topic);
      for (const id of ["plain-topic", "durable", "shared"]) await sees(all, id, ["one"]);
      for (const id of ["plain-topic", "durable", "shared"]) await app.api(`/flows/${id}`, { method: "DELETE" });
      await until("nobody listens", async () => {
        const queues = (await server.queues()).filter((name) => /mine|us/.test(name));
        return (await Promise.all(queues.map((name) => server.consumers(name)))).every((count) => count === 0);
      });
      await send("news", "two", topic);
      await deploy("durable", durable);
      await deploy("shared", shared("shared"));
      await sees(all, "durable", ["one", "two"]);
      await sees(all, "shared", ["one", "two"]);
    },
  );

  await t.test("a consumer whose connection's document has changed opens another one", async () => {
    await deploy("changing", seen("changing", "jms:queue:changing", "concurrentConsumers: 1", "${body}"));
    await until("it listens", async () => (await server.consumers("changing")) === 1);
    await putConnection(
      app,
      "mq",
      connectionTo(server, { default: true, flows: ["*"], options: { containerId: "other" } }),
    );
    await send("changing", "x");
    await sees(all, "changing", ["x"]);
  });

  await t.test(
    "a queue that is removed under a consumer is reported, and consumed again when it is there",
    async () => {
      await deploy("removed", seen("removed", "jms:queue:removed", "recoveryInterval: 500", "${body}"));
      await until("it listens", async () => (await server.consumers("removed")) === 1);
      await server.destroy("removed");
      await until("it is reported", () => app.logs.some(({ message }) => message.includes("'removed' cannot poll")));
      await until("it listens again", async () => (await server.consumers("removed")) === 1);
      await send("removed", "x");
      await sees(all, "removed", ["x"]);
    },
  );

  await t.test("beans and broker URLs reach the broker as a named connection does", async () => {
    const url = `amqp://127.0.0.1:${server.ports.amqp}`;
    const login = `username: ${server.username}, password: "{{secret:MQ_PASSWORD}}"`;
    const bean = `- beans:
    - { name: inner, type: "#class:org.apache.qpid.jms.JmsConnectionFactory", properties: { remoteURI: "${url}", ${login} } }
    - { name: mine, type: org.messaginghub.pooled.jms.JmsPoolConnectionFactory, properties: { connectionFactory: "#inner", maxConnections: "4" } }
`;
    await deploy("bean", `${bean}${seen("bean", "amqp:queue:by-bean", 'connectionFactory: "#mine"', "${body}")}`);
    await deploy("url", seen("url", "activemq:queue:by-url", `brokerURL: "${url}", ${login}`, "${body}"));
    await send("by-bean", "x");
    await send("by-url", "x");
    await sees(all, "bean", ["x"]);
    await sees(all, "url", ["x"]);
  });
});
