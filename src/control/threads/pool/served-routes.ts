/**
 * Which routes of a deployment run, as its threads get them: none until it serves. Of the deployments of one flow only the oldest that is
 * left has its exclusive sources started: those of the next one start when its threads have ended, so that no file and no message is
 * taken twice. Whatever else a flow does, all its deployments do.
 */
import { type FlowManifest, isExclusive } from "../../../shared/manifest.ts";
import type { FlowThread } from "../line/flow-thread.ts";

interface Surroundings {
  readonly flowId: string;
  readonly sourceTurns: SourceTurns;
  manifest(): FlowManifest;
  /** Those that get them. */
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
    for (const thread of this.#around.threads()) this.send(thread);
  }

  /** Whether a route runs whose messages come about in the thread. */
  get hasSource(): boolean {
    const running = this.#running ?? "";
    return this.#around.manifest().routes.some(({ trigger }, i) => trigger.kind === "source" && running[i] === "1");
  }

  send(thread: FlowThread): void {
    if (this.#running === undefined) return;
    const { flowId, sourceTurns, manifest, threads } = this.#around;
    this.#turn ??= sourceTurns.join(flowId, manifest(), () => {
      for (const one of threads()) this.send(one);
    });
    thread.serve(this.#turn.allowed(this.#running));
  }

  /** The deployment is over. */
  end(): void {
    this.#turn?.leave();
  }
}

interface SourceTurn {
  /** Which routes run, as far as it is this deployment's turn: for each 1 or 0. */
  allowed(running: string): string;
  /** Its sources have stopped for good. */
  leave(): void;
}

const noTurn: SourceTurn = { allowed: (running) => running, leave() {} };

interface Waiting {
  come(): void;
}

export class SourceTurns {
  readonly #byFlow = new Map<string, Waiting[]>();

  /** `come` is called when its turn has come, unless it is there already. */
  join(flowId: string, { routes }: FlowManifest, come: () => void): SourceTurn {
    const exclusive = routes.map(isExclusive);
    if (!exclusive.includes(true)) return noTurn;
    const queue = this.#byFlow.get(flowId) ?? [];
    this.#byFlow.set(flowId, queue);
    const mine: Waiting = { come };
    queue.push(mine);
    return {
      allowed: (running) =>
        queue[0] === mine
          ? running
          : Array.from(running, (one, index) => (exclusive[index] === true ? "0" : one)).join(""),
      leave: () => {
        const at = queue.indexOf(mine);
        if (at < 0) return;
        queue.splice(at, 1);
        if (queue.length === 0) this.#byFlow.delete(flowId);
        else if (at === 0) queue[0]?.come();
      },
    };
  }
}
