/** Endpoints of RabbitMQ that a deployment takes and refuses, in the words of both components. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReal } from "../../check/real-catalog.ts";
import { said } from "../../check/small-catalog.ts";

/** What the check reports of a route; "": it can be deployed. */
async function problems(from: string, to = "log:done"): Promise<string> {
  const yaml = `- route: { id: main, from: { uri: "${from}", steps: [{ to: "${to}" }] } }\n`;
  const { flow, diagnostics } = await checkReal(yaml);
  return flow === undefined ? said(diagnostics).join("\n") : "";
}

test("what spring-rabbitmq cannot say is refused with what to write in its place", async () => {
  for (const [option, what] of [
    ["passive=true", /a queue or an exchange that is missing fails in any case: write declare: false/],
    ["consumerTag=me", /the server names its consumers: leave it out/],
    ["sslProtocol=SSLv3", /one of true, false, TLS, TLSv1\.2, TLSv1\.3.*SSLv3/],
    ["queues=a", /has no option 'queues' \(did you mean 'queue'\?\)/],
  ] as const)
    assert.match(await problems(`rabbitmq:orders?queue=q&${option}`), what);
});

test("options that contradict each other are refused in words that fit both components", async () => {
  for (const [today, old, what] of [
    ["default?autoDeclare=true", "", /a queue is missing: one of the consumer/],
    ["x?autoDeclare=false", "x?declare=false", /a queue is missing: one of the consumer/],
    [
      "x?queues=q&exclusive=true&concurrentConsumers=2",
      "x?queue=q&exclusiveConsumer=true&concurrentConsumers=2",
      /exclusive consumer/,
    ],
    ["default?queues=q&routingKey=k", "?queue=q&routingKey=k", /leave routingKey out, or name an exchange/],
    ["x?queues=q&port=1", "x?queue=q&portNumber=1", /name that server, too, or write connectionFactory/],
    ["x?queues=q&protocol=amqps", "x?queue=q&sslProtocol=TLS", /name that server, too, or write connectionFactory/],
    ["x?queues=q&host=a:b", "x?queue=q&addresses=a:b", /'a:b': a server is expected as host:port, such as mq\.example/],
    ["x?queues=q&host=a&connectionFactory=#mq", "x?queue=q&hostname=a&connectionFactory=#mq", /leave one of them out/],
  ] as const) {
    assert.match(await problems(`spring-rabbitmq:${today}`), what);
    assert.match(await problems(`rabbitmq:${old}`), what);
  }
});

test("a server of the endpoint's own may be a secret, and one of several", async () => {
  const names = { host: "spring-rabbitmq:x?queues=q", addresses: "rabbitmq:x?queue=q", hostname: "rabbitmq:x?queue=q" };
  for (const [name, uri] of Object.entries(names))
    for (const value of ["{{secret:SERVER}}", "a:1,b"])
      assert.equal(await problems(`${uri}&${name}=${value}`, `${uri}&${name}=${value}`), "");
});
