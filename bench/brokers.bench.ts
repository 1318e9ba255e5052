/**
 * Flows between brokers, beside another program if its command is given: records of Kafka that are split into others, messages from
 * queue to queue of Artemis by AMQP, and messages of MQTT into Kafka. Each burst is published while the flow runs, and its time ends
 * when all of it has arrived; messages a second that arrive, and CPU time of the process, in turns. The program gets PORT, on which
 * it listens when its routes run, FLOWS (a folder of YAML), KAFKA, AMQP and MQTT (host:port), AMQP_USER, AMQP_PASSWORD, MQTT_USER and
 * MQTT_PASSWORD.
 * `npm run bench -- brokers [rounds] [messages] [command]`
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import rhea from "rhea";
import { openClient } from "../test/servers/amqp/amqp-connector.ts";
import { startArtemis } from "../test/servers/amqp/artemis.ts";
import { KafkaTester } from "../test/servers/kafka/kafka-client.ts";
import { startKafka } from "../test/servers/kafka/kafka-server.ts";
import { startMosquitto } from "../test/servers/mqtt/mosquitto.ts";
import { publish } from "../test/servers/mqtt/test-client.ts";
import { bridgeFlow, partsPerRecord, queueFlow, splitFlow } from "./support/broker-flows.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { cpuMsOf, putFlow, rssOf, type ServerProcess, start, startRuntime, token } from "./support/server-process.ts";

const [rounds = 3, messages = 2000] = process.argv.slice(2, 4).map(Number);
const command = process.argv[4];
const flows = { split: splitFlow, queue: queueFlow, bridge: bridgeFlow } as const;
const textOf = (at: number): string => `message ${at} of a burst`;
const texts = Array.from({ length: messages }, (_, at) => textOf(at));
const records = texts.map((text) => Array.from({ length: partsPerRecord }, (_, part) => `${text}/${part}`).join());

interface Task {
  /** How many messages of a burst arrive. */
  readonly arriving: number;
  publish(name: string): Promise<void>;
  /** How many have arrived since the beginning. */
  arrived(name: string): Promise<number>;
}

interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
}

const directory = await mkdtemp(join(tmpdir(), "bulkhead-brokers-"));
const [kafka, artemis, mosquitto] = [await startKafka(), await startArtemis(), await startMosquitto()];
const tester = new KafkaTester(kafka.ports.plain);
const client = await openClient(artemis);
const running: { stop(): Promise<void> }[] = [];
// What has no position of a group has all records before it.
const sizeOf = (topic: string): Promise<number> => tester.lag(topic, "nobody");

const tasks: Readonly<Record<keyof typeof flows, Task>> = {
  split: {
    arriving: messages * partsPerRecord,
    publish: (name) =>
      tester.send(
        `orders-${name}`,
        records.map((value) => ({ value })),
      ),
    arrived: (name) => sizeOf(`lines-${name}`),
  },
  queue: {
    arriving: messages,
    async publish(name) {
      const signal = AbortSignal.timeout(60_000);
      for (let from = 0; from < messages; from += 500) {
        const part = texts.slice(from, from + 500).map((value) => {
          const properties = { messageId: `ID:${rhea.generate_uuid()}` };
          const message = { durable: true, properties, body: { section: "value" as const, value } };
          return client.send({ type: "queue", name: `in-${name}` }, message, { signal });
        });
        await Promise.all(part);
      }
    },
    arrived: async (name) => Math.max(0, await artemis.count(`out-${name}`)),
  },
  bridge: {
    arriving: messages,
    publish: (name) =>
      publish(
        mosquitto,
        texts.map((text) => [`plant/${name}`, text] as const),
      ),
    arrived: (name) => sizeOf(`plant-${name}`),
  },
};

