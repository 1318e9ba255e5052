/**
 * Messages that were answered 202 and fail, beside groups that fail: all are retried again and again, one by one and many at once. Each has to
 * be delivered by a retry, or is still listed.
 */
import { epochMs, pause } from "../../../support/clock.ts";
import type { Server } from "../server.ts";
import type { InterruptedRuns } from "./interrupted-runs.ts";
import type { KeptSink } from "./kept-sink.ts";
import { counted, type PartFigures, type StormPart, sharedFlow } from "./part.ts";

const senders = 3;
const settleMs = 60_000;
/** With completed groups whose steps fail. */
const retriedFlows = ["shop.failing", sharedFlow];

interface Options {
  readonly sink: KeptSink;
  readonly port: number;
  readonly interrupted: InterruptedRuns;
  roll(below: number): number;
}

interface Listed {
  readonly id: string;
  readonly flowId: string;
}

export class FailedPart implements StormPart {
  readonly flowId = "shop.failing";
  readonly #options: Options;
  readonly #acknowledged = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #problems: string[] = [];
  #sent = 0;
  #single = 0;
  #bulk = 0;
  #left = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  yaml(version: number): string {
    return `
- route:
    id: failing
    from:
      uri: webhook
      steps:
        - setProperty: { name: version, constant: "${version}" }
        - marshal: { json: {} }
        - to: "http:127.0.0.1:${this.#options.port}/message?bridgeEndpoint=true&httpMethod=POST"
`;
  }

  async storm(server: Server): Promise<void> {
    const stop = { now: false };
    const sending = Promise.all(Array.from({ length: senders }, () => this.#send(server)));
    const retrying = this.#retrying(server, stop);
    await sending;
    stop.now = true;
    await retrying;
  }

  started(server: Server): Promise<void> {
    return this.#options.interrupted.read(server);
  }

  async finish(server: Server): Promise<void> {
    const until = epochMs() + settleMs;
    while (epochMs() < until && (await this.#listed(server)).length > 0) {
      for (const flowId of retriedFlows) await this.#retryMany(server, flowId);
      await pause(100);
    }
    for (const { id } of await this.#listed(server)) {
      const { message } = (await (await server.api(`/failed/${id}`)).json()) as { message: { body: unknown } | null };
      for (const text of [message?.body].flat()) this.#left.add(String(text));
    }
  }

  async figures(): Promise<PartFigures> {
    const { sink, interrupted } = this.#options;
    const taken = counted(sink.deliveries.flatMap(({ messages }) => messages).filter((text) => text.startsWith("f")));
    const problems = [...this.#problems];
    const lost = [...this.#acknowledged].filter((text) => !taken.has(text) && !this.#left.has(text));
    for (const text of lost) problems.push(`the message ${text} was answered 202, and is neither delivered nor listed`);
    const doubles = [...taken].filter(([, count]) => count > 1);
    const unexplained = doubles.filter(([text, count]) => count - 1 > interrupted.times(text));
    for (const [text, count] of unexplained)
      problems.push(
        `the message ${text} was delivered ${count} times, and listed as interrupted ${interrupted.times(text)} times`,
      );
    const unknown = [...taken.keys()].filter((text) => !this.#acknowledged.has(text) && !this.#cut.has(text));
    for (const text of unknown) problems.push(`the message ${text} was delivered and never sent`);
    return {
      rows: [
        ["failing messages acknowledged", this.#acknowledged.size, ""],
        ["... cut off", this.#cut.size, ""],
        ["... refused by the server they go to, with groups", sink.refused, ""],
        ["... retried one by one, with groups", this.#single, ""],
        ["... retried many at once, with groups", this.#bulk, ""],
        ["... messages of runs that were listed as interrupted, with groups", interrupted.size, ""],
        ["... delivered", taken.size, ""],
        ["... still listed at the end, with groups", this.#left.size, ""],
        ["... lost", lost.length, 0],
        ["... delivered again, listed as interrupted", doubles.length - unexplained.length, ""],
        ["... delivered again without a reason", unexplained.length, 0],
      ],
      problems,
    };
  }

  async #send({ url }: Server): Promise<void> {
    for (;;) {
      const text = `f${++this.#sent}`;
      const headers = { "Content-Type": "text/plain", Prefer: "respond-async" };
      try {
        const answer = await fetch(`${url}/api/failing`, { method: "POST", headers, body: text });
        const body = await answer.text();
        if (answer.status === 202) this.#acknowledged.add(text);
        else this.#problems.push(`the message ${text} was answered ${answer.status} ${body}`);
      } catch {
        this.#cut.add(text);
        return;
      }
      await pause(this.#options.roll(10));
    }
  }

  /** Calls that a kill cuts off are nobody's problem. */
  async #retrying(server: Server, stop: { readonly now: boolean }): Promise<void> {
    const { roll } = this.#options;
    while (!stop.now) {
      await pause(20);
      const many = roll(2) === 0;
      await (many
        ? this.#retryMany(server, retriedFlows[roll(retriedFlows.length)] as string)
        : this.#retryOne(server)
      ).catch(() => {});
    }
  }

  async #retryMany({ api }: Server, flowId: string): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const answer = await api("/failed/retry", { method: "POST", headers, body: JSON.stringify({ flowId }) });
    const { count } = (await answer.json()) as { count?: number };
    this.#bulk += count ?? 0;
    if (!answer.ok) this.#problems.push(`the retry of all of ${flowId} was answered ${answer.status}`);
  }

  async #retryOne(server: Server): Promise<void> {
    const listed = await this.#listed(server, 20);
    const { roll } = this.#options;
    const entry = listed[roll(Math.max(1, listed.length))];
    if (entry === undefined) return;
    const answer = await server.api(`/failed/${entry.id}/retry?wait=${roll(2) === 0}`, { method: "POST" });
    await answer.arrayBuffer();
    if (answer.ok) this.#single += 1;
  }

  async #listed({ api }: Server, limit = 500): Promise<readonly Listed[]> {
    const lists = ["waiting", "retrying"].map(async (state) => {
      return (await (await api(`/failed?state=${state}&limit=${limit}`)).json()) as readonly Listed[];
    });
    return (await Promise.all(lists)).flat();
  }
}
