/** The neighbours of a hostile flow, and the process that calls them and the control plane. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { route } from "../../../hostile/case.ts";
import { type Server, token } from "../server.ts";

export type Probed = "echo" | "chain" | "health" | "put" | "runs";

export type ProberOrder =
  | { readonly do: "begin"; readonly url: string; readonly token: string; readonly echoDocument: string }
  | { readonly do: "end" };

export interface ProbeReport {
  /** Milliseconds. */
  readonly figures: Readonly<Record<Probed, { readonly count: number; readonly p99: number; readonly most: number }>>;
  readonly failed: number;
  readonly examples: readonly { readonly probe: Probed; readonly what: string }[];
}

export interface Ticks {
  readonly count: number;
  /** That did not complete. */
  readonly failed: number;
  /** The longest time between two, in milliseconds. */
  readonly gapMs: number;
}

export const tickMs = 100;
const mostRuns = 500;

const flows: Readonly<Record<string, string>> = {
  "near.echo": route("echo", "webhook", 'setBody: { simple: "${body}" }'),
  "near.tick": route("tick", `timer:tick?period=${tickMs}&fixedRate=true`, "setBody: { constant: tick }"),
  "near.end": route("end", "direct:end", 'setBody: { simple: "${body}, passed on" }'),
  "near.chain": route("chain", "webhook", "to: direct:end"),
};

export async function deployNeighbours(server: Server): Promise<void> {
  for (const [id, yaml] of Object.entries(flows)) await server.put(id, yaml);
}

export class Prober {
  readonly #process: ChildProcess = fork(fileURLToPath(new URL("prober-process.ts", import.meta.url)));

  /** What came of `work` while everything was probed. */
  async during<T>(
    server: Server,
    work: () => Promise<T>,
  ): Promise<{ readonly report: ProbeReport; readonly result: T }> {
    const echoDocument = JSON.stringify({ yaml: flows["near.echo"] });
    this.#tell({ do: "begin", url: server.url, token, echoDocument });
    let result: T;
    try {
      result = await work();
    } finally {
      this.#tell({ do: "end" });
    }
    const [report] = (await once(this.#process, "message")) as [ProbeReport];
    return { report, result };
  }

  close(): void {
    this.#process.kill("SIGKILL");
  }

  #tell(order: ProberOrder): void {
    this.#process.send(order);
  }
}

/** Of the timer, since then (epoch ms): at most the last 500, which is 50 seconds. */
export async function ticksSince(server: Server, since: number): Promise<Ticks> {
  const query = `routeId=tick&limit=${mostRuns}&since=${new Date(since).toISOString()}`;
  const runs = (await (await server.api(`/runs?${query}`)).json()) as { startedAt: string; status: string }[];
  const times = runs.map(({ startedAt }) => Date.parse(startedAt)).sort((a, b) => a - b);
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
  const failed = runs.filter(({ status }) => status !== "completed" && status !== "running").length;
  return { count: runs.length, failed, gapMs: Math.max(0, ...gaps) };
}
