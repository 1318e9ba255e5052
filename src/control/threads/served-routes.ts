/** Which routes of a deployment run, as its threads are told: none until it serves; those that take files when it is their turn. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { FileTurn, FileTurns } from "./file-turns.ts";
import type { FlowThread } from "./flow-thread.ts";

interface Surroundings {
  readonly flowId: string;
  readonly fileTurns: FileTurns;
  manifest(): FlowManifest;
  /** Those that are to be told. */
  threads(): readonly FlowThread[];
}

export class ServedRoutes {
  readonly #around: Surroundings;
  #running: string | undefined;
  #turn: FileTurn | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** `running`: for each route 1 when it runs, else 0. */
  serve(running: string): void {
    this.#running = running;
    for (const thread of this.#around.threads()) this.tell(thread);
  }

  tell(thread: FlowThread): void {
    if (this.#running === undefined) return;
    const { flowId, fileTurns, manifest, threads } = this.#around;
    this.#turn ??= fileTurns.join(flowId, manifest(), () => {
      for (const one of threads()) this.tell(one);
    });
    thread.serve(this.#turn.allowed(this.#running));
  }

  /** The deployment is over. */
  end(): void {
    this.#turn?.leave();
  }
}
