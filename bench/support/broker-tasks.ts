/** The servers of bench/brokers, and for each flow how a burst is published and how what arrives is counted. */
import rhea from "rhea";
import { openClient } from "../../test/servers/amqp/amqp-connector.ts";
import { startArtemis } from "../../test/servers/amqp/artemis.ts";
import { KafkaTester } from "../../test/servers/kafka/kafka-client.ts";
import { startKafka } from "../../test/servers/kafka/kafka-server.ts";
import { startMosquitto } from "../../test/servers/mqtt/mosquitto.ts";
import { publish } from "../../test/servers/mqtt/test-client.ts";
import { startPostgres } from "../../test/servers/postgres.ts";
import { connectionTo as rabbitConnection, startBroker } from "../../test/servers/rabbitmq/broker.ts";
import { connectionTo as sqlConnection } from "../../test/servers/sql/connection-document.ts";
import { bridgeFlow, jsonFlow, partsPerRecord, queueFlow, rabbitFlow, rowsFlow, splitFlow } from "./broker-flows.ts";

export interface Task {
  readonly flow: (name: string) => string;
  /** How many messages of a burst arrive. */
  readonly arriving: number;
  publish(name: string): Promise<void>;
  /** How many have arrived since the beginning. */
  arrived(name: string): Promise<number>;
}

const atOnce = 500;

/** Starts all servers. `messages`: of a burst. */
export async function startTasks(messages: number) {
  const [kafka, artemis] = [await startKafka(), await startArtemis()];
  // Otherwise it holds confirmations back, and the burst is published in 20 messages per 40 ms.
  const mosquitto = await startMosquitto(["set_tcp_nodelay true"]);
  const [rabbit, postgres] = [await startBroker(), await startPostgres()];
  const tester = new KafkaTester(kafka.ports.plain);
  const client = await openClient(artemis);
  const texts = Array.from({ length: messages }, (_, at) => `message ${at} of a burst`);
  // What has no position of a group has all records before it.
  const sizeOf = (topic: string): Promise<number> => tester.lag(topic, "nobody");
  const toTopic = (topic: string, made: (text: string, at: number) => string): Promise<void> =>
    tester.send(
      topic,
      texts.map((text, at) => ({ value: made(text, at) })),
    );
  const inParts = async (send: (text: string) => Promise<void>): Promise<void> => {
    for (let from = 0; from < messages; from += atOnce)
      await Promise.all(texts.slice(from, from + atOnce).map((text) => send(text)));
  };
  const tasks: Readonly<Record<string, Task>> = {
    json: {
      flow: jsonFlow,
      arriving: messages,
      publish: (name) =>
        toTopic(`documents-${name}`, (text, id) => JSON.stringify({ id, name: text, text: "x".repeat(100) })),
      arrived: (name) => sizeOf(`read-${name}`),
    },
    rows: {
      flow: rowsFlow,
      arriving: messages,
      publish: (name) => toTopic(`rows-${name}`, (text) => text),
      arrived: async (name) => Number((await postgres.query(`SELECT count(*) FROM rows_${name}`))[0]?.[0]),
    },
    split: {
      flow: splitFlow,
      arriving: messages * partsPerRecord,
      publish: (name) =>
        toTopic(`orders-${name}`, (text) =>
          Array.from({ length: partsPerRecord }, (_, part) => `${text}/${part}`).join(),
        ),
      arrived: (name) => sizeOf(`lines-${name}`),
    },
    queue: {
      flow: queueFlow,
      arriving: messages,
      publish: (name) =>
        inParts((value) => {
          const properties = { messageId: `ID:${rhea.generate_uuid()}` };
          const message = { durable: true, properties, body: { section: "value" as const, value } };
          return client.send({ type: "queue", name: `in-${name}` }, message, { signal: AbortSignal.timeout(60_000) });
        }),
      arrived: async (name) => Math.max(0, await artemis.count(`out-${name}`)),
    },
    rabbit: {
      flow: rabbitFlow,
      arriving: messages,
      publish: (name) => inParts((body) => rabbit.send({ routingKey: `rabbit-in-${name}`, body })),
      arrived: (name) => rabbit.ready(`rabbit-out-${name}`),
    },
    bridge: {
      flow: bridgeFlow,
      arriving: messages,
      publish: (name) =>
        publish(
          mosquitto,
          texts.map((text) => [`plant/${name}`, text] as const),
        ),
      arrived: (name) => sizeOf(`plant-${name}`),
    },
  };
  return {
    tasks,
    /** Makes the topics, queues and tables of a contestant. */
    async prepare(name: string): Promise<void> {
      for (const topic of ["documents", "read", "rows", "orders", "lines", "plant"])
        await tester.create(`${topic}-${name}`);
      for (const end of ["in", "out"]) await rabbit.declare(`rabbit-${end}-${name}`);
      await postgres.query(`CREATE TABLE rows_${name} (text text)`);
    },
    /** Documents of connections, by their names, and the passwords that they name. */
    documents: {
      kafka: { kind: "kafka", servers: [`127.0.0.1:${kafka.ports.plain}`] },
      mq: {
        kind: "amqp",
        servers: [`127.0.0.1:${artemis.ports.amqp}`],
        username: artemis.username,
        passwordRef: "ARTEMIS",
      },
      plant: {
        kind: "mqtt",
        servers: [`127.0.0.1:${mosquitto.port}`],
        username: mosquitto.username,
        passwordRef: "MQTT",
      },
      rabbit: rabbitConnection(rabbit),
      db: sqlConnection(postgres),
    },
    secrets: {
      ARTEMIS: artemis.password,
      MQTT: mosquitto.password,
      MQ: rabbit.server.password,
      DB: postgres.password,
    },
    /** Where a program beside this one finds the servers. */
    env: {
      KAFKA: `127.0.0.1:${kafka.ports.plain}`,
      AMQP: `127.0.0.1:${artemis.ports.amqp}`,
      AMQP_USER: artemis.username,
      AMQP_PASSWORD: artemis.password,
      MQTT: `127.0.0.1:${mosquitto.port}`,
      MQTT_USER: mosquitto.username,
      MQTT_PASSWORD: mosquitto.password,
      RABBITMQ: `${rabbit.server.host}:${rabbit.server.port}`,
      RABBITMQ_USER: rabbit.server.username,
      RABBITMQ_PASSWORD: rabbit.server.password,
      RABBITMQ_VHOST: rabbit.server.virtualHost,
      POSTGRES: `${postgres.host}:${postgres.port}/${postgres.database}`,
      POSTGRES_USER: postgres.username,
      POSTGRES_PASSWORD: postgres.password,
    },
    async close(): Promise<void> {
      await tester.close();
      await client.close();
      await rabbit.close();
      for (const server of [kafka, artemis, mosquitto, postgres]) await server.close();
    },
  };
}
