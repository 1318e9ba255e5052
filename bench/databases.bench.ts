/**
 * Flows with PostgreSQL against a bare `pg` client that does the same in one process, and beside another program if its command
 * is given: a webhook that inserts, rows that are polled, changed and inserted in batches, and 100 000 rows streamed to CSV.
 * Messages a second and CPU time of the process, all in one run, in turns. The program gets PORT, PGHOST, PGPORT, PGUSER,
 * PGPASSWORD, PGDATABASE, TABLES (the end of its tables' names) and FILE (where the rows go), answers POST /insert and
 * /export, and polls by itself.
 * `npm run bench -- databases [rounds] [seconds] [command]`
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseServer } from "../test/servers/database-server.ts";
import { startPostgres } from "../test/servers/postgres.ts";
import { exportFlow, insertFlow, pollFlow, tablesOf } from "./support/database-flows.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { load } from "./support/load.ts";
import { cpuMsOf, putFlow, rssOf, type ServerProcess, start, startRuntime, token } from "./support/server-process.ts";

const [rounds = 3, seconds = 5] = process.argv.slice(2, 4).map(Number);
const command = process.argv[4];
const polled = 20_000;
const exported = 100_000;
const body = JSON.stringify({ customer: "Ada", total: 12 });

interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly insert: string;
  readonly export: string;
  readonly file: string;
}

interface Measured {
  /** Messages a second, and CPU time for each in microseconds. */
  readonly perSecond: number;
  readonly cpuMicros: number;
}

interface Ended {
  stop(): Promise<void>;
}

/** What is to be ended, also when the bench fails. */
const running: Ended[] = [];
const directory = await mkdtemp(join(tmpdir(), "bulkhead-databases-"));
const database = await startPostgres({ settings: { shared_buffers: "64MB", max_connections: "60" } });
const { host, port, username: user, password } = database;
const client = new pg.Client({ host, port, user, password, database: database.database });
try {
  await client.connect();
  await measureTasks();
} finally {
  for (const one of running) await one.stop();
  await client.end();
  await database.close();
  await rm(directory, { recursive: true, force: true });
}

async function measureTasks(): Promise<void> {
  await client.query("create table stored (id int primary key, customer text, total int)");
  await client.query(`insert into stored select n, 'customer ' || n, n % 100 from generate_series(1, ${exported}) n`);
  const contestants = [await bulkhead(), await bare(), ...(command === undefined ? [] : [await beside(command)])];
  const tasks = { insert, poll, export: exportRows } as const;
  const results = new Map<string, Measured[]>();
  for (const one of contestants) await until(one.name, async () => await answers(one));
  // Compilers and caches come first.
  for (const one of contestants) for (const task of Object.values(tasks)) await task(one, 2 * seconds);
  for (let turn = 0; turn < rounds; turn++)
    for (const [task, run] of Object.entries(tasks))
      for (const one of turn % 2 === 0 ? contestants : contestants.toReversed()) {
        const key = `${task} ${one.name}`;
        results.set(key, [...(results.get(key) ?? []), await run(one, seconds)]);
      }
  for (const task of Object.keys(tasks)) {
    const of = (name: string): Measured => {
      const runs = results.get(`${task} ${name}`) ?? [];
      return { perSecond: middle(runs, "perSecond"), cpuMicros: middle(runs, "cpuMicros") };
    };
    const ratioToBare = round(of("bulkhead").perSecond / of("bare").perSecond);
    const figures = Object.fromEntries(contestants.map(({ name }) => [name, of(name)]));
    report(`databases.${task}`, { machine: machine(), rounds, seconds, ratioToBare, ...figures });
  }
  const resident = contestants.map(({ name, server }) => [name, round(rssOf(server.pid) / 1e6, 0)] as const);
  report("databases.resident", { MB: Object.fromEntries(resident) });
  for (const one of running.splice(0)) await one.stop();
}

function middle(runs: readonly Measured[], figure: keyof Measured): number {
  return round(median(runs.map((run) => run[figure])), figure === "perSecond" ? 0 : 1);
}

async function bulkhead(): Promise<Contestant> {
  for (const statement of tablesOf("bulkhead")) await client.query(statement);
  const data = join(directory, "data");
  const server = await runtimeWith(database, { DATA_DIR: data });
  const flows = { insert: insertFlow, poll: pollFlow, export: exportFlow };
  for (const [id, flow] of Object.entries(flows))
    await putFlow(server.url, id, flow("bulkhead"), {
      webhookWallMs: 300_000,
      stepsPerRun: 5_000_000,
      runCpuMs: 300_000,
    });
  const file = join(data, "files", "export", "out", "rows.csv");
  return { name: "bulkhead", server, insert: `${server.url}/api/insert`, export: `${server.url}/api/export`, file };
}

