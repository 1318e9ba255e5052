/**
 * Resident memory of a flow with its thread, by what it is connected to: one that sends, after a call, and one that consumes, after a message.
 * Each is the growth of the runtime over many of them, after some that load what all share; connections stay open.
 * `npm run bench -- connection-memory [flows] [pattern of names]`
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { patientVariables } from "../test/support/patience.ts";
import { machine, report, round } from "./support/figures.ts";
import { protocols, type Started } from "./support/protocols.ts";
import { putFlow, rssOf, type ServerProcess, startRuntime, token } from "./support/server-process.ts";

const [flows = 20, pattern = ""] = [Number(process.argv[2] ?? 20), process.argv[3]];
const first = 3;
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
const names = (what: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${what}-${at}`);

/** What makes a flow do its work once. */
type Begin = (runtime: ServerProcess, server: Started, flow: string) => Promise<void>;

for (const { name, start } of protocols) {
  if (!new RegExp(pattern).test(name)) continue;
  const server = await start();
  try {
    for (const flow of [...names("warm", first), ...names("flow", flows)]) await server.prepare?.(flow);
    const sends = await grown(server, send);
    const consumes = server.consumes === undefined ? undefined : await grown(server, consume);
    report("connection-memory", { machine: machine(), name, flows, mbPerFlow: { sends, consumes } });
  } finally {
    await server.close();
  }
}

async function grown(server: Started, begin: Begin): Promise<number> {
  const secrets = await mkdtemp(join(tmpdir(), "bulkhead-secrets-"));
  let runtime: ServerProcess | undefined;
  try {
    await mkdir(join(secrets, "_connections"));
    for (const [name, value] of Object.entries(server.secrets ?? {}))
      await writeFile(join(secrets, "_connections", name), value);
    runtime = await startRuntime({
      ...patientVariables,
      SECRETS_DIR: secrets,
      LIMIT_IDLE_MS: "600000",
      LIMIT_CONNECTION_IDLE_MS: "600000",
    });
    if (server.document !== undefined) await connect(runtime, server.document);
    for (const flow of names("warm", first)) await begin(runtime, server, flow);
    await settle();
    const before = rssOf(runtime.pid);
    for (const flow of names("flow", flows)) await begin(runtime, server, flow);
    await settle();
    return round((rssOf(runtime.pid) - before) / flows / 1e6, 1);
  } finally {
    await runtime?.stop();
    await rm(secrets, { recursive: true, force: true });
  }
}

async function connect(runtime: ServerProcess, document: Readonly<Record<string, unknown>>): Promise<void> {
  const body = JSON.stringify({ ...document, default: true, flows: ["*"], maxConnections: 2 * (first + flows) });
  const answer = await fetch(`${runtime.url}/_api/connections/server`, { method: "PUT", headers, body });
  if (!answer.ok) throw new Error(`PUT connection: ${answer.status} ${await answer.text()}`);
}

async function send(runtime: ServerProcess, server: Started, flow: string): Promise<void> {
  const step = server.sends(flow);
  await putFlow(runtime.url, flow, `- route: { id: ${flow}, from: { uri: webhook, steps: [{ ${step} }] } }`);
  const answer = await fetch(`${runtime.url}/api/${flow}`, { method: "POST", body: "x" });
  if (!answer.ok) throw new Error(`${flow}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function consume(runtime: ServerProcess, server: Started, flow: string): Promise<void> {
  const from = server.consumes?.(flow);
  await putFlow(runtime.url, flow, `- route: { id: ${flow}, from: { uri: ${from}, steps: [{ log: "\${body}" }] } }`);
  const end = performance.now() + 60_000;
  for (;;) {
    const answer = await fetch(`${runtime.url}/_api/runs?routeId=${flow}`, { headers });
    if (((await answer.json()) as readonly unknown[]).length > 0) return;
    if (performance.now() > end) throw new Error(`${flow} has consumed nothing`);
    await sleep(20);
  }
}

/** Threads collect the garbage of their boot when they have had no run for 20 s. */
async function settle(): Promise<void> {
  await sleep(23_000);
}
