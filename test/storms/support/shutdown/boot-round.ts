/** SIGTERM while it loads its flows: it ends, and the next start finds all of them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, pause } from "../../../support/clock.ts";
import { answering } from "../../../support/flows.ts";
import type { Round } from "../../shutdown.storm.ts";
import { startServer } from "../server.ts";
import { ending, graceMs } from "./ending.ts";

const flows = 60;

export async function bootRound(round: number): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-storm-"));
  const env = { LIMIT_SHUTDOWN_MS: String(graceMs) };
  try {
    await mkdir(join(directory, "routes"));
    for (let i = 0; i < flows; i++) await writeFile(join(directory, `routes/f${i}.yaml`), answering(`r${i}`, `v${i}`));
    const first = await startServer({ directory, env, keepLines: true });
    await pause((round * 173) % 1500);
    const since = monotonicMs();
    first.child.kill("SIGTERM");
    const ended = await ending(first, since);
    const loaded = first.lines.filter((line) => line.includes("serves after")).length;
    const second = await startServer({ directory, env });
    while ((await second.api("/health?probe=ready")).status !== 200) await pause(20);
    const wrong = [...ended.wrong];
    for (let i = 0; i < flows; i++) {
      const text = await (await fetch(`${second.url}/api/r${i}`, { method: "POST" })).text();
      if (text !== `v${i}`) wrong.push(`flow f${i} answers ${text} after the restart`);
    }
    await second.remove();
    return { figures: { "flows loaded before the signal": loaded, "most ms to the end": ended.ms }, wrong };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
