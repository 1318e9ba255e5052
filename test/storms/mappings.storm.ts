/**
 * Value mappings: how long a large one takes from its PUT to the runs of a flow, how late the main loop is meanwhile, and many
 * versions under load. `npm run storm -- mappings [rows] [large versions] [updates under load]`
 */
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { epochMs, monotonicMs } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import type { Lag } from "./support/lag-probe.ts";
import { updateUnderLoad } from "./support/mapping-updates.ts";
import { type Server, startServer } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const rows = Number(process.argv[2] ?? 100_000);
const versions = Number(process.argv[3] ?? 10);
const updates = Number(process.argv[4] ?? 500);
const bars = { putMs: 2000, updateMs: 200, lagMs: 50 };

interface Round {
  /** Of the PUT, from its first byte to its answer. */
  readonly putMs: number;
  /** From the rename of the stored file to the end of a call that was answered by it. */
  readonly updateMs: number;
  readonly lag: Lag;
}

const server = await startServer({
  flags: ["--import", new URL("support/lag-probe.ts", import.meta.url).href],
  ipc: true,
});
try {
  const rounds = await largeVersions(server);
  const figures = await updateUnderLoad(server, updates);
  const most = (of: (round: Round) => number): number => Math.max(...rounds.map(of));
  const median = (of: (round: Round) => number): number =>
    rounds.map(of).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
  const wrong = figures.unexpected + figures.broken;
  table(
    ["", "median", "most", "bar"],
    [
      [`PUT of ${rows} rows (ms)`, median(({ putMs }) => putMs), most(({ putMs }) => putMs), bars.putMs],
      [
        "stored to seen by a run (ms)",
        median(({ updateMs }) => updateMs),
        most(({ updateMs }) => updateMs),
        bars.updateMs,
      ],
      ["main loop late meanwhile (ms)", median(({ lag }) => lag.most), most(({ lag }) => lag.most), bars.lagMs],
      ["versions under load", "", figures.updates, ""],
      ["answers", "", figures.answered, ""],
      ["answers that mix versions, or are of one before", "", wrong, 0],
    ],
  );
  for (const example of figures.examples) console.log(example);
  verdict(
    most(({ putMs }) => putMs) < bars.putMs &&
      most(({ updateMs }) => updateMs) < bars.updateMs &&
      most(({ lag }) => lag.most) < bars.lagMs &&
      wrong === 0,
    `${versions} versions of ${rows} rows, ${figures.updates} updates and ${figures.answered} answers under load`,
  );
} finally {
  await server.remove();
}

async function largeVersions(target: Server): Promise<Round[]> {
  await put(target, documentOf(0));
  await target.put("large", webhook("large", 'setBody: { constant: "key-7" }', "valueMapping: { id: large }"));
  const rounds: Round[] = [];
  for (let n = 1; n <= versions; n++) {
    const document = documentOf(n);
    await lag(target);
    const began = monotonicMs();
    await put(target, document);
    const putMs = monotonicMs() - began;
    const seen = await (await fetch(`${target.url}/api/large`, { method: "POST" })).text();
    const seenAt = epochMs();
    if (seen !== `value-7-${n}`) throw new Error(`version ${n} was answered, and a run saw ${seen}`);
    const { mtimeMs } = await stat(join(target.directory, "data/value-mappings/large.document"));
    rounds.push({ putMs, updateMs: seenAt - mtimeMs, lag: await lag(target) });
  }
  return rounds;
}

function documentOf(version: number): string {
  const entries = Array.from({ length: rows }, (_, n) => [`key-${n}`, `value-${n}-${version}`] as const);
  return JSON.stringify({ name: "large", entries: Object.fromEntries(entries) });
}

async function put({ api }: Server, body: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const answer = await api("/value-mappings/large", { method: "PUT", headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`PUT: ${answer.status} ${text}`);
}

async function lag({ child }: Server): Promise<Lag> {
  child.send("how late?");
  const [told] = (await once(child, "message")) as [Lag];
  return told;
}
