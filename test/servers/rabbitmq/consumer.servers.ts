/** Messages that RabbitMQ delivers: what their runs get, when they are acknowledged, and what becomes of failed ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { startRabbitApp } from "./rabbit-flow.ts";

test("messages that are consumed", { skip: missing("RabbitMQ") }, async (t) => {
  const { app, broker, flow, consumer, remove } = await startRabbitApp(t);
  const lines = (text: string): number => app.logs.filter(({ message }) => message === text).length;
  const until = (what: string, ready: () => Promise<boolean> | boolean): Promise<unknown> =>
    eventually(async () => ((await ready()) ? true : undefined), what, 60_000);
  const fail = `{ throwException: { exceptionType: java.io.IOException, message: "as asked" } }`;

  await t.test(
    "a queue is declared and bound; its messages have properties, headers, and a body of text or bytes",
    async () => {
      await consumer(
        "got",
        `uri: "spring-rabbitmq:in", parameters: { queues: got, routingKey: a, "arg.queue.x-max-length": 100 }`,
        `{ log: "got \${body} \${header.color} \${header.CamelSpringRabbitmqMessageId} \${header.CamelFileName} \${header.CamelSpringRabbitmqRoutingKey}" },
       { choice: { when: [{ simple: "\${body} is 'java.lang.String'", steps: [{ log: text }] }], otherwise: { steps: [{ log: bytes }] } } }`,
      );
      await until("it is declared", () =>
        broker.ready("got").then(
          () => true,
          () => false,
        ),
      );
      const headers = { color: "red", CamelFileName: "x" };
      await until("it is bound", async () => {
        await broker.send({ exchange: "in", routingKey: "a", body: "one", messageId: "m1", headers });
        return lines("got one red m1  a") > 0;
      });
      await until("text is text", () => lines("text") > 0);
      await broker.send({ exchange: "in", routingKey: "a", body: Buffer.from("two") });
      await until("others are bytes", () => lines("bytes") === 1);
      await remove("got");
    },
  );

  await t.test(
    "a failed message is run again in place, then is a dead letter; a handled one is acknowledged",
    async () => {
      const from = `uri: "spring-rabbitmq:default", parameters: { queues: tried, deadLetterExchange: dead, deadLetterQueue: graveyard, maximumRetryAttempts: 3, retryDelay: 10 }`;
      await consumer("tried", from, `{ log: "try \${body}" }, ${fail}`);
      await until("both are declared", () =>
        Promise.all([broker.ready("graveyard"), broker.ready("tried")]).then(
          () => true,
          () => false,
        ),
      );
      await broker.send({ routingKey: "tried", body: "bad" });
      await until("it is a dead letter", async () => (await broker.ready("graveyard")) === 1);
      assert.equal(lines("try bad"), 3);
      const dead = await broker.take("graveyard");
      assert.equal(dead?.body, "bad");
      assert.equal((dead?.headers?.["x-death"] as { reason: string }[])[0]?.reason, "rejected");
      const handler = `- onException: { exception: [java.io.IOException], handled: { constant: "true" }, steps: [{ log: "handled \${body}" }] }\n`;
      await consumer("tried", from, `{ log: "try \${body}" }, ${fail}`, handler);
      await broker.send({ routingKey: "tried", body: "worse" });
      await until("it is handled", () => lines("handled worse") === 1);
      await remove("tried");
      assert.deepEqual([await broker.ready("tried"), await broker.ready("graveyard")], [0, 0]);
    },
  );

  await t.test(
    "without a dead letter exchange, or with autoAck, the runtime keeps a message that has failed",
    async () => {
      const dead = "deadLetterExchange: unused, deadLetterQueue: unused";
      for (const [id, from] of [
        [
          "kept",
          `uri: "spring-rabbitmq:default", parameters: { queues: kept, maximumRetryAttempts: 2, retryDelay: 10 }`,
        ],
        ["kept-old", `uri: "rabbitmq:", parameters: { queue: kept-old, autoDelete: false, ${dead} }`],
        ["rejected-old", `uri: "rabbitmq:", parameters: { queue: rejected-old, autoDelete: false, autoAck: false }`],
      ] as const) {
        await consumer(id, from, fail);
        await until("it is declared", () =>
          broker.ready(id).then(
            () => true,
            () => false,
          ),
        );
        await broker.send({ routingKey: id, body: "mine" });
        const kept = async (): Promise<string> => await (await app.api(`/failed?flowId=${id}`)).text();
        await until("it is kept", async () => (await kept()).includes("as asked"));
        await remove(id);
        assert.equal(await broker.ready(id), 0);
      }
      assert.equal(await broker.ready("unused"), 0);
    },
  );

  await t.test("rejectAndDontRequeue=false: a failed message goes back, and comes again", async () => {
    await consumer(
      "again",
      `uri: "spring-rabbitmq:default", parameters: { queues: again, rejectAndDontRequeue: false, maximumRetryAttempts: 1 }`,
      `{ log: "again \${header.CamelSpringRabbitmqRedelivered}" }, { filter: { simple: "\${header.CamelSpringRabbitmqRedelivered} == false", steps: [${fail}] } }`,
    );
    await broker.declare("again");
    await broker.send({ routingKey: "again", body: "x" });
    await until("it comes again", () => lines("again true") === 1);
    assert.equal(lines("again false"), 1);
    await remove("again");
  });

  await t.test("a message whose consumer leaves keeps its place, in a quorum queue too", async () => {
    const quorum = { "x-queue-type": "quorum" };
    await broker.declare("placed", quorum);
    await broker.send(...["a", "b", "c"].map((body) => ({ routingKey: "placed", body })));
    const from = `uri: "spring-rabbitmq:default", parameters: { queues: placed, "arg.queue.x-queue-type": quorum, maximumRetryAttempts: 2, retryDelay: 600000 }`;
    await consumer("placed", from, `{ log: "tried \${body}" }, ${fail}`);
    await until("the first one waits for its second run", () => lines("tried a") === 1);
    await consumer("placed", from, `{ log: "placed \${body}" }`);
    await until("all have come", () => lines("placed a") + lines("placed b") + lines("placed c") === 3);
    const order = app.logs.map(({ message }) => message).filter((message) => message.startsWith("placed "));
    assert.deepEqual(order, ["placed a", "placed b", "placed c"]);
    await remove("placed");
  });

  await t.test("a reply goes to whoever asks, and to a queue that is named; disableReplyTo sends none", async () => {
    await consumer(
      "answers",
      `uri: "spring-rabbitmq:asked", parameters: { queues: asked, routingKey: q }`,
      `{ setBody: { simple: "re \${body}" } }`,
    );
    const ask = await flow(
      "ask",
      `{ to: { uri: "spring-rabbitmq:asked?routingKey=q&replyTimeout=20000", pattern: InOut } }`,
    );
    await until("it answers", async () => (await ask("you")).text === "re you");
    const old = await flow(
      "ask-old",
      `{ to: { uri: "rabbitmq:asked?routingKey=q&declare=false", pattern: InOut } }, { convertBodyTo: { type: String } }`,
    );
    assert.equal((await old("old")).text, "re old");
    await broker.declare("replies");
    await broker.send({ exchange: "asked", routingKey: "q", body: "b", replyTo: "replies", correlationId: "c7" });
    await until("it is in the queue", async () => (await broker.ready("replies")) === 1);
    const reply = await broker.take("replies");
    assert.deepEqual([reply?.body, reply?.correlationId], ["re b", "c7"]);
    await consumer(
      "answers",
      `uri: "spring-rabbitmq:asked", parameters: { queues: asked, routingKey: q, disableReplyTo: true }`,
      `{ log: "heard \${body}" }`,
    );
    const late = await flow(
      "late",
      `{ to: { uri: "spring-rabbitmq:asked?routingKey=q&replyTimeout=300", pattern: InOut } }`,
    );
    assert.match((await late("nobody")).failure, /AmqpReplyTimeoutException: no reply has come within 300 ms/);
    await until("it was heard", () => lines("heard nobody") === 1);
    await remove("answers");
  });

  await t.test("acknowledgeMode=NONE: a message is gone when its run begins", async () => {
    await broker.declare("early");
    await consumer(
      "early",
      `uri: "spring-rabbitmq:default", parameters: { queues: early, acknowledgeMode: NONE }`,
      `{ log: "early \${body}" }, { delay: { constant: "600000" } }`,
    );
    await broker.send({ routingKey: "early", body: "a" }, { routingKey: "early", body: "b" });
    await until("it has begun", () => lines("early a") === 1);
    // The second one is delivered, and was acknowledged as well.
    await until("nothing is left", async () => (await broker.ready("early")) === 0);
    await app.api("/flows/early", { method: "DELETE" });
  });

  await t.test("concurrentConsumers have as many messages under way; a stopped route takes none", async () => {
    await broker.declare("many");
    await consumer(
      "many",
      `uri: "spring-rabbitmq:default", parameters: { queues: many, concurrentConsumers: 5 }`,
      `{ log: "many \${body}" }, { delay: { constant: "1000" } }`,
    );
    const bodies = Array.from({ length: 5 }, (_, at) => `n${at}`);
    await broker.send(...bodies.map((body) => ({ routingKey: "many", body })));
    await until("all are under way", () => bodies.every((body) => lines(`many ${body}`) === 1));
    await app.api("/routes/many/stop", { method: "POST" });
    await broker.send({ routingKey: "many", body: "later" });
    await until("it waits", async () => (await broker.ready("many")) === 1);
    await app.api("/routes/many/start", { method: "POST" });
    await until("it is taken", () => lines("many later") === 1);
    await remove("many");
  });

  await t.test("a message that is larger than a message may be is rejected, and its run says why", async () => {
    await broker.declare("large", { "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "too-large" });
    await broker.declare("too-large");
    const limited = await app.put(
      "large",
      `- route: { id: large, from: { uri: "spring-rabbitmq:default?queues=large&autoDeclare=false", steps: [{ log: "took \${body}" }] } }\n`,
      { limits: { messageBodyBytes: 65536 } },
    );
    assert.ok(limited.ok, await limited.text());
    await broker.send({ routingKey: "large", body: "x".repeat(100_000) }, { routingKey: "large", body: "small" });
    await until("the next one is taken", () => lines("took small") === 1);
    assert.equal((await broker.take("too-large"))?.body.length, 100_000);
    const [run] = (await (await app.api("/runs?routeId=large&status=failed")).json()) as {
      error: { message: string };
    }[];
    assert.match(run?.error.message ?? "", /at most 65536 bytes, and this one has 100000/);
    const [kept] = (await (await app.api("/failed?routeId=large")).json()) as { id: string }[];
    const detail = (await (await app.api(`/failed/${kept?.id}`)).json()) as Record<string, unknown>;
    assert.equal(detail["headOnly"], true);
    assert.match(JSON.stringify(detail["message"]), /"CamelSpringRabbitmqRoutingKey":"large"|[Rr]outingKey/);
    await remove("large");
  });

  await t.test(
    "rabbitmq: a failed message is acknowledged with autoAck, and else rejected or put back as the header says",
    async () => {
      await consumer(
        "olds",
        `uri: "rabbitmq:olds", parameters: { queue: olds, routingKey: k, autoDelete: false, autoAck: false, deadLetterExchange: old-dead, deadLetterQueue: old-graveyard }`,
        `{ log: "old \${body} \${header.CamelRabbitmqRedeliveryTag}" },
       { filter: { simple: "\${header.CamelRabbitmqRedeliveryTag} == false", steps: [{ setHeader: { name: CamelRabbitmqRequeue, simple: { expression: "\${header.back}", resultType: boolean } } }, ${fail}] } },
       { filter: { simple: "\${header.CamelRabbitmqRedeliveryTag} == false", steps: [${fail}] } }`,
      );
      await until("it is declared", () =>
        broker.ready("old-graveyard").then(
          () => true,
          () => false,
        ),
      );
      await until("it is bound", async () => {
        await broker.send({ exchange: "olds", routingKey: "k", body: "back", headers: { back: true } });
        return lines("old back true") > 0;
      });
      await broker.send({ exchange: "olds", routingKey: "k", body: "dead", headers: { back: false } });
      await until("it is a dead letter", async () => (await broker.ready("old-graveyard")) === 1);
      assert.equal((await broker.take("old-graveyard"))?.body, "dead");
      await remove("olds");
    },
  );

  await t.test(
    "a queue that is deleted is reported, and declared again; an exclusive consumer keeps others away",
    async () => {
      await consumer(
        "alone",
        `uri: "spring-rabbitmq:default", parameters: { queues: alone, exclusive: true }`,
        `{ log: "alone \${body}" }`,
      );
      await until("it is declared", () =>
        broker.ready("alone").then(
          () => true,
          () => false,
        ),
      );
      await consumer("second", `uri: "spring-rabbitmq:default", parameters: { queues: alone }`, `{ log: never }`);
      const second = (): boolean =>
        app.logs.some(({ message }) => /'second' cannot poll: .*ACCESS_REFUSED.*exclusive/.test(message));
      await until("others are kept away", second);
      await remove("second");
      await broker.remove("alone");
      await until("it is reported", () =>
        app.logs.some(({ message }) => /'alone' cannot poll: .*its queue was deleted/.test(message)),
      );
      await until("it is there again", () =>
        broker.ready("alone").then(
          () => true,
          () => false,
        ),
      );
      await broker.send({ routingKey: "alone", body: "x" });
      await until("it is consumed", () => lines("alone x") === 1);
      await remove("alone");
    },
  );
});
