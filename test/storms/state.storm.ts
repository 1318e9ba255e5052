/**
 * SIGKILLs of the real server while 16 senders deliver messages with keys, repeat those that were not acknowledged, and send acknowledged ones
 * again, beside a consumer that takes each file once: no acknowledged key may be forgotten, no message lost; what is processed twice is
 * counted, and a kill has to explain it. `npm run storm -- state [kills] [seed]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dice } from "./support/dice.ts";
import { StateKills } from "./support/state-kills.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const directory = await mkdtemp(join(tmpdir(), "bulkhead-state-kills-"));
try {
  const figures = await new StateKills(directory, dice(seed)).run(kills);
  table(
    ["", "", "bar"],
    [
      ["kills", kills, ""],
      ["messages acknowledged", figures.acknowledged, ""],
      ["messages cut off", figures.cut, ""],
      ["acknowledged keys sent again", figures.repeated, ""],
      ["files", figures.files, ""],
      ["acknowledged keys forgotten", figures.lostKeys, 0],
      ["messages and files lost", figures.lostMessages, 0],
      ["processed twice", figures.doubles, ""],
      ["... that no kill explains", figures.unexplained, 0],
    ],
  );
  for (const problem of figures.problems.slice(0, 20)) console.log(problem);
  verdict(figures.problems.length === 0, `${kills} kills, ${figures.problems.length} problems`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
