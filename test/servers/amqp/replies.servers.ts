/** Requests and replies over a real broker. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../missing.ts";
import { startAmqpApp, until } from "./amqp-app.ts";

test("Artemis: requests and replies", { skip: missing("Artemis") }, async (t) => {
  const { server, flow, take, send, deploy, lastFailure } = await startAmqpApp(t);
  const answering = (id: string, queue: string, more = ""): Promise<void> =>
    deploy(
      id,
      `- route: { id: ${id}, from: { uri: "jms:queue:${queue}", parameters: { concurrentConsumers: 4 ${more} }, steps: [{ setHeader: { name: seen, constant: "yes" } }, { setBody: { simple: "re \${body}" } }] } }\n`,
    );
  await answering("answers", "questions");
  const ask = (more: string): string =>
    `{ to: { uri: "jms:queue:questions", parameters: { ${more} } } }, { setBody: { simple: "\${body} \${header.seen} \${header.JMSCorrelationID}" } }`;

  await t.test("a reply comes to a temporary queue, each to its own request", async () => {
    const call = await flow("temporary", ask("requestTimeout: 20s"));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => call(`q${at}`)));
    for (const [at, { text }] of answers.entries()) assert.match(text, new RegExp(`^re q${at} yes .+`));
  });

  for (const [what, more] of Object.entries({
    shared: "replyTo: answers, replyToType: Shared",
    exclusive: "replyTo: answers, replyToType: Exclusive",
    "by message id": "replyTo: answers, useMessageIDAsCorrelationID: true",
    "by a property of the selector": "replyTo: answers, replyToDestinationSelectorName: mine",
    "by a property of the correlation": "replyTo: answers, correlationProperty: corr",
  }))
    await t.test(`a reply comes to a fixed queue, ${what}`, async () => {
      const id = `fixed-${what.replaceAll(" ", "-")}`;
      const isEcho = what.startsWith("by");
      const queue = isEcho ? `echo-${id}` : "questions";
      if (isEcho) {
        const own = what === "by message id" ? ", useMessageIDAsCorrelationID: true" : "";
        await answering(`answers-${id}`, queue, own);
      }
      const call = await flow(id, ask(more).replace("queue:questions", `queue:${queue}`));
      const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => call(`q${at}`)));
      for (const [at, { text }] of answers.entries())
        assert.match(text, new RegExp(`^re q${at} yes`), JSON.stringify(await lastFailure(id)));
    });

  await t.test("a correlation id of the flow's own is sent, kept, and brings the reply back", async () => {
    for (const more of ["requestTimeout: 20s", "replyTo: answers"]) {
      const id = more.startsWith("reply") ? "own-fixed" : "own-temporary";
      const call = await flow(id, `{ setHeader: { name: JMSCorrelationID, constant: "it's mine" } }, ${ask(more)}`);
      assert.equal((await call("q")).text, "re q yes it's mine", JSON.stringify(await lastFailure(id)));
    }
  });

  await t.test("without a reply in time the run fails, and the request has expired", async () => {
    const call = await flow(
      "late",
      `{ setHeader: { name: CamelJmsRequestTimeout, constant: "300" } }, { to: "jms:queue:nobody" }`,
    );
    assert.equal((await call("q")).status, 500);
    assert.match(
      JSON.stringify(await lastFailure("late")),
      /ExchangeTimedOutException.*no reply has come within 300 ms/,
    );
    await until("it has expired", async () => (await server.count("nobody")) <= 1);
  });

  await t.test("disableReplyTo and InOnly do not wait, and replyToOverride names another place", async () => {
    const call = await flow("one-way", `{ to: { uri: "jms:queue:oneway", parameters: { disableReplyTo: true } } }`);
    assert.equal((await call("x")).text, "ok");
    assert.equal((await take("oneway")).properties?.replyTo, undefined);
    const other = await flow(
      "overridden",
      `{ to: { uri: "jms:queue:elsewhere", parameters: { replyTo: answers, replyToOverride: "queue:forwarded", requestTimeout: 300, disableTimeToLive: true } } }`,
    );
    await other("x");
    assert.equal((await take("elsewhere")).properties?.replyTo, "forwarded");
  });

  await t.test(
    "a consumer replies to JMSReplyTo, or to its own replyTo, and never to the queue that it consumes",
    async () => {
      await send("questions", {
        properties: { replyTo: "back", messageId: "ID:7" },
        body: { section: "value", value: "direct" },
      });
      // Nobody receives from it yet: the broker makes it for the reply.
      await until("the reply waits", async () => (await server.count("back")) === 1);
      const reply = await take("back");
      assert.deepEqual(
        [reply.body, reply.properties?.correlationId],
        [{ section: "value", value: "re direct" }, "ID:7"],
      );
      await answering("fixed-answers", "fixed-in", ", replyTo: fixed-out, replyToDeliveryPersistent: false");
      await send("fixed-in", "x");
      const fixed = await take("fixed-out");
      assert.deepEqual([fixed.body, fixed.durable], [{ section: "value", value: "re x" }, false]);
      await answering("loop", "loop-in", ", replyTo: loop-in");
      await send("loop-in", "x");
      await until("it is consumed", async () => (await server.count("loop-in")) === 0);
    },
  );
});
