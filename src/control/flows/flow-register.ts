/** Every flow that the runtime knows, whether it runs, is stopped or has failed, and which of them a route belongs to. */
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

export class FlowRegister {
  readonly #byId = new Map<string, FlowEntry>();
  readonly #byRoute = new Map<string, FlowEntry>();
  /** Paths of their own, with the entry that they belong to. */
  readonly #byPath = new HttpPaths<FlowEntry>();
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
    for (const { id, trigger } of entry.manifest?.routes ?? []) {
      if (!this.#byRoute.has(id)) this.#byRoute.set(id, entry);
      if (trigger.kind === "http") this.#byPath.add(httpPathOf(trigger), entry);
    }
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
      if (route.trigger.kind === "http") this.#byPath.delete(httpPathOf(route.trigger), entry);
    }
  }

  /** Of the flow that has the most specific path of its own for these segments; undefined: none has. */
  pathStatus(segments: readonly string[]): FlowEntry["state"] | undefined {
    return this.#byPath.match(segments).next().value?.value.state;
  }

  /** undefined: no flow has a webhook route of this id. */
  webhookStatus(routeId: string): RouteStatus | undefined {
    const entry = this.#byRoute.get(routeId);
    const index =
      entry?.manifest?.routes.findIndex(({ id, trigger }) => id === routeId && trigger.kind === "webhook") ?? -1;
    return entry === undefined || index < 0 ? undefined : statusOf(entry, index);
  }
}

/** A route runs when its flow does and it is started; one that is suspended is Stopped to callers. */
export function statusOf({ state, deployment }: FlowEntry, routeIndex: number): RouteStatus {
  if (deployment === undefined || state !== "Started") return state;
  if (deployment.hosted.quarantinedMs > 0) return "Quarantined";
  return isStarted(deployment, routeIndex) ? "Started" : "Stopped";
}
