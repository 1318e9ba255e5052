/**
 * Which routes of a deployment run (Camel: ServiceStatus). In memory only: the next deployment begins anew with what the routes'
 * `autoStartup` says.
 */
import type { RouteManifest } from "../../shared/manifest.ts";

export type RouteState = "Started" | "Suspended" | "Stopped";

export class RouteStates {
  readonly #states: RouteState[];

  /** `all`: the routes that do not start by themselves are started, too. */
  constructor(routes: readonly RouteManifest[], all: boolean) {
    this.#states = routes.map(({ autoStartup }) => (all || autoStartup ? "Started" : "Stopped"));
  }

  /** Of the route at this place in the manifest; undefined: there is none. */
  get(routeIndex: number): RouteState | undefined {
    return this.#states[routeIndex];
  }

  /** Whether that is a change. */
  set(routeIndex: number, state: RouteState): boolean {
    const changes = this.#states[routeIndex] !== state;
    this.#states[routeIndex] = state;
    return changes;
  }

  /** As threads are told: for each route 1 when it is started, else 0. */
  get running(): string {
    return this.#states.map((state) => (state === "Started" ? "1" : "0")).join("");
  }
}