try {
  await measure();
} finally {
  for (const one of running) await one.stop();
  await tester.close();
  await client.close();
  for (const server of [kafka, artemis, mosquitto]) await server.close();
  await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const contestants = [await bulkhead(), ...(command === undefined ? [] : [await beside(command)])];
  const results = new Map<string, { perSecond: number; cpuMicros: number }[]>();
  // Compilers and caches come first.
  for (const one of contestants) for (const task of Object.values(tasks)) await burst(one, task);
  for (let turn = 0; turn < rounds; turn++)
    for (const [key, task] of Object.entries(tasks))
      for (const one of turn % 2 === 0 ? contestants : contestants.toReversed()) {
        const of = `${key} ${one.name}`;
        results.set(of, [...(results.get(of) ?? []), await burst(one, task)]);
      }
  for (const key of Object.keys(tasks)) {
    const figures = contestants.map(({ name }) => {
      const runs = results.get(`${key} ${name}`) ?? [];
      const perSecond = round(median(runs.map((run) => run.perSecond)), 0);
      return [name, { perSecond, cpuMicros: round(median(runs.map((run) => run.cpuMicros)), 1) }] as const;
    });
    const [own, other] = figures.map(([, { perSecond }]) => perSecond);
    const ratio = own === undefined || other === undefined ? undefined : round(own / other);
    report(`brokers.${key}`, { machine: machine(), rounds, messages, ratio, ...Object.fromEntries(figures) });
  }
  const resident = contestants.map(({ name, server }) => [name, round(rssOf(server.pid) / 1e6, 0)] as const);
  report("brokers.resident", { MB: Object.fromEntries(resident) });
}

async function burst({ name, server }: Contestant, { arriving, publish: send, arrived }: Task) {
  const before = await arrived(name);
  const began = performance.now();
  const cpu = cpuMsOf(server.pid);
  await send(name);
  const end = began + 300_000;
  while ((await arrived(name)) < before + arriving) {
    if (performance.now() > end)
      throw new Error(`${name}: ${(await arrived(name)) - before} of ${arriving} have arrived`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ms = performance.now() - began;
  return { perSecond: (arriving * 1000) / ms, cpuMicros: ((cpuMsOf(server.pid) - cpu) * 1000) / arriving };
}

async function topicsOf(name: string): Promise<void> {
  for (const topic of ["orders", "lines", "plant"]) await tester.create(`${topic}-${name}`);
}

async function bulkhead(): Promise<Contestant> {
  await topicsOf("bulkhead");
  const secrets = join(directory, "secrets");
  await mkdir(join(secrets, "_connections"), { recursive: true });
  await writeFile(join(secrets, "_connections", "MQ"), artemis.password);
  await writeFile(join(secrets, "_connections", "MQTT"), mosquitto.password);
  const runtime = await startRuntime({ SECRETS_DIR: secrets });
  running.push(runtime);
  const all = { default: true, flows: ["*"] };
  const documents = {
    kafka: { kind: "kafka", servers: [`127.0.0.1:${kafka.ports.plain}`], ...all },
    mq: {
      kind: "amqp",
      servers: [`127.0.0.1:${artemis.ports.amqp}`],
      username: artemis.username,
      passwordRef: "MQ",
      ...all,
    },
    plant: {
      kind: "mqtt",
      servers: [`127.0.0.1:${mosquitto.port}`],
      username: mosquitto.username,
      passwordRef: "MQTT",
      ...all,
    },
  };
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  for (const [name, document] of Object.entries(documents)) {
    const init = { method: "PUT", headers, body: JSON.stringify(document) };
    const answer = await fetch(`${runtime.url}/_api/connections/${name}`, init);
    if (!answer.ok) throw new Error(`PUT ${name}: ${answer.status} ${await answer.text()}`);
  }
  for (const [id, flow] of Object.entries(flows)) await putFlow(runtime.url, id, flow("bulkhead"));
  return { name: "bulkhead", server: runtime };
}

async function beside(program: string): Promise<Contestant> {
  await topicsOf("beside");
  const folder = join(directory, "flows");
  await mkdir(folder);
  for (const [id, flow] of Object.entries(flows)) await writeFile(join(folder, `${id}.yaml`), flow("beside"));
  const env = {
    FLOWS: folder,
    KAFKA: `127.0.0.1:${kafka.ports.plain}`,
    AMQP: `127.0.0.1:${artemis.ports.amqp}`,
    AMQP_USER: artemis.username,
    AMQP_PASSWORD: artemis.password,
    MQTT: `127.0.0.1:${mosquitto.port}`,
    MQTT_USER: mosquitto.username,
    MQTT_PASSWORD: mosquitto.password,
  };
  const server = await start([], env, program);
  running.push(server);
  return { name: "beside", server };
}
