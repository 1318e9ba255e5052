/** SIGTERM during PUTs: what was acknowledged is there after a restart, what was refused is not. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, pause } from "../../../support/clock.ts";
import { answering } from "../../../support/flows.ts";
import type { Round } from "../../shutdown.storm.ts";
import { type Server, startServer } from "../server.ts";
import { ending, graceMs } from "./ending.ts";

const flows = 8;

/** Versions of one flow: those that it may answer with after a restart. */
interface Known {
  acknowledged: number;
  /** Sent, and neither acknowledged nor refused. */
  open: number | undefined;
}

interface Counts {
  acknowledged: number;
  refused: number;
  open: number;
  readonly wrong: string[];
}

export async function putRound(round: number): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-storm-"));
  const env = { LIMIT_SHUTDOWN_MS: String(graceMs) };
  try {
    const first = await startServer({ directory, env });
    const known = Array.from({ length: flows }, (): Known => ({ acknowledged: 0, open: undefined }));
    const counts: Counts = { acknowledged: 0, refused: 0, open: 0, wrong: [] };
    const writers = Promise.all(known.map((of, nth) => write(first, nth, of, counts)));
    await pause(500 + ((round * 71) % 500));
    const since = monotonicMs();
    first.child.kill("SIGTERM");
    const [ended] = await Promise.all([ending(first, since), writers]);
    const second = await startServer({ directory, env });
    while ((await second.api("/health?probe=ready")).status !== 200) await pause(20);
    const { wrong: refusals, ...figures } = counts;
    const wrong = [...ended.wrong, ...refusals];
    for (const [nth, { acknowledged, open }] of known.entries()) {
      const answer = await fetch(`${second.url}/api/r${nth}`, { method: "POST" });
      const text = await answer.text();
      const version = answer.status === 404 ? 0 : Number(text.slice(1));
      if (version !== acknowledged && version !== open) {
        wrong.push(
          `flow f${nth} answers '${text}' after the restart: v${acknowledged} was acknowledged, v${open} is open`,
        );
      }
    }
    await second.remove();
    return { figures: { ...figures, "most ms to the end": ended.ms }, wrong };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** One version after the other, until the server is gone or refuses. */
async function write(server: Server, nth: number, known: Known, counts: Counts): Promise<void> {
  for (let version = 1; ; version++) {
    known.open = version;
    try {
      const yaml = answering(`r${nth}`, `v${version}`);
      const answer = await server.api(`/flows/f${nth}`, {
        method: "PUT",
        headers: { "Content-Type": "application/yaml" },
        body: yaml,
      });
      await answer.arrayBuffer();
      known.open = undefined;
      if (answer.status === 503) {
        counts.refused += 1;
        return;
      }
      if (!answer.ok) {
        counts.wrong.push(`PUT f${nth} was answered ${answer.status}`);
        return;
      }
      known.acknowledged = version;
      counts.acknowledged += 1;
    } catch {
      counts.open += 1;
      return;
    }
  }
}
