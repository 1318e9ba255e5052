/**
 * SIGKILLs of the real server while keys are claimed, groups of `aggregate` are open and complete, failed messages are retried one by one and many
 * at once, files are taken once each, and all these flows are replaced: no acknowledged key may be forgotten, no message lost. What comes twice is
 * counted, and the runtime or a kill has to explain it. `npm run storm -- state [kills] [seed]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochMs, monotonicMs } from "../support/clock.ts";
import { dice } from "./support/dice.ts";
import { StateKills } from "./support/state-kills.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? epochMs() % 1_000_000);
console.log(`seed ${seed}`);
const began = monotonicMs();
const directory = await mkdtemp(join(tmpdir(), "bulkhead-state-kills-"));
try {
  const { rows, problems, kills: moments, replaced } = await new StateKills(directory, dice(seed)).run(kills);
  table(
    ["", "", "bar"],
    [
      ["kills", kills, ""],
      ...Object.entries(moments).map(([moment, count]) => [`... ${moment}`, count, ""]),
      ["revisions put", replaced, ""],
      ...rows,
    ],
  );
  for (const problem of problems.slice(0, 20)) console.log(problem);
  const seconds = Math.round((monotonicMs() - began) / 1000);
  verdict(problems.length === 0, `${kills} kills in ${seconds} s, ${problems.length} problems, seed ${seed}`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
