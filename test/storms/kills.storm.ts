/**
 * SIGKILLs of the real server in the middle of a storm of PUT and DELETE, 20 to 120 ms after every client has been answered; each time the disk, the
 * list and the answers of the flows after the restart are held against what was acknowledged and what was under way.
 * `npm run storm -- kills [kills] [most ms of a boot] [seed]`.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Changes, type FlowRecord, type Version, versionIn } from "./support/change-storm.ts";
import { dice } from "./support/dice.ts";
import { strayFiles } from "./support/killed-changes.ts";
import { loaded } from "./support/loaded.ts";
import { type Server, startServer } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const mostBootMs = Number(process.argv[3] ?? 1500);
const seed = Number(process.argv[4] ?? Date.now() % 1_000_000);
const flowCount = 12;

const roll = dice(seed);
const ids = Array.from({ length: flowCount }, (_, n) => `flow-${n}`);
const changes = new Changes(ids, roll);
const found = { lost: 0, torn: 0, undone: 0, stray: 0, disagree: 0 };
const boots: { readonly listening: number; readonly loaded: number }[] = [];
const directory = await mkdtemp(join(tmpdir(), "bulkhead-kills-"));

console.log(`seed ${seed}`);
let server: Server | undefined;
try {
  for (let round = 1; round <= kills + 1; round++) {
    server = await boot();
    await check(server, round);
    if (round > kills) break;
    const storm = changes.start(server.port);
    await storm.on;
    await new Promise((resolve) => setTimeout(resolve, 20 + roll(101)));
    await server.remove();
    await storm.over;
    if (round % 20 === 0) console.log(`${round} kills, ${changes.counts.puts + changes.counts.deletes} acknowledged`);
  }
} finally {
  await server?.remove();
  await rm(directory, { recursive: true, force: true });
}
report();

async function boot(): Promise<Server> {
  const began = performance.now();
  const booted = await startServer({ directory });
  const listening = performance.now() - began;
  await loaded(booted.url);
  boots.push({ listening, loaded: performance.now() - began });
  return booted;
}

/** What is found is acknowledged from here on. */
async function check({ api, url }: Server, round: number): Promise<void> {
  const told = (what: string) => changes.problems.push(`after kill ${round - 1}: ${what}`);
  const list = (await (await api("/flows")).json()) as {
    id: string;
    hash: string;
    deployedHash: string;
    revision: number;
  }[];
  for (const [id, flow] of changes.flows) {
    const onDisk = await versionOnDisk(id);
    if (onDisk === undefined) {
      found.torn += 1;
      told(`${id}.yaml is torn`);
      continue;
    }
    judge(id, flow, onDisk, told);
    const listed = list.find((one) => one.id === id);
    const call = await fetch(`${url}/api/${id}`, { method: "POST" });
    const answered = call.status === 404 ? "0" : await call.text();
    const agrees = (listed === undefined) === (onDisk === 0) && listed?.hash === listed?.deployedHash;
    if (!agrees || answered !== String(onDisk)) {
      found.disagree += 1;
      told(`${id} is version ${onDisk} on the disk, ${JSON.stringify(listed)} in the list, and answers ${answered}`);
    }
    if (listed !== undefined && listed.revision < flow.revision)
      told(`${id}: revision ${listed.revision} after ${flow.revision}`);
    Object.assign(flow, { acknowledged: onDisk, inFlight: undefined });
  }
  for (const { id } of list) if (!changes.flows.has(id)) told(`${id} came from nowhere`);
  for (const stray of await strayFiles(directory)) {
    found.stray += 1;
    told(`${stray} stays behind`);
  }
}

function judge(
  id: string,
  { acknowledged, inFlight }: FlowRecord,
  onDisk: Version,
  told: (what: string) => void,
): void {
  if (onDisk === acknowledged || onDisk === inFlight) return;
  if (acknowledged === 0) found.undone += 1;
  else found.lost += 1;
  told(`${id} is version ${onDisk}; acknowledged was ${acknowledged}, under way ${inFlight ?? "nothing"}`);
}

/** 0: there is no file; undefined: it is not whole. */
async function versionOnDisk(id: string): Promise<Version | undefined> {
  const names = await readdir(join(directory, "routes"));
  if (!names.includes(`${id}.yaml`)) return 0;
  return versionIn(await readFile(join(directory, "routes", `${id}.yaml`), "utf8"));
}

function report(): void {
  const { puts, deletes, inFlight } = changes.counts;
  const restarts = boots.slice(1);
  const most = (of: "listening" | "loaded") => Math.max(...restarts.map((one) => one[of]));
  const median = (of: "listening" | "loaded") =>
    restarts.map((one) => one[of]).sort((a, b) => a - b)[restarts.length >> 1];
  table(
    ["", "", "bar"],
    [
      ["kills", kills, ""],
      ["acknowledged PUTs", puts, ""],
      ["acknowledged DELETEs", deletes, ""],
      ["changes cut off", inFlight, ""],
      ["acknowledged PUTs lost", found.lost, 0],
      ["torn files", found.torn, 0],
      ["DELETEs undone", found.undone, 0],
      ["stray files", found.stray, 0],
      ["disk, list and answers differ", found.disagree, 0],
      [
        "spawn to listening (ms): median, most",
        `${median("listening")?.toFixed(0)}, ${most("listening").toFixed(0)}`,
        "",
      ],
      ["spawn to all flows loaded (ms): median", median("loaded") ?? 0, ""],
      ["spawn to all flows loaded (ms): most", most("loaded"), mostBootMs],
    ],
  );
  for (const problem of changes.problems.slice(0, 20)) console.log(problem);
  verdict(
    changes.problems.length === 0 && most("loaded") < mostBootMs,
    `${puts + deletes} acknowledged changes and ${kills} kills, ${changes.problems.length} problems, slowest boot ${most("loaded").toFixed(0)} ms, seed ${seed}`,
  );
}
