/** Which routes of a deployment run, as its threads get them: none until it serves, and those with exclusive sources in their turn. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { FlowThread } from "./flow-thread.ts";
import type { SourceTurn, SourceTurns } from "./source-turns.ts";

interface Surroundings {
  readonly flowId: string;
  readonly sourceTurns: SourceTurns;
  manifest(): FlowManifest;
  /** Those that are to be told. */
  threads(): readonly FlowThread[];
}

export class ServedRoutes {
  readonly #around: Surroundings;
  #running: string | undefined;
  #turn: SourceTurn | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** `running`: for each route 1 when it runs, else 0. */
  serve(running: string): void {
    this.#running = running;
    for (const thread of this.#around.threads()) this.tell(thread);
  }

  /** Whether a route runs whose messages come about in the thread. */
  get hasSource(): boolean {
    const running = this.#running ?? "";
    return this.#around.manifest().routes.some(({ trigger }, i) => trigger.kind === "source" && running[i] === "1");
  }

  tell(thread: FlowThread): void {
    if (this.#running === undefined) return;
    const { flowId, sourceTurns, manifest, threads } = this.#around;
    this.#turn ??= sourceTurns.join(flowId, manifest(), () => {
      for (const one of threads()) this.tell(one);
    });
    thread.serve(this.#turn.allowed(this.#running));
  }

  /** The deployment is over. */
  end(): void {
    this.#turn?.leave();
  }
}
