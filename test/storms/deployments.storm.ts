/**
 * SIGKILLs of the real server while sets of 50 flows, 25 mappings and 25 policies are deployed one after the other, each with other parts
 * than the one before, the rest pruned: half of the kills at any time, half as soon as the journal is there. After each restart the disk,
 * the lists, the documents and the answers of the flows are those of one set as a whole: the acknowledged one, or the one under way.
 * `npm run storm -- deployments [kills] [seed]`.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochMs, monotonicMs, pause } from "../support/clock.ts";
import { dice } from "./support/dice.ts";
import { strayFiles } from "./support/killed-changes.ts";
import { loaded } from "./support/loaded.ts";
import { type Server, startServer } from "./support/server.ts";
import { type SetVersion, StormedSet } from "./support/stormed-set.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? epochMs() % 1_000_000);

const roll = dice(seed);
const set = new StormedSet(seed);
const counts = { acknowledged: 0, nothing: 0, whole: 0, completed: 0, parts: 0 };
const problems: string[] = [];
const durations: number[] = [];
const directory = await mkdtemp(join(tmpdir(), "bulkhead-deployments-"));
const journals = join(directory, "data", "deployments");
let state: { acknowledged: SetVersion; inFlight: SetVersion | undefined } = { acknowledged: 0, inFlight: undefined };
let serial = 0;

console.log(`seed ${seed}`);
let server: Server | undefined;
try {
  for (let round = 1; round <= kills + 1; round++) {
    server = await startServer({ directory, keepLines: true });
    await loaded(server.url);
    await check(server, round);
    if (round > kills) break;
    await deployUntilKilled(server, round % 2 === 0);
    if (round % 10 === 0)
      console.log(`${round} kills, ${counts.acknowledged} sets acknowledged, ${problems.length} problems`);
  }
} finally {
  await server?.remove();
  await rm(directory, { recursive: true, force: true });
}
report();

/** `atJournal`: the kill comes when the commit point has just been passed, and not at a time of its own. */
async function deployUntilKilled(booted: Server, atJournal: boolean): Promise<void> {
  const usualMs = durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 3000;
  const waitMs = roll(Math.ceil(usualMs * 2.5));
  const killed = (async () => {
    if (atJournal) await journalThere(roll(3) * 4);
    else await pause(waitMs);
    await booted.remove();
  })();
  for (;;) {
    const version = ++serial;
    state.inFlight = version;
    const began = monotonicMs();
    const answer = await send(booted, version).catch(() => undefined);
    if (answer === undefined) break;
    if (answer.status !== 200) problems.push(`set ${version}: answered ${answer.status} ${answer.text}`);
    durations.push(monotonicMs() - began);
    counts.acknowledged += 1;
    state = { acknowledged: version, inFlight: undefined };
  }
  await killed;
}

/** Resolves `laterMs` after a journal has appeared: its presence lasts a few milliseconds, so that looking is all there is. */
async function journalThere(laterMs: number): Promise<void> {
  await mkdir(journals, { recursive: true });
  const until = monotonicMs() + 20_000;
  while (!existsSync(join(journals, "journal.json")) && monotonicMs() < until) await pause(1);
  if (laterMs > 0) await pause(laterMs);
}

async function send(booted: Server, version: SetVersion): Promise<{ readonly status: number; readonly text: string }> {
  const expected = set.removals(state.acknowledged, version);
  const answer = await booted.api(`/deployments?prune=true&expectRemovals=${expected}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(set.document(version)),
  });
  return { status: answer.status, text: (await answer.text()).slice(0, 500) };
}

/** What is found is acknowledged from here on. */
async function check(booted: Server, round: number): Promise<void> {
  const told = (what: string) => problems.push(`after kill ${round - 1}: ${what}`);
  const found = await set.onDisk(directory);
  const { acknowledged, inFlight } = state;
  const whole = [acknowledged, inFlight].find(
    (version) => version !== undefined && set.differences(found, version) === 0,
  );
  if (whole === undefined) {
    const of = (version: SetVersion) => `${set.differences(found, version)} parts differ from set ${version}`;
    told(`neither set as a whole: ${of(acknowledged)}${inFlight === undefined ? "" : `, ${of(inFlight)}`}`);
    counts.parts += 1;
  } else if (inFlight !== undefined) counts[whole === inFlight ? "whole" : "nothing"] += 1;
  if (booted.lines.some((line) => line.includes("which was cut off, is complete"))) counts.completed += 1;
  for (const problem of await set.served(booted, found)) told(problem);
  for (const stray of [...(await strayFiles(directory)), ...(await readdir(journals).catch(() => []))])
    told(`${stray} stays behind`);
  state = { acknowledged: whole ?? acknowledged, inFlight: undefined };
}

function report(): void {
  const sorted = durations.toSorted((a, b) => a - b);
  table(
    ["", "", "bar"],
    [
      ["kills", kills, ""],
      ["acknowledged sets", counts.acknowledged, ""],
      ["sets cut off, of which nothing is there", counts.nothing, ""],
      ["sets cut off that are there as a whole", counts.whole, ""],
      ["completed by the boot", counts.completed, ""],
      ["sets of which a part is there", counts.parts, 0],
      [
        "a set's deployment (ms): median, most",
        `${sorted[sorted.length >> 1]?.toFixed(0)}, ${sorted.at(-1)?.toFixed(0)}`,
        "",
      ],
      ["problems", problems.length, 0],
    ],
  );
  for (const problem of problems.slice(0, 20)) console.log(problem);
  verdict(
    problems.length === 0 && counts.completed > 0,
    `${counts.acknowledged} acknowledged sets and ${kills} kills, ${counts.completed} completed by the boot, ${problems.length} problems, seed ${seed}`,
  );
}
