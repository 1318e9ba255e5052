/** The bench's end of the client in its own process (rate-client.ts). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { StreamResult, Trial } from "./rate-client.ts";

export class RateLoad {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(fileURLToPath(new URL("rate-client.ts", import.meta.url)), { stdio: "inherit" });
  }

  /** By the streams' names. One trial at a time. */
  async run(trial: Trial): Promise<ReadonlyMap<string, StreamResult>> {
    const answer = once(this.#child, "message");
    this.#child.send(trial);
    const [results] = (await answer) as [readonly StreamResult[]];
    return new Map(results.map((result) => [result.name, result]));
  }

  stop(): void {
    this.#child.kill();
  }
}
