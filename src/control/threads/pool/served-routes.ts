/**
 * Sends threads the routes that run; nothing until the deployment serves. When a flow has several deployments, only the oldest one has its
 * exclusive sources started: those of the next one start when its threads have ended, so that no file and no message is taken twice. All
 * other routes run in every deployment.
 */
import { type FlowManifest, isExclusive } from "../../../shared/manifest.ts";
import type { FlowThread } from "../line/flow-thread.ts";

interface Surroundings {
  readonly flowId: string;
  readonly sourceTurns: SourceTurns;
  manifest(): FlowManifest;
  /** Returns the threads to be notified. */
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

  /** Whether a route with a source runs, whose messages arise in the threads. */
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

  /** Ends the deployment's turn. */
  end(): void {
    this.#turn?.leave();
  }
}

interface SourceTurn {
  /** Returns which of the running routes may run in this deployment: for each 1 or 0. */
  allowed(running: string): string;
  /** Ends the turn: the deployment's sources have stopped for good. */
  leave(): void;
}

const noTurn: SourceTurn = { allowed: (running) => running, leave() {} };

interface Waiting {
  come(): void;
}

/** Lets the deployments of a flow have their exclusive sources in turn. */
export class SourceTurns {
  readonly #byFlow = new Map<string, Waiting[]>();

  /** Puts a deployment into its flow's line. `come` is called when its turn comes; not if it is the first. */
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
