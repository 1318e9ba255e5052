/** The example of docs/connectors/rabbitmq.md as it stands there, the kamelets, beans, and trials of connections. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { cert } from "../../support/localhost-cert.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { blockOf } from "../page-block.ts";
import { putConnection } from "../sql/connection-document.ts";
import { connectionTo, startBroker } from "./broker.ts";

test("RabbitMQ", { skip: missing("RabbitMQ") }, async (t) => {
  const broker = await startBroker();
  t.after(() => broker.close());
  const { host, port, tlsPort, username, password, virtualHost } = broker.server;
  const secrets = { "_connections/MQ": password, "_connections/WRONG": "not-the-password", "_shared/MQ": password };
  const app = await startTestApp(t, { secrets, egressAllow: `${host}:${port}`, limits: { outboundConnectMs: 5000 } });
  const until = (what: string, ready: () => Promise<boolean>): Promise<unknown> =>
    eventually(async () => ((await ready().catch(() => false)) ? true : undefined), what, 60_000);
  const put = async (id: string, yaml: string): Promise<void> => {
    const answer = await app.put(id, yaml);
    assert.ok(answer.ok, await answer.text());
  };
  const post = (path: string, body: string): Promise<Response> =>
    app.post(`/api/${path}`, body, { "Content-Type": "text/plain" });

  await t.test("the example of the page bills an order, and buries the one that nobody pays", async () => {
    const { servers, database, username: user } = connectionTo(broker);
    const document = JSON.parse(blockOf("rabbitmq", "json")) as Record<string, unknown>;
    await putConnection(app, "shop", { ...document, servers, database, username: user });
    await broker.declare("invoices");
    await put("order-in", blockOf("rabbitmq", "yaml"));
    await until("the consumer is there", async () => (await broker.ready("billing.dead")) === 0);
    await until("the first order is billed", async () => {
      assert.equal(await (await post("order-in", "order 1")).text(), "accepted");
      return (await broker.take("invoices"))?.body === "order 1";
    });
    await post("order-in", "unpaid order 2");
    await until("it is a dead letter", async () => (await broker.ready("billing.dead")) === 1);
    await app.api("/flows/order-in", { method: "DELETE" });
  });

  await t.test("what the kamelets and a bean send they receive", async () => {
    const own = `host: ${host}, port: ${port}, username: ${username}, password: "{{secret:MQ}}", vhost: ${virtualHost}, exchangeName: letters, routingKey: k`;
    const old = `addresses: "${host}:${port}", username: ${username}, password: "{{secret:MQ}}", vhost: ${virtualHost}, exchangeName: default, queue: kamelets`;
    const factory = `- beans: [{ name: cf, type: org.springframework.amqp.rabbit.connection.CachingConnectionFactory,
      properties: { uri: "amqp://${host}:${port}", virtualHost: ${virtualHost}, username: ${username}, password: "{{secret:MQ}}" } }]`;
    await put(
      "from-new",
      `- route: { id: from-new, from: { uri: kamelet:spring-rabbitmq-source, parameters: { ${own}, queues: kamelets, autoDeclare: true }, steps: [{ log: "new \${body}" }] } }`,
    );
    await put(
      "to-new",
      `- route: { id: to-new, from: { uri: webhook, steps: [{ setExchangePattern: InOnly }, { to: { uri: kamelet:spring-rabbitmq-sink, parameters: { ${own} } } }] } }`,
    );
    await put(
      "to-bean",
      `${factory}\n- route: { id: to-bean, from: { uri: webhook, steps: [{ to: { uri: "spring-rabbitmq:letters?routingKey=k&connectionFactory=#cf", pattern: InOnly } }] } }`,
    );
    const heard = (line: string) => async (): Promise<boolean> => app.logs.some(({ message }) => message === line);
    await until(
      "the kamelets reach each other",
      async () => (await post("to-new", "a")).ok && (await heard("new a")()),
    );
    assert.equal((await post("to-bean", "b")).status, 200);
    await until("the bean's message comes", heard("new b"));
    await app.api("/flows/from-new", { method: "DELETE" });
    await broker.send({ routingKey: "kamelets", body: "c" });
    const passive = "- route: { id: from-old, from: { uri: kamelet:rabbitmq-source, parameters: { ";
    await broker.remove("kamelets");
    await put("from-old", `${passive}${old} }, steps: [{ log: "old \${body}" }] } }`);
    await until("the old kamelet consumes", async () => {
      await broker.send({ routingKey: "kamelets", body: "d" });
      return await heard("old d")();
    });
  });

  await t.test("a trial reports the server's version and encryption, and what is wrong", async () => {
    const trial = async (more: Readonly<Record<string, unknown>>) => {
      await putConnection(app, "tried", connectionTo(broker, { flows: ["*"], ...more }));
      return (await (await app.api("/connections/tried/test", { method: "POST" })).json()) as Record<string, string>;
    };
    assert.match((await trial({}))["serverVersion"] ?? "", /^RabbitMQ \d+\.\d+/);
    const encrypted = { servers: [`${host}:${tlsPort}`], tls: { ca: cert, serverName: "localhost" } };
    assert.match((await trial(encrypted))["tls"] ?? "", /^TLSv1\.[23]$/);
    for (const [more, expected] of [
      [{ passwordRef: "WRONG" }, /ACCESS_REFUSED - Login was refused/],
      [{ database: "nowhere" }, /NOT_ALLOWED - .*vhost nowhere not found|vhost 'nowhere' not found/],
      [{ servers: [`${host}:${tlsPort}`], tls: {} }, /self-signed certificate|unable to verify/],
      [{ servers: [`${host}:${tlsPort}`], tls: { ca: cert, serverName: "other.example.org" } }, /other\.example\.org/],
      [{ servers: [`${host}:${port}`], tls: {} }, /wrong version number|packet length|SSL|closed/i],
    ] as const)
      assert.match((await trial(more))["error"] ?? "", expected);
  });
});
