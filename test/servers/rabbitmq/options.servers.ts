/** Options of both components that no other test of RabbitMQ sets: what each of them changes at the server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { startRabbitApp } from "./rabbit-flow.ts";

test("options", { skip: missing("RabbitMQ") }, async (t) => {
  const { app, broker, flow, consumer, remove } = await startRabbitApp(t);
  const lines = (text: string): number => app.logs.filter(({ message }) => message === text).length;
  const until = (what: string, ready: () => Promise<boolean> | boolean): Promise<unknown> =>
    eventually(async () => ((await ready()) ? true : undefined), what, 60_000);
  const ready = (queue: string): Promise<number | "absent"> => broker.ready(queue).catch(() => "absent" as const);

  await t.test("skip: the producer declares all but what it names", async () => {
    const spring = "autoDeclareProducer: true, queues: QUEUE";
    const old = "autoDelete: false, queue: QUEUE";
    const dead = "deadLetterExchange: NAME-dead, deadLetterQueue: DEAD, 'arg.queue.x-message-ttl': 1";
    for (const [at, [scheme, more, failure, queue, deadQueue]] of (
      [
        ["spring-rabbitmq", spring, /^$/, 1, "absent"],
        ["spring-rabbitmq", `${spring}, skipDeclareExchange: true, skipBindQueue: true`, /no exchange/, 0, "absent"],
        ["spring-rabbitmq", `${spring}, skipDeclareQueue: true`, /^$/, "absent", "absent"],
        ["spring-rabbitmq", `${spring}, skipBindQueue: true`, /^$/, 0, "absent"],
        ["rabbitmq", old, /^$/, 1, "absent"],
        ["rabbitmq", `${old}, skipExchangeDeclare: true, skipQueueBind: true`, /no exchange/, 0, "absent"],
        ["rabbitmq", `${old}, skipQueueDeclare: true`, /^$/, "absent", "absent"],
        ["rabbitmq", `${old}, skipQueueBind: true`, /^$/, 0, "absent"],
        ["rabbitmq", `${old}, ${dead}`, /^$/, 0, 1],
        ["rabbitmq", `${old}, ${dead}, skipDlqDeclare: true`, /^$/, 0, "absent"],
      ] as const
    ).entries()) {
      const name = `skip-${at}`;
      const parameters = more.replaceAll("NAME", name).replace("QUEUE", `${name}-q`).replace("DEAD", `${name}-d`);
      const to = `{ to: { uri: "${scheme}:${name}", pattern: InOnly, parameters: { routingKey: k, ${parameters} } } }`;
      const send = await flow(name, to);
      assert.match((await send("x")).failure, failure, parameters);
      // A dead letter expires first.
      await until(`${parameters}: ${queue} in the queue`, async () => (await ready(`${name}-q`)) === queue);
      await until(`${parameters}: ${deadQueue} dead letters`, async () => (await ready(`${name}-d`)) === deadQueue);
      await remove(name);
    }
  });

  await t.test("a consumer declares all of it, whatever a producer would leave out", async () => {
    const skips = "skipDeclareExchange: true, skipDeclareQueue: true, skipBindQueue: true";
    await consumer(
      "all",
      `uri: "spring-rabbitmq:all", parameters: { queues: all, routingKey: k, ${skips} }`,
      `{ log: all }`,
    );
    await until("it is bound", async () => {
      await broker.send({ exchange: "all", routingKey: "k", body: "x" }).catch(() => {});
      return lines("all") > 0;
    });
    await remove("all");
    const skipping = `queue: none, autoDelete: false, skipQueueDeclare: true`;
    await consumer("none", `uri: "rabbitmq:all", parameters: { ${skipping} }`, `{ log: none }`);
    await until("a consumer of rabbitmq leaves it out", () =>
      app.logs.some(({ message }) => /'none' cannot poll: .*NOT_FOUND - no queue 'none'/.test(message)),
    );
    await remove("none");
  });

  await t.test(
    "as many messages are under way as maxConcurrentConsumers says, or asyncConsumer's prefetch",
    async () => {
      for (const [id, more, count] of [
        ["most", "concurrentConsumers: 2, maxConcurrentConsumers: 3", 3],
        ["async", "asyncConsumer: true, prefetchCount: 2", 2],
      ] as const) {
        await broker.declare(id);
        const bodies = Array.from({ length: count + 1 }, (_, at) => ({ routingKey: id, body: `b${at}` }));
        await broker.send(...bodies);
        await consumer(
          id,
          `uri: "spring-rabbitmq:default", parameters: { queues: ${id}, ${more} }`,
          `{ log: "${id}" }, { delay: { constant: "600000" } }`,
        );
        await until(`${count} are under way`, () => lines(id) === count);
        assert.equal(await broker.ready(id), 1);
        await app.api(`/flows/${id}`, { method: "DELETE" });
      }
    },
  );

  await t.test("rabbitmq: reQueue puts a failed message back; exclusiveConsumer keeps others away", async () => {
    const from = (more: string): string =>
      `uri: "rabbitmq:", parameters: { queue: back, autoDelete: false, autoAck: false, ${more} }`;
    await consumer(
      "back",
      from("reQueue: true, exclusiveConsumer: true"),
      `{ log: "back \${header.CamelRabbitmqRedeliveryTag}" },
       { filter: { simple: "\${header.CamelRabbitmqRedeliveryTag} == false", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] } }`,
    );
    await until("it is declared", async () => (await ready("back")) === 0);
    await broker.send({ routingKey: "back", body: "x" });
    await until("it comes again", () => lines("back true") === 1);
    await consumer("other", from("exclusiveConsumer: false"), `{ log: never }`);
    await until("others are kept away", () =>
      app.logs.some(({ message }) => /'other' cannot poll: .*ACCESS_REFUSED.*exclusive/.test(message)),
    );
    await remove("other");
    await remove("back");
  });

  await t.test("rabbitmq: allowNullHeaders sends headers without a value, too", async () => {
    await broker.declare("nulls");
    for (const [at, [more, expected]] of [
      ["", { color: "red" }],
      ["&allowNullHeaders=true", { color: "red", shape: null }],
    ].entries()) {
      const send = await flow(
        `nulls-${at}`,
        `{ removeHeaders: { pattern: "*" } }, { setHeader: { name: color, constant: red } }, { setHeader: { name: shape, simple: "\${null}" } },
         { to: { uri: "rabbitmq:?routingKey=nulls${more}", pattern: InOnly } }`,
      );
      assert.equal((await send("x")).failure, "");
      assert.deepEqual({ ...(await broker.take("nulls"))?.headers }, expected);
    }
  });

  await t.test("rabbitmq: sslProtocol encrypts, and checks the certificate; false does not", async () => {
    await broker.declare("ssl");
    const { host, port, tlsPort, username, password, virtualHost } = broker.server;
    for (const [id, to, protocol, failure] of [
      ["ssl-off", port, "false", /^$/],
      ["ssl-on", tlsPort, "TLSv1.2", /self-signed certificate|unable to verify/],
      ["ssl-plain", tlsPort, "false", /closed|lost|reset|ended|timed? ?out/i],
    ] as const) {
      const uri = `rabbitmq:?routingKey=ssl&addresses=${host}:${to}&username=${username}&password=${password}&vhost=${virtualHost}`;
      const send = await flow(id, `{ to: { uri: "${uri}&sslProtocol=${protocol}", pattern: InOnly } }`);
      assert.match((await send("x")).failure, failure, id);
    }
    assert.equal(await broker.ready("ssl"), 1);
    const old = await app.put("ssl-old", `- from: { uri: webhook, steps: [{ to: "rabbitmq:x?sslProtocol=SSLv3" }] }`);
    assert.match(await old.text(), /one of true, false, TLS, TLSv1\.2, TLSv1\.3; found SSLv3|SSLv3/);
  });

  await t.test("a server that does not confirm a message in time fails it", async () => {
    await broker.declare("confirmed");
    const target = `routingKey=confirmed`;
    const spring = await flow(
      "late-new",
      `{ to: { uri: "spring-rabbitmq:default?${target}&confirmTimeout=200", pattern: InOnly } }`,
    );
    const old = await flow(
      "late-old",
      `{ to: { uri: "rabbitmq:?${target}&publisherAcknowledgementsTimeout=300", pattern: InOnly } }`,
    );
    // They have their connections then.
    const warm = async (): Promise<void> => {
      for (const send of [spring, old])
        await until("it is confirmed in time", async () => (await send("x")).failure === "");
    };
    await warm();
    const { pid } = broker.server.process;
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGSTOP");
    try {
      assert.match((await spring("x")).failure, /TimeoutException: Message not sent within 200 millis/);
      assert.match((await old("x")).failure, /TimeoutException: Message not sent within 300 millis/);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await warm();
  });

  await t.test("rabbitmq: hostname and portNumber are the server of the endpoint's own", async () => {
    await broker.declare("own");
    const { host, port, tlsPort, username, password, virtualHost } = broker.server;
    const uri = `rabbitmq:?routingKey=own&hostname=${host}&username=${username}&password=${password}&vhost=${virtualHost}`;
    const right = await flow("own", `{ to: { uri: "${uri}&portNumber=${port}", pattern: InOnly } }`);
    assert.equal((await right("x")).failure, "");
    const wrong = await flow("other", `{ to: { uri: "${uri}&portNumber=${tlsPort}", pattern: InOnly } }`);
    assert.match((await wrong("x")).failure, new RegExp(`${host}:${tlsPort}`));
    assert.equal(await broker.ready("own"), 1);
  });

  await t.test("rabbitmq: requestTimeout ends the wait for a reply, and its header comes before it", async () => {
    await broker.declare("asked");
    for (const [id, ms, steps] of [
      ["asks", 200, ""],
      ["asks-by-header", 300, `{ setHeader: { name: CamelRabbitmqRequestTimeout, constant: "300" } },`],
    ] as const) {
      const to = `{ to: { uri: "rabbitmq:?routingKey=asked&requestTimeout=200", pattern: InOut } }`;
      const send = await flow(id, `${steps} ${to}`);
      assert.match((await send("x")).failure, new RegExp(`within ${ms} ms`));
    }
    assert.equal(await broker.ready("asked"), 2);
  });

  await t.test("spring-rabbitmq: allowNullBody sends a message without a body, which fails else", async () => {
    await broker.declare("empty");
    for (const [id, more, failure] of [
      ["empty-no", "", /write allowNullBody=true/],
      ["empty-yes", "&allowNullBody=true", /^$/],
    ] as const) {
      const to = `{ to: { uri: "spring-rabbitmq:default?routingKey=empty${more}", pattern: InOnly } }`;
      const send = await flow(id, `{ setBody: { simple: "\${null}" } }, ${to}`);
      assert.match((await send("x")).failure, failure);
    }
    assert.equal(await broker.ready("empty"), 1);
  });

  await t.test("spring-rabbitmq: deadLetterRoutingKey is the key of dead letters", async () => {
    const dead = "deadLetterExchange: gone, deadLetterQueue: gone-q, deadLetterRoutingKey: over";
    await consumer(
      "dying",
      `uri: "spring-rabbitmq:default", parameters: { queues: dying, maximumRetryAttempts: 1, ${dead} }`,
      `{ throwException: { exceptionType: java.io.IOException, message: no } }`,
    );
    await until("both are declared", async () => (await ready("gone-q")) === 0 && (await ready("dying")) === 0);
    await broker.send({ routingKey: "dying", body: "x" });
    await until("it is a dead letter", async () => (await ready("gone-q")) === 1);
    assert.equal((await broker.take("gone-q"))?.routingKey, "over");
    await remove("dying");
  });
});
