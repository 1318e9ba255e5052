/**
 * Flows between brokers, beside another program if its command is given: records of Kafka that are read as JSON, that become rows of
 * PostgreSQL, or that are split into others; messages from queue to queue of Artemis by AMQP 1.0, and of RabbitMQ; and messages of MQTT into
 * Kafka. Each burst is published while the flow runs, and its time ends when all of it has arrived; messages a second that arrive, and CPU
 * time of the process, in turns. The program gets PORT, on which it listens when its routes run, FLOWS (a folder of YAML), and where the
 * servers are (`env` in support/broker-tasks.ts).
 * `npm run bench -- brokers [rounds] [messages] [tasks] [command]`; tasks with commas between them, or `all`
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTasks, type Task } from "./support/broker-tasks.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { cpuMsOf, putFlow, rssOf, type ServerProcess, start, startRuntime, token } from "./support/server-process.ts";

const [rounds = 3, messages = 2000] = process.argv.slice(2, 4).map(Number);
const [wanted = "all", command] = process.argv.slice(4);

interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
}

const directory = await mkdtemp(join(tmpdir(), "bulkhead-brokers-"));
const { tasks: all, prepare, documents, secrets, env, close } = await startTasks(messages);
const tasks = Object.entries(all).filter(([name]) => wanted === "all" || wanted.split(",").includes(name));
if (tasks.length === 0) throw new Error(`no task of ${Object.keys(all).join()} is named in '${wanted}'`);
const running: { stop(): Promise<void> }[] = [];

try {
  await measure();
} finally {
  for (const one of running) await one.stop();
  await close();
  await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const contestants = [await bulkhead(), ...(command === undefined ? [] : [await beside(command)])];
  const results = new Map<string, { perSecond: number; cpuMicros: number }[]>();
  // Compilers and caches come first.
  for (const one of contestants) for (const [, task] of tasks) await burst(one, task);
  for (let turn = 0; turn < rounds; turn++)
    for (const [key, task] of tasks)
      for (const one of turn % 2 === 0 ? contestants : contestants.toReversed()) {
        const of = `${key} ${one.name}`;
        results.set(of, [...(results.get(of) ?? []), await burst(one, task)]);
      }
  for (const [key] of tasks) {
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

async function burst({ name, server }: Contestant, { arriving, publish, arrived }: Task) {
  const before = await arrived(name);
  const began = performance.now();
  const cpu = cpuMsOf(server.pid);
  await publish(name);
  const end = began + 300_000;
  while ((await arrived(name)) < before + arriving) {
    if (performance.now() > end)
      throw new Error(`${name}: ${(await arrived(name)) - before} of ${arriving} have arrived`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ms = performance.now() - began;
  return { perSecond: (arriving * 1000) / ms, cpuMicros: ((cpuMsOf(server.pid) - cpu) * 1000) / arriving };
}

async function bulkhead(): Promise<Contestant> {
  await prepare("bulkhead");
  const folder = join(directory, "secrets");
  await mkdir(join(folder, "_connections"), { recursive: true });
  for (const [name, secret] of Object.entries(secrets)) await writeFile(join(folder, "_connections", name), secret);
  const runtime = await startRuntime({ SECRETS_DIR: folder });
  running.push(runtime);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  for (const [name, document] of Object.entries(documents)) {
    const body = JSON.stringify({ ...document, default: true, flows: ["*"] });
    const answer = await fetch(`${runtime.url}/_api/connections/${name}`, { method: "PUT", headers, body });
    if (!answer.ok) throw new Error(`PUT ${name}: ${answer.status} ${await answer.text()}`);
  }
  for (const [id, { flow }] of tasks) await putFlow(runtime.url, id, flow("bulkhead"));
  return { name: "bulkhead", server: runtime };
}

async function beside(program: string): Promise<Contestant> {
  await prepare("beside");
  const folder = join(directory, "flows");
  await mkdir(folder);
  for (const [id, { flow }] of tasks) await writeFile(join(folder, `${id}.yaml`), flow("beside"));
  const server = await start([], { ...env, FLOWS: folder }, program);
  running.push(server);
  return { name: "beside", server };
}
