/** One hostile flow in a real process, beside neighbours and a control plane that are probed from another process. */
import { calls } from "../../../hostile/attacks.ts";
import { type Answer, type HostileCase, type Mode, shownText, type Target } from "../../../hostile/case.ts";
import { endOf } from "../../../hostile/end-of-run.ts";
import { startFarSide } from "../../../hostile/far-side.ts";
import { epochMs, hanging, monotonicMs, pause } from "../../../support/clock.ts";
import type { Lag } from "../lag-probe.ts";
import { type Server, startServer } from "../server.ts";
import { lagOf, residentDuring, residentOfAll } from "./figures.ts";
import { deployNeighbours, type ProbeReport, Prober, type Ticks, ticksSince } from "./prober.ts";

const MiB = 1024 * 1024;
const lagProbe = new URL("../lag-probe.ts", import.meta.url).href;
const faultyThreads = new URL("faulty-threads.ts", import.meta.url).href;
const quietMs = 2000;
/** A flow of the same group, which shares its host process. */
const sibling = `- route: { id: sibling, from: { uri: webhook, steps: [{ setBody: { constant: here } }] } }`;

export interface Tried {
  readonly answers: readonly Answer[];
  /** How the record of the first run ends; "" when there is none. */
  readonly record: string;
  readonly quiet: ProbeReport;
  readonly noisy: ProbeReport;
  readonly ticks: Ticks;
  /** undefined: the process is gone. */
  readonly lag: Lag | undefined;
  /** MiB over what it was before. */
  readonly grownMiB: number;
  readonly grownAfterMiB: number;
  readonly samePid: boolean;
  /** The longest time in which a flow of its group was not there. */
  readonly siblingAwayMs: number;
  readonly also: readonly string[];
}

export class Rig {
  readonly #mode: Mode;
  readonly #prober = new Prober();
  readonly #farSide = startFarSide();
  #server: Server | undefined;
  #faulty = false;
  readonly #forMs: number;
  readonly #afterMs: number;

  /** An attack goes on for `forMs`; what is left of it is looked at `afterMs` later. */
  constructor(mode: Mode, forMs: number, afterMs: number) {
    this.#mode = mode;
    this.#forMs = forMs;
    this.#afterMs = afterMs;
  }

  async try(attacked: HostileCase): Promise<Tried> {
    const server = await this.#serverFor(attacked);
    await server.put("hostile.sibling", sibling);
    for (const [id, yaml] of Object.entries(attacked.flows)) await this.#put(server, id, yaml, attacked);
    const quiet = await this.#prober.during(server, () => pause(quietMs));
    await lagOf(server);
    const before = residentOfAll(server.pid);
    const began = epochMs();
    const noisy = await this.#prober.during(server, () =>
      residentDuring(server.pid, () => this.#attack(server, attacked)),
    );
    const lag = await lagOf(server);
    const samePid = lag !== undefined;
    const { answers, awayMs } = noisy.result.result;
    const ticks = samePid ? await ticksSince(server, began) : { count: 0, failed: 0, gapMs: Number.POSITIVE_INFINITY };
    const record = samePid && attacked.record !== undefined ? await endOf(server, answers[0]?.runId) : "";
    const also = samePid ? ((await attacked.also?.(server, answers)) ?? []) : [];
    if (samePid) await pause(this.#afterMs);
    const after = samePid ? residentOfAll(server.pid) : 0;
    await this.#cleanUp(attacked);
    return {
      answers,
      record,
      quiet: quiet.report,
      noisy: noisy.report,
      ticks,
      lag,
      grownMiB: (noisy.result.resident.most - before) / MiB,
      grownAfterMiB: (after - before) / MiB,
      samePid,
      siblingAwayMs: awayMs,
      also,
    };
  }

  async close(): Promise<void> {
    this.#prober.close();
    (await this.#farSide).close();
    await this.#server?.remove();
  }

  async #attack(
    server: Server,
    attacked: HostileCase,
  ): Promise<{ readonly answers: readonly Answer[]; readonly awayMs: number }> {
    const until = monotonicMs() + this.#forMs;
    let over = false;
    const away = longestAway(server, () => over);
    try {
      const answers = await (attacked.attack ?? calls)(server, attacked, () => monotonicMs() > until);
      await pause(Math.max(0, until - monotonicMs()));
      return { answers, awayMs: await ending() };
    } finally {
      over = true;
    }
    function ending(): Promise<number> {
      over = true;
      return away;
    }
  }

  async #serverFor({ fault }: HostileCase): Promise<Server> {
    const faulty = fault !== undefined;
    const running =
      this.#server !== undefined && this.#server.child.exitCode === null && this.#server.child.signalCode === null;
    if (this.#server !== undefined && running && this.#faulty === faulty) return this.#server;
    await this.#server?.remove();
    const { url } = await this.#farSide;
    const flags = ["--import", lagProbe, ...(faulty ? ["--import", faultyThreads] : [])];
    const env = {
      ...(this.#mode === "process" && { ISOLATION: "process" }),
      EGRESS_ALLOW: new URL(url).host,
      LIMIT_RESPONSE_STALL_MS: "5000",
    };
    this.#faulty = faulty;
    this.#server = await startServer({ env, flags, ipc: true });
    await deployNeighbours(this.#server);
    return this.#server;
  }

  async #put(server: Server, id: string, yaml: string, { limits = {} }: HostileCase): Promise<void> {
    const { url, forbiddenPort } = await this.#farSide;
    const answer = await server.api(`/flows/${id}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ yaml, limits, params: { far: url, forbiddenPort: String(forbiddenPort) } }),
    });
    if (!answer.ok) throw new Error(`PUT ${id}: ${answer.status} ${await answer.text()}`);
  }

  /** What it has left would be part of the next one's beginning. */
  async #cleanUp(attacked: HostileCase): Promise<void> {
    const server = this.#server as Server;
    if (server.child.exitCode !== null || server.child.signalCode !== null) return;
    for (const id of new Set([...Object.keys(attacked.flows), "hostile.main", "hostile.sibling"]))
      await (await server.api(`/flows/${id}?drainMs=0`, { method: "DELETE" })).text();
  }
}

/** Resolves, when it is over, with the longest time in milliseconds in which the sibling gave no good answer. */
async function longestAway({ url }: Target, over: () => boolean): Promise<number> {
  let longest = 0;
  let lastGood = monotonicMs();
  while (!over()) {
    const good = await fetch(`${url}/api/sibling`, { method: "POST", signal: hanging(5000) }).then(
      async (answer) => (await answer.text()) === "here",
      () => false,
    );
    const now = monotonicMs();
    if (good) lastGood = now;
    else longest = Math.max(longest, now - lastGood);
    await pause(25);
  }
  return longest;
}

/** The answers that differ from the first, counted. */
export function laterAnswers(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(shownText(answer), (counts.get(shownText(answer)) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(", ");
}