async function bare(): Promise<Contestant> {
  for (const statement of tablesOf("bare")) await client.query(statement);
  const file = join(directory, "bare.csv");
  const server = await started(["bench/support/bare-database-server.ts"], { ...login(), TABLES: "bare", FILE: file });
  return { name: "bare", server, insert: `${server.url}/insert`, export: `${server.url}/export`, file };
}

async function beside(program: string): Promise<Contestant> {
  for (const statement of tablesOf("beside")) await client.query(statement);
  const file = join(directory, "beside", "rows.csv");
  await mkdir(join(directory, "beside"));
  const env = { ...login(), TABLES: "beside", FILE: file };
  const server = await started([], env, program);
  return { name: "beside", server, insert: `${server.url}/insert`, export: `${server.url}/export`, file };
}

async function started(...how: Parameters<typeof start>): Promise<ServerProcess> {
  const server = await start(...how);
  running.push(server);
  return server;
}

function login(): Readonly<Record<string, string>> {
  return { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: database.database };
}

/** A runtime with the database as its default connection. */
async function runtimeWith(
  { kind, username, ...server }: DatabaseServer,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const secrets = await mkdtemp(join(directory, "secrets-"));
  await mkdir(join(secrets, "_connections"));
  await writeFile(join(secrets, "_connections", "DB"), server.password);
  const runtime = await startRuntime({ SECRETS_DIR: secrets, ...env });
  running.push(runtime);
  const servers = [`${server.host}:${server.port}`];
  const document = {
    kind,
    servers,
    database: server.database,
    username,
    passwordRef: "DB",
    maxConnections: 10,
    default: true,
    flows: ["*"],
  };
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const init = { method: "PUT", headers, body: JSON.stringify(document) };
  const answer = await fetch(`${runtime.url}/_api/connections/db`, init);
  if (!answer.ok) throw new Error(`PUT connection: ${answer.status} ${await answer.text()}`);
  return runtime;
}

async function insert({ name, server, insert: url }: Contestant, duration: number): Promise<Measured> {
  const count = async (): Promise<number> =>
    Number((await client.query<{ n: string }>(`select count(*) n from orders_${name}`)).rows[0]?.n);
  const before = await count();
  const cpu = cpuMsOf(server.pid);
  const { perSecond, requests, errors } = await load(url, 32, duration, body);
  const cpuMs = cpuMsOf(server.pid) - cpu;
  if (errors > 0) throw new Error(`${name}: ${errors} requests failed`);
  if ((await count()) - before < requests) throw new Error(`${name}: rows are missing`);
  return { perSecond, cpuMicros: (cpuMs * 1000) / requests };
}

async function poll({ name, server }: Contestant): Promise<Measured> {
  await client.query(`truncate outbox_${name}`);
  const began = performance.now();
  const cpu = cpuMsOf(server.pid);
  await client.query(`insert into inbox_${name} (label) select 'label ' || n from generate_series(1, ${polled}) n`);
  await until(name, async () => {
    const { rows } = await client.query<{ n: string }>(`select count(*) n from inbox_${name} where state = 'new'`);
    return rows[0]?.n === "0";
  });
  const ms = performance.now() - began;
  const cpuMs = cpuMsOf(server.pid) - cpu;
  const { rows } = await client.query<{ n: string }>(`select count(distinct label) n from outbox_${name}`);
  if (Number(rows[0]?.n) !== polled) throw new Error(`${name}: ${rows[0]?.n} of ${polled} rows have arrived`);
  return { perSecond: (polled * 1000) / ms, cpuMicros: (cpuMs * 1000) / polled };
}

async function exportRows({ name, server, export: url, file }: Contestant): Promise<Measured> {
  await rm(file, { force: true });
  const began = performance.now();
  const cpu = cpuMsOf(server.pid);
  const answer = await fetch(url, { method: "POST" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  const lines = async (): Promise<number> => (await readFile(file, "utf8").catch(() => "")).split("\n").length - 1;
  // What is put together in groups may be written behind the answer.
  await until(name, async () => (await lines()) >= exported);
  const ms = performance.now() - began;
  const cpuMs = cpuMsOf(server.pid) - cpu;
  if ((await lines()) !== exported) throw new Error(`${name}: ${await lines()} of ${exported} rows are in the file`);
  return { perSecond: (exported * 1000) / ms, cpuMicros: (cpuMs * 1000) / exported };
}

/** Whether it inserts: a server may listen before its routes are there. */
async function answers({ insert: url }: Contestant): Promise<boolean> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => undefined);
  return answer?.ok === true;
}

async function until(name: string, ready: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000;
  while (!(await ready())) {
    if (performance.now() > end) throw new Error(`${name} does not come to an end`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
