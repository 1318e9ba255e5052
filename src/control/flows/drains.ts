/** Deployments that have been replaced and finish what they have. */
import type { Drained } from "../threads/pooled-flow.ts";
import type { Deployment } from "./deployment.ts";

/** A third one would mean that a flow is replaced faster than its runs end. */
const mostPerFlow = 2;

interface Draining {
  readonly deployment: Deployment;
  readonly done: Promise<Drained>;
}

export class Drains {
  readonly #byFlow = new Map<string, Draining[]>();

  /** Resolves when its runs have ended, at the latest after `limitMs`; then its threads are gone. */
  begin(deployment: Deployment, limitMs: number): Draining["done"] {
    const { flowId } = deployment;
    const list = this.#byFlow.get(flowId) ?? [];
    for (const old of list.slice(0, Math.max(0, list.length - mostPerFlow + 1))) void old.deployment.pool.drain(0);
    const draining: Draining = { deployment, done: deployment.pool.drain(limitMs) };
    this.#byFlow.set(flowId, [...list, draining]);
    void draining.done.then(() => this.#forget(flowId, draining));
    return draining.done;
  }

  #forget(flowId: string, draining: Draining): void {
    const rest = (this.#byFlow.get(flowId) ?? []).filter((other) => other !== draining);
    if (rest.length === 0) this.#byFlow.delete(flowId);
    else this.#byFlow.set(flowId, rest);
  }
}
