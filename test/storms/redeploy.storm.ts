/**
 * Replaces a flow again and again under keep-alive load: no call fails, no connection is reset, and after a PUT's answer nobody
 * is answered by the version before. `npm run storm -- redeploy [redeploys] [connections]`
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pause } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { clockFlow, readTicks } from "./support/clock.ts";
import { Expected } from "./support/expected.ts";
import { threadsOf } from "./support/proc.ts";
import { type Server, startServer, token } from "./support/server.ts";
import { type LoadCounts, steadyLoad } from "./support/steady-load.ts";
import { table, verdict } from "./support/table.ts";

/** It is set aside, so that its PUT does not fail. */
const inTheWay = "a directory in its way in the store";

const redeploys = Number(process.argv[2] ?? 100);
const connections = Number(process.argv[3] ?? 16);
const periodMs = 200;

const server = await startServer({ keepLines: true });
const rows: (string | number)[][] = [];
const missed: string[] = [];
try {
  await server.put("clock", clockFlow(periodMs, 0));
  await server.put("main", version(0));
  await settled();
  const threads = await threadsOf(server.pid);
  await replaced("200 a second", 200);
  await replaced("saturating", undefined);
  await refused();
  await stopped();
  await settled();
  const left = (await threadsOf(server.pid)) - threads;
  if (left > 2) missed.push(`${left} threads are left over`);
  await clock();
  table(["phase", "changes", "answered", "failed", "unexpected", "backwards", "connections closed"], rows);
  verdict(missed.length === 0, missed.length === 0 ? "nothing failed, nothing mixed" : missed.join("; "));
} finally {
  await server.remove();
}

function version(n: number): string {
  return webhook("main", "delay: { constant: 20 }", `setBody: { constant: "v${n}" }`);
}

function note(phase: string, changes: number, counts: LoadCounts): void {
  const { answered, broken, unexpected, backwards, closed, examples } = counts;
  rows.push([phase, changes, answered, broken, unexpected, backwards, closed]);
  if (broken + unexpected + backwards + closed > 0) missed.push(`${phase}: ${examples.join(", ") || "see the table"}`);
}

/** Replaces it under load, and its neighbour with the clock beside it. */
async function replaced(phase: string, perSecond: number | undefined): Promise<void> {
  const expected = new Expected("200 v0");
  await server.put("main", version(0));
  const load = steadyLoad({ port: server.port, path: "/api/main", connections, perSecond, expected });
  for (let n = 1; n <= redeploys; n++) {
    expected.mayBecome(`200 v${n}`);
    await server.put("main", version(n));
    expected.become(`200 v${n}`);
    if (n % 5 === 0) await server.put("clock", clockFlow(periodMs, n));
    // Now and then one right behind the other, else with calls in between.
    if (n % 10 !== 0) await pause(20 + (n % 7) * 10);
  }
  note(phase, redeploys, await load.stop());
}

/** PUTs that fail for one reason after the other, and one that repairs the store: nobody who calls notices. */
async function refused(): Promise<void> {
  await server.put("main", version(1));
  await server.put("other", webhook("other", 'log: "x"'));
  const expected = new Expected("200 v1");
  const load = steadyLoad({ port: server.port, path: "/api/main", connections, expected });
  const broken: readonly (readonly [what: string, status: number, yaml: string, headers?: Record<string, string>])[] = [
    ["not YAML", 422, "- route: [\n"],
    ["an unknown step", 422, webhook("main", "lgo: x")],
    ["another flow's route id", 409, version(2) + webhook("other", 'log: "x"')],
    ["a precondition", 412, version(2), { "If-Match": '"0"' }],
    ["too large", 413, `${version(2)}# ${"x".repeat(300_000)}`],
    [inTheWay, 200, `${version(1)}# kept all the same\n`],
  ];
  let changes = 0;
  for (let round = 0; round < Math.ceil(redeploys / 20); round++) {
    for (const [what, status, yaml, headers] of broken) {
      const repair = what === inTheWay ? await breakStore() : undefined;
      const answer = await put("main", yaml, headers);
      await repair?.();
      changes += 1;
      if (answer !== status) missed.push(`a PUT with ${what} was answered ${answer}, not ${status}`);
    }
  }
  note("broken PUTs", changes, await load.stop());
  await server.put("main", version(2));
}

/** A directory where the next revision's file has to go. */
async function breakStore(): Promise<() => Promise<void>> {
  const folder = join(server.directory, "data/flows/main");
  const { highest, revision } = JSON.parse(await readFile(join(folder, "head.json"), "utf8")) as Record<string, number>;
  const next = Math.max(highest ?? 0, revision ?? 0) + 1;
  const blocks = [0, 1, 2].map((more) => join(folder, `${next + more}.json`));
  for (const block of blocks) await mkdir(join(block, "in-the-way"), { recursive: true });
  return async () => {
    for (const block of blocks) await rm(block, { recursive: true, force: true });
  };
}

/** DELETE, PUT, stop and start under load. */
async function stopped(): Promise<void> {
  await server.put("main", version(1));
  const expected = new Expected("200 v1");
  const load = steadyLoad({ port: server.port, path: "/api/main", connections, expected });
  const change = async (method: string, path: string, ...answers: readonly string[]): Promise<void> => {
    expected.mayBecome(...answers);
    if (method === "PUT") await server.put("main", version(1));
    else await ok(server, method, path);
    expected.become(...answers);
    await pause(60);
  };
  const rounds = Math.ceil(redeploys / 10);
  for (let round = 0; round < rounds; round++) {
    await change("POST", "/flows/main/stop", "503 route_stopped");
    await change("POST", "/flows/main/start", "200 v1");
    await change("DELETE", "/flows/main", "404 not_found");
    await change("PUT", "", "200 v1");
  }
  note("stop, start, DELETE, PUT", rounds * 4, await load.stop());
}

/** No tick was lost or came twice in all that, and they are where they began. */
async function clock(): Promise<void> {
  const { count, gaps, phaseMs } = readTicks(server.lines, periodMs);
  console.log(
    `clock: ${count} ticks, ${gaps} out of order, median distance from the first phase ${phaseMs.toFixed(1)} ms`,
  );
  if (gaps > 0) missed.push(`${gaps} ticks of the clock are lost or twice`);
  if (phaseMs > periodMs / 4) missed.push(`the clock is ${phaseMs.toFixed(1)} ms out of phase`);
}

async function settled(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const metrics = await (await server.api("/metrics")).text();
    if (metrics.includes("bulkhead_standby_threads 2\n")) return void (await pause(500));
    await pause(100);
  }
}

async function put(id: string, yaml: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`${server.url}/_api/flows/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml", ...headers },
    body: yaml,
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function ok({ api }: Server, method: string, path: string): Promise<void> {
  const answer = await api(path, { method });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
}
