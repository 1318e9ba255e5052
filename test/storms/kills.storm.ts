/**
 * SIGKILLs of the real server in the middle of a storm of PUT and DELETE of flows, value mappings, message mappings and policies, 20 to
 * 120 ms after every client has been answered; each time the disk, the lists, the documents and the answers of the flows after the
 * restart are held against what was acknowledged and what was under way.
 * `npm run storm -- kills [kills] [most ms of a boot] [seed]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochMs, monotonicMs, pause } from "../support/clock.ts";
import { Changes, type Thing } from "./support/change-storm.ts";
import { dice } from "./support/dice.ts";
import { strayFiles } from "./support/killed-changes.ts";
import { loaded } from "./support/loaded.ts";
import { type Server, startServer } from "./support/server.ts";
import {
  flows,
  type Kind,
  type Listed,
  messageMappings,
  policies,
  type Version,
  valueMappings,
} from "./support/stormed-things.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const mostBootMs = Number(process.argv[3] ?? 1500);
const seed = Number(process.argv[4] ?? epochMs() % 1_000_000);

const roll = dice(seed);
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);
const kinds: readonly (readonly [Kind, readonly string[]])[] = [
  [flows, idsOf("flow", 12)],
  [valueMappings, idsOf("codes", 6)],
  [messageMappings, idsOf("order", 6)],
  [policies, idsOf("guarded", 6)],
];
const changes = new Changes(kinds, roll);
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
    await pause(20 + roll(101));
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
  const began = monotonicMs();
  const booted = await startServer({ directory });
  const listening = monotonicMs() - began;
  await loaded(booted.url);
  boots.push({ listening, loaded: monotonicMs() - began });
  return booted;
}

/** What is found is acknowledged from here on. */
async function check(booted: Server, round: number): Promise<void> {
  const told = (what: string) => changes.problems.push(`after kill ${round - 1}: ${what}`);
  const lists = new Map<Kind, readonly Listed[]>();
  for (const [kind, ids] of kinds) {
    const list = kind === policies ? [] : await listOf(booted, kind);
    lists.set(kind, list);
    for (const { id } of list) if (!ids.includes(id)) told(`the ${kind.name} ${id} came from nowhere`);
  }
  for (const thing of changes.things) await checkThing(booted, thing, lists.get(thing.kind) ?? [], told);
  for (const stray of await strayFiles(directory)) {
    found.stray += 1;
    told(`${stray} stays behind`);
  }
}

async function checkThing(
  booted: Server,
  thing: Thing,
  list: readonly Listed[],
  told: (what: string) => void,
): Promise<void> {
  const { kind, id } = thing;
  const onDisk = await kind.onDisk(directory, id);
  if (onDisk === undefined) {
    found.torn += 1;
    told(`the ${kind.name} ${id} is torn`);
    return;
  }
  judge(thing, onDisk, told);
  const { version, revision = 0, seen } = await kind.served(booted, id, list);
  if (version !== onDisk) {
    found.disagree += 1;
    told(`the ${kind.name} ${id} is version ${onDisk} on the disk, ${seen}`);
  }
  if (onDisk !== 0 && revision < thing.revision)
    told(`the ${kind.name} ${id}: revision ${revision} after ${thing.revision}`);
  Object.assign(thing, { acknowledged: onDisk, inFlight: undefined });
}

async function listOf({ api }: Server, kind: Kind): Promise<readonly Listed[]> {
  return (await (await api(kind.path("").slice(0, -1))).json()) as readonly Listed[];
}

function judge({ kind, id, acknowledged, inFlight }: Thing, onDisk: Version, told: (what: string) => void): void {
  if (onDisk === acknowledged || onDisk === inFlight) return;
  if (acknowledged === 0) found.undone += 1;
  else found.lost += 1;
  told(
    `the ${kind.name} ${id} is version ${onDisk}; acknowledged was ${acknowledged}, under way ${inFlight ?? "nothing"}`,
  );
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
