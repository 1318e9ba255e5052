/** All flows that the runtime knows, whether they run, are stopped or have failed, found by id, by route and by path. */
import type { HttpPath } from "../../shared/http-path.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { FlowOptions } from "../stores/flow-options.ts";
import { type Deployment, isStarted } from "./deployment.ts";
import type { RouteStatus } from "./flow-service.ts";
import { HttpPaths, httpPathOf } from "./http-paths.ts";

/** What a flow says of itself, for lists. */
export type AboutFlow = Pick<FlowOptions, "description" | "category">;

export function aboutOf({ description, category }: AboutFlow): AboutFlow {
  return { ...(description !== undefined && { description }), ...(category !== undefined && { category }) };
}

export interface FlowEntry {
  readonly id: string;
  readonly state: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed";
  /** The hash of the deployed text, or of the one to deploy; null: no text was ever accepted. */
  readonly hash: string | null;
  readonly revision: number | null;
  readonly manifest: FlowManifest | undefined;
  readonly deployment: Deployment | undefined;
  readonly about: AboutFlow;
  /** The set that brought the flow; undefined: it was not deployed by one. */
  readonly set: string | undefined;
  /** The reason of a failure. */
  readonly error: string | undefined;
}

/** A route that callers reach by a path, whether or not it runs. */
export interface RouteOwner {
  readonly flowId: string;
  readonly routeId: string;
  readonly status: RouteStatus;
}

interface PathOwner {
  readonly entry: FlowEntry;
  readonly routeId: string;
}

export class FlowRegister {
  readonly #byId = new Map<string, FlowEntry>();
  readonly #byRoute = new Map<string, FlowEntry>();
  /** The paths of HTTP triggers, with the route that each belongs to. */
  readonly #byPath = new HttpPaths<PathOwner>();
  readonly #paths = new Map<string, readonly (readonly [path: HttpPath, owner: PathOwner])[]>();
  /** true: the boot load is under way, and flows may still be added. */
  loading = false;

  get(id: string): FlowEntry | undefined {
    return this.#byId.get(id);
  }

  all(): IterableIterator<FlowEntry> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  set(entry: FlowEntry): void {
    this.delete(entry.id);
    this.#byId.set(entry.id, entry);
    const paths: [HttpPath, PathOwner][] = [];
    for (const { id, trigger } of entry.manifest?.routes ?? []) {
      if (!this.#byRoute.has(id)) this.#byRoute.set(id, entry);
      if (trigger.kind === "http") paths.push([httpPathOf(trigger), { entry, routeId: id }]);
    }
    for (const [path, owner] of paths) this.#byPath.add(path, owner);
    if (paths.length > 0) this.#paths.set(entry.id, paths);
  }

  update(id: string, change: Partial<FlowEntry>): void {
    const entry = this.#byId.get(id) ?? {
      id,
      state: "Starting",
      hash: null,
      revision: null,
      manifest: undefined,
      deployment: undefined,
      about: {},
      set: undefined,
      error: undefined,
    };
    this.set({ ...entry, ...change });
  }

  delete(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    for (const route of entry.manifest?.routes ?? []) {
      if (this.#byRoute.get(route.id) === entry) this.#byRoute.delete(route.id);
    }
    for (const [path, owner] of this.#paths.get(id) ?? []) this.#byPath.delete(path, owner);
    this.#paths.delete(id);
  }

  /** Returns the HTTP route with the most specific path that matches these segments; undefined: no path does. */
  atPath(segments: readonly string[]): RouteOwner | undefined {
    const owner = this.#byPath.match(segments).next().value?.value;
    return owner && { flowId: owner.entry.id, routeId: owner.routeId, status: owner.entry.state };
  }

  /** Returns undefined when no flow has a webhook route of this id. */
  webhook(routeId: string): RouteOwner | undefined {
    const entry = this.#byRoute.get(routeId);
    const index =
      entry?.manifest?.routes.findIndex(({ id, trigger }) => id === routeId && trigger.kind === "webhook") ?? -1;
    if (entry === undefined || index < 0) return undefined;
    return { flowId: entry.id, routeId, status: statusOf(entry, index) };
  }
}

/** A route runs when its flow runs and the route is started; callers see a suspended route as Stopped. */
export function statusOf({ state, deployment }: FlowEntry, routeIndex: number): RouteStatus {
  if (deployment === undefined || state !== "Started") return state;
  if (deployment.pool.quarantinedMs > 0) return "Quarantined";
  return isStarted(deployment, routeIndex) ? "Started" : "Stopped";
}
