/** RabbitMQ in the suite of connectors: a queue that is consumed, and one that is written. */

import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { type Broker, connectionTo, startBroker } from "./broker.ts";

export const rabbitConnectors: readonly Connector[] = [
  {
    name: "RabbitMQ",
    exactlyOnce: false,
    window: 32,
    isWhole: true,
    answersFor: ["window"],
    start: async () => rigOf(await startBroker(), {}),
  },
  {
    name: "RabbitMQ, quorum queue",
    exactlyOnce: false,
    window: 32,
    isWhole: false,
    countsItself: true,
    answersFor: ["counting"],
    start: async () => rigOf(await startBroker(), { "x-queue-type": "quorum" }),
  },
];

/** `own`: arguments of both queues. */
function rigOf(broker: Broker, own: Readonly<Record<string, unknown>>): Rig {
  const { server } = broker;
  const all = { flows: ["*"], passwordRef: "RABBIT" };
  const fromBy = (more: string): string => `{ uri: "spring-rabbitmq:default", parameters: { ${more} } }`;
  const given = Object.entries(own).map(([name, value]) => `arg.queue.${name}: ${value},`);
  // A message is given up after its last run, and the flow fails one of ten.
  const common = `queues: inbox, ${given.join(" ")} maximumRetryAttempts: 10, retryDelay: 20`;
  /** The server does not say how many are under way: these have not been written yet. */
  const missing = new Set<string>();
  const written: string[] = [];
  let taking: Promise<void> = Promise.resolve();
  /** One after another, so that the order is that of the queue. */
  const take = (): Promise<void> => {
    const taken = taking.then(async () => {
      // One by one: what was taken before the server goes away is not forgotten.
      for (let next = await broker.take("sink"); next !== undefined; next = await broker.take("sink")) {
        written.push(next.body);
        missing.delete(next.body);
      }
    });
    taking = taken.catch(() => {});
    return taken;
  };
  return {
    secrets: { "_connections/RABBIT": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      await putConnection(app, "rabbit", connectionTo(broker, { ...all, default: true }));
      await putConnection(app, "wrong", connectionTo(broker, { ...all, passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(broker, { ...all, servers: ["host.invalid:5672"] }));
      const untrusted = { ...all, servers: [`${server.host}:${server.tlsPort}`], tls: {} };
      await putConnection(app, "untrusted", connectionTo(broker, untrusted));
    },
    async reset() {
      for (const queue of ["inbox", "sink"]) await broker.remove(queue);
      await broker.declare("inbox", own);
      await broker.declare("sink", own);
      missing.clear();
      written.length = 0;
    },
    async produce(texts) {
      await broker.send(...texts.map((body) => ({ routingKey: "inbox", body })));
      for (const text of texts) missing.add(text);
    },
    async consumed() {
      await take();
      return written;
    },
    async left() {
      const ready = await broker.ready("inbox");
      if (ready > 0) return ready;
      await take();
      return missing.size;
    },
    from: fromBy(common),
    sources: (underWay) => [fromBy(`${common}, concurrentConsumers: ${underWay}`)],
    text: "${body}",
    to: () => `{ to: "spring-rabbitmq:default?routingKey=sink" }`,
    connection: "rabbit",
    wrong: [
      ["password", fromBy(`${common}, connectionFactory: "#wrong"`), /ACCESS_REFUSED - Login was refused/],
      ["host", fromBy(`${common}, connectionFactory: "#nowhere"`), /host\.invalid/],
      ["certificate", fromBy(`${common}, connectionFactory: "#untrusted"`), /certificate/],
      ["queue", fromBy("queues: missing, autoDeclare: false"), /NOT_FOUND - no queue 'missing'/],
    ],
    server: {
      elsewhere: (address) => connectionTo(broker, { ...all, servers: [address] }),
      fromElsewhere: (connection) => fromBy(`${common}, connectionFactory: "#${connection}"`),
      // AMQP 0-9-1 has no message that names another server.
      sendsAway: undefined,
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    close: () => broker.close(),
  };
}
