/** Carries out requests of routes to start, stop or suspend routes of their own flow (Camel: ControlBusProducer, which asks the RouteController). */
import type { RouteAction } from "../../shared/protocol.ts";
import type { RouteRequest, RouteState } from "../threads/pooled-flow.ts";
import type { Deployment } from "./deployment.ts";
import type { LiveFlows } from "./live-flows.ts";

/** The state that each action leads to from every state: a start resumes a suspended route, a resume starts a stopped one. */
const leadsTo: Readonly<Record<Exclude<RouteAction, "status" | "restart">, RouteState>> = {
  start: "Started",
  resume: "Started",
  suspend: "Suspended",
  stop: "Stopped",
};

const replaced = "its deployment has been replaced or stopped";

export class RouteControl {
  readonly #live: LiveFlows;
  /** Routes that are stopped for a restart; a second restart is refused meanwhile. */
  readonly #restarting = new WeakMap<Deployment, Set<number>>();

  constructor(live: LiveFlows) {
    this.#live = live;
  }

  /** `deployment`: the one of the asking route. Answers at once, a restart after its delay. Throws for a route that the deployment does not have. */
  ask(deployment: Deployment, ask: RouteRequest): void {
    const { routeIndex, action } = ask;
    const state = deployment.states.get(routeIndex);
    if (state === undefined) throw new Error("a route that is asked for is one of its flow");
    if (this.#live.get(deployment.flowId) !== deployment) ask.refuse(replaced);
    else if (action === "status") ask.reply(state);
    else if (action === "restart") this.#restart(deployment, ask);
    else {
      this.#live.setRoutes(deployment, [routeIndex], leadsTo[action]);
      ask.reply(leadsTo[action]);
    }
  }

  #restart(deployment: Deployment, { routeIndex, delayMs, reply, refuse }: RouteRequest): void {
    const restarting = this.#restarting.get(deployment) ?? new Set();
    this.#restarting.set(deployment, restarting);
    if (restarting.has(routeIndex)) {
      refuse("it is being restarted already");
      return;
    }
    this.#live.setRoutes(deployment, [routeIndex], "Stopped");
    const start = (): void => {
      restarting.delete(routeIndex);
      if (this.#live.get(deployment.flowId) !== deployment) refuse(replaced);
      else {
        this.#live.setRoutes(deployment, [routeIndex], "Started");
        reply("Started");
      }
    };
    restarting.add(routeIndex);
    if (delayMs === 0) start();
    else setTimeout(start, delayMs).unref();
  }
}
