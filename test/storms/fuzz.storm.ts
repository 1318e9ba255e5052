/**
 * Random bytes, targets, flow documents and API requests against one real process: nothing that the door does not answer as it
 * should, no server error, nothing that the OpenAPI document does not say.
 * `npm run storm -- fuzz [runs of each] [seed]`; the same seed and number make the same requests.
 */

import { furnish, worldAt } from "../control/corpus/world.ts";
import { fuzzApi, type Tally } from "../control/fuzz/fuzz-api.ts";
import { fuzzBytes } from "../control/fuzz/fuzz-bytes.ts";
import { fuzzTargets } from "../control/fuzz/fuzz-targets.ts";
import { fuzzYaml } from "../control/fuzz/fuzz-yaml.ts";
import { monotonicMs } from "../support/clock.ts";
import { patientVariables } from "../support/patience.ts";
import { startServer, token } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const runs = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

const server = await startServer({ env: patientVariables });
try {
  const world = worldAt(server.url, token);
  await furnish(world);
  const rows: (readonly [name: string, seconds: number, found: string])[] = [];
  let tally: Tally = new Map();
  const fuzzes = {
    bytes: fuzzBytes,
    targets: fuzzTargets,
    flows: fuzzYaml,
    API: async (...args: Parameters<typeof fuzzApi>) => {
      tally = await fuzzApi(...args);
    },
  };
  for (const [name, fuzz] of Object.entries(fuzzes)) {
    const began = monotonicMs();
    const found = await fuzz(world, { runs, seed }).then(
      () => "nothing",
      (error: unknown) => {
        console.error(error);
        return "see above";
      },
    );
    rows.push([name, (monotonicMs() - began) / 1000, found]);
  }
  const answers = [...tally].filter(([answer]) => !answer.endsWith(" 501")).sort(([a], [b]) => (a < b ? -1 : 1));
  table(["API: operation and status", "answers"], answers);
  table([`${runs} runs of each`, "seconds", "found"], rows);
  const alive = server.child.exitCode === null && server.problems() === "";
  verdict(alive && rows.every(([, , found]) => found === "nothing"), `seed ${seed}, one process`);
} finally {
  await server.remove();
}
