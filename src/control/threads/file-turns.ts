/**
 * Of the deployments of one flow only the oldest that is left takes files: the next one begins when that has put away the file that it
 * was at, so that no file is taken twice. Whatever else a flow does, all its deployments do.
 */
import type { FlowManifest, RouteManifest } from "../../shared/manifest.ts";

export interface FileTurn {
  /** Which routes run, as far as it is this deployment's turn: for each 1 or 0. */
  allowed(running: string): string;
  /** It takes no files any more. */
  leave(): void;
}

const noFiles: FileTurn = { allowed: (running) => running, leave() {} };

interface Waiting {
  come(): void;
}

export class FileTurns {
  readonly #byFlow = new Map<string, Waiting[]>();

  /** `come` is called when its turn has come, unless it is there already. */
  join(flowId: string, { routes }: FlowManifest, come: () => void): FileTurn {
    if (!routes.some(isExclusive)) return noFiles;
    const queue = this.#byFlow.get(flowId) ?? [];
    this.#byFlow.set(flowId, queue);
    const mine: Waiting = { come };
    queue.push(mine);
    return {
      allowed: (running) =>
        queue[0] === mine
          ? running
          : Array.from(running, (one, index) => (isExclusive(routes[index]) ? "0" : one)).join(""),
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

function isExclusive(route: RouteManifest | undefined): boolean {
  return route?.trigger.kind === "source" && route.trigger.exclusive === true;
}
