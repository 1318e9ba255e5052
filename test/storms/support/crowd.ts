/** A process full of readers of event streams. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { monotonicMs, pause } from "../../support/clock.ts";
import type { Server } from "./server.ts";
import { token } from "./server.ts";

export type CrowdOrder =
  | {
      readonly do: "open";
      readonly port: number;
      readonly token: string;
      readonly path: string;
      readonly stalls: boolean;
      readonly count: number;
    }
  /** `random`: 0 to 1, which of the healthy ones. */
  | { readonly do: "reconnect"; readonly random: number; readonly afterMs: number }
  | { readonly do: "resume"; readonly count: number }
  | { readonly do: "forget delays" }
  | { readonly do: "report" };

export interface FollowerReport {
  readonly trace: boolean;
  readonly stalls: boolean;
  readonly resumed: boolean;
  readonly closed: boolean;
  readonly received: number;
  readonly dropped: number;
  readonly lost: number;
  readonly wrong: number;
  /** The first number that it had to get, and the first that it has not got yet. */
  readonly first: number;
  readonly next: number;
}

export interface CrowdReport {
  readonly reconnects: number;
  /** Milliseconds from an event's making to its arrival. */
  readonly delayP50: number;
  readonly delayP99: number;
  readonly delayMax: number;
  readonly followers: readonly FollowerReport[];
}

export class Crowd {
  readonly #server: Server;
  readonly #process = fork(fileURLToPath(new URL("crowd-process.ts", import.meta.url)));
  #last: Promise<unknown> = Promise.resolve();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Resolves when all of them have had their `ready`. */
  open(path: string, count: number, stalls = false): Promise<CrowdReport> {
    return this.tell({ do: "open", port: this.#server.port, token, path, stalls, count });
  }

  /** One order at a time. */
  tell(order: CrowdOrder): Promise<CrowdReport> {
    const answer = this.#last.then(async () => {
      const over = new AbortController();
      const answered = Promise.race([
        once(this.#process, "message", { signal: over.signal }),
        once(this.#process, "exit", { signal: over.signal }).then(() => {
          throw new Error("the readers' process ended");
        }),
      ]);
      this.#process.send(order);
      const [report] = (await answered.finally(() => over.abort())) as [CrowdReport];
      return report;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Reports until one satisfies, or for so long; answers the last. */
  async until(done: (report: CrowdReport) => boolean, withinMs: number): Promise<CrowdReport> {
    const end = monotonicMs() + withinMs;
    for (;;) {
      const report = await this.tell({ do: "report" });
      if (done(report) || monotonicMs() > end) return report;
      await pause(200);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.kill(signal);
    await exited;
  }
}
