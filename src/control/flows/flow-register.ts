/** Every flow that the runtime knows, whether it runs, is stopped or has failed, and which of them a route belongs to. */
import type { HttpPath } from "../../shared/http-path.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { type Deployment, isStarted } from "./deployment.ts";
import type { RouteStatus } from "./flow-service.ts";
import { HttpPaths, httpPathOf } from "./http-paths.ts";

export interface FlowEntry {
  readonly id: string;
  readonly state: "Starting" | "Started" | "Stopping" | "Stopped" | "Failed";
  /** What is deployed, or would be: null when its text was never accepted. */
  readonly hash: string | null;
  readonly revision: number | null;
  readonly manifest: FlowManifest | undefined;
  readonly deployment: Deployment | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

/** A route that callers reach by path, whether or not it runs. */
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
  /** Paths of their own, with the route that they belong to. */
  readonly #byPath = new HttpPaths<PathOwner>();
  readonly #paths = new Map<string, readonly (readonly [path: HttpPath, owner: PathOwner])[]>();
  /** The boot load is under way: a flow that is not here may come yet. */
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

  /** The route with the most specific path of its own for these segments; undefined: none has one. */
  atPath(segments: readonly string[]): RouteOwner | undefined {
    const owner = this.#byPath.match(segments).next().value?.value;
    return owner && { flowId: owner.entry.id, routeId: owner.routeId, status: owner.entry.state };
  }

  /** undefined: no flow has a webhook route of this id. */
  webhook(routeId: string): RouteOwner | undefined {
    const entry = this.#byRoute.get(routeId);
    const index =
      entry?.manifest?.routes.findIndex(({ id, trigger }) => id === routeId && trigger.kind === "webhook") ?? -1;
    if (entry === undefined || index < 0) return undefined;
    return { flowId: entry.id, routeId, status: statusOf(entry, index) };
  }
}

/** A route runs when its flow does and it is started; one that is suspended is Stopped to callers. */
export function statusOf({ state, deployment }: FlowEntry, routeIndex: number): RouteStatus {
  if (deployment === undefined || state !== "Started") return state;
  if (deployment.pool.quarantinedMs > 0) return "Quarantined";
  return isStarted(deployment, routeIndex) ? "Started" : "Stopped";
}
