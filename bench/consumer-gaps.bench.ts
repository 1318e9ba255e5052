/**
 * How long a consumer takes nothing when its runtime is killed and started again at once, when its thread is lost, and when a new revision of its
 * flow is deployed, while messages are written steadily: the longest time between two messages in a row, beside the longest one of as many
 * seconds before in which nothing happens. A message counts when its run asks this process what becomes of it, so all starts are in it: of the process, of
 * the thread, of the connection, and whatever the server waits for until it gives a consumer's messages to the next one.
 * `npm run bench -- consumer-gaps [times] [pattern of names]`
 */
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { amqpConnectors } from "../test/servers/amqp/amqp-connector.ts";
import { ftpConnectors } from "../test/servers/ftp/ftp-connector.ts";
import { kafkaConnectors } from "../test/servers/kafka/kafka-connector.ts";
import { mqttConnectors } from "../test/servers/mqtt/mqtt-connector.ts";
import { rabbitConnectors } from "../test/servers/rabbitmq/rabbit-connector.ts";
import { sftpConnectors } from "../test/servers/sftp/sftp-connector.ts";
import type { Connector, Rig } from "../test/servers/suite/connector.ts";
import { type Decision, flowOf } from "../test/servers/suite/flow.ts";
import { loaded } from "../test/storms/support/loaded.ts";
import { type Server, startServer } from "../test/storms/support/server.ts";
import { table } from "../test/storms/support/table.ts";
import { patientVariables } from "../test/support/patience.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { SteadyWriter } from "./support/steady-writer.ts";

const times = Number(process.argv[2] ?? 3);
const names = new RegExp(process.argv[3] ?? "");
const flowId = "steady";
const messagesPerSecond = 50;
/** How long nothing happens before something does, and how much of what comes after it is looked at. */
const calmMs = 5000;
/** A run that does not end its turn is noticed after this time; it is part of the time of a lost thread. */
const stuckLoopMs = 500;
const giveUpMs = 120_000;

const events = ["runtime killed", "thread lost", "redeployed"] as const;
type Event = (typeof events)[number];

const connectors: readonly Connector[] = [
  ...kafkaConnectors(),
  ...rabbitConnectors.slice(0, 1),
  ...amqpConnectors.slice(0, 1),
  ...mqttConnectors.slice(0, 1),
  ...sftpConnectors,
  ...ftpConnectors,
].filter(({ name }) => names.test(name));

const rows: (string | number)[][] = [];
for (const connector of connectors) rows.push([connector.name, ...(await measure(connector))]);
table(["consumer", "nothing happens, ms", ...events.map((event) => `${event}, ms`)], rows);

/** Resolves with the medians: of what is normal, and after each event. */
async function measure(connector: Connector): Promise<readonly number[]> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-gaps-"));
  const rig = await connector.start();
  const seen: number[] = [];
  let next: Decision = "go";
  const decider = createServer((_, response) => {
    seen.push(performance.now());
    response.end(next);
    next = "go";
  }).listen(0, "127.0.0.1");
  await once(decider, "listening");
  const url = `http://127.0.0.1:${(decider.address() as AddressInfo).port}`;
  let server: Server | undefined;
  const writer = new SteadyWriter(rig, messagesPerSecond);
  try {
    await rig.reset();
    server = await started(directory, rig, url);
    await rig.connect(server);
    let puts = 0;
    const put = async (): Promise<void> => {
      const yaml = flowOf(flowId, rig, { url }, { lose: `{ script: { js: "for (;;);" } }` });
      await server?.put(flowId, `${yaml}\n# ${++puts}`, { scriptMs: 20_000 });
    };
    await put();
    writer.start();
    await until(() => seen.length > 0);
    const does: Readonly<Record<Event, () => Promise<unknown>>> = {
      async "runtime killed"() {
        server?.child.kill("SIGKILL");
        await server?.exited;
        server = await started(directory, rig, url);
      },
      async "thread lost"() {
        next = "lose";
      },
      redeployed: put,
    };
    const normal: number[] = [];
    const after: Readonly<Record<Event, number[]>> = { "runtime killed": [], "thread lost": [], redeployed: [] };
    for (let time = 0; time < times; time++)
      for (const event of events) {
        // Code that has just been loaded, and what has waited, come first.
        await sleep(calmMs);
        const calm = performance.now();
        await sleep(calmMs);
        const at = performance.now();
        normal.push(longest(seen, calm, at));
        await does[event]();
        const done = performance.now();
        // The first may be the one that the thread is lost with.
        await until(() => (seen.at(-2) ?? 0) > done);
        await sleep(calmMs);
        after[event].push(longest(seen, at, performance.now()));
      }
    const figures = [normal, ...events.map((event) => after[event])];
    report("consumer-gaps", {
      ...{ machine: machine(), consumer: connector.name, messagesPerSecond, stuckLoopMs },
      ...{ normal: normal.map((ms) => round(ms, 0)) },
      ...Object.fromEntries(events.map((event) => [event, after[event].map((ms) => round(ms, 0))])),
    });
    return figures.map((all) => round(median(all), 0));
  } finally {
    await writer.stop();
    await server?.remove();
    decider.closeAllConnections();
    decider.close();
    await rig.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The longest time in a row without a message, of a time that begins and ends anywhere. */
function longest(seen: readonly number[], from: number, to: number): number {
  const before = seen.findLast((at) => at <= from) ?? from;
  const all = [before, ...seen.filter((at) => at > from && at <= to), to];
  return Math.max(...all.slice(1).map((at, index) => at - (all[index] as number)));
}

async function started(directory: string, rig: Rig, decider: string): Promise<Server> {
  for (const [path, value] of Object.entries(rig.secrets)) {
    const file = join(directory, "secrets", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, value);
  }
  const env = {
    ...patientVariables,
    SECRETS_DIR: join(directory, "secrets"),
    EGRESS_ALLOW: new URL(decider).host,
    LIMIT_STUCK_LOOP_MS: String(stuckLoopMs),
    LIMIT_QUARANTINE_KILLS: "100000",
  };
  const server = await startServer({ directory, env });
  await loaded(server.url);
  return server;
}

async function until(ready: () => boolean): Promise<void> {
  const end = performance.now() + giveUpMs;
  while (!ready()) {
    if (performance.now() > end) throw new Error(`nothing was consumed within ${giveUpMs} ms`);
    await sleep(5);
  }
}
