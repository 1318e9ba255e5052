/** Which deployment of a flow answers now, and which have been replaced and still drain. A swap is one assignment, and triggers follow its event. */

import { groupOf } from "../../shared/ids.ts";
import type { ThreadEnd } from "../../shared/protocol.ts";
import type { Drained, RouteState } from "../threads/pooled-flow.ts";
import { type Deployment, isStarted } from "./deployment.ts";

export interface DirectConsumer {
  readonly deployment: Deployment;
  readonly routeIndex: number;
}

type RouteListener = (deployment: Deployment, routeIndexes: readonly number[]) => void;
type SwapListener = (flowId: string, now: Deployment | undefined, before: Deployment | undefined) => void;

export class LiveFlows {
  readonly #byFlow = new Map<string, Deployment>();
  readonly #directs = new Map<string, DirectConsumer>();
  readonly #listeners: SwapListener[] = [];
  readonly #routeListeners: RouteListener[] = [];

  /** Listeners run inside the swap and must not throw. */
  onSwap(listener: SwapListener): void {
    this.#listeners.push(listener);
  }

  /** Listeners are called, in the same turn, with the routes whose state has changed while their deployment answers. */
  onRoutes(listener: RouteListener): void {
    this.#routeListeners.push(listener);
  }

  get(flowId: string): Deployment | undefined {
    return this.#byFlow.get(flowId);
  }

  get size(): number {
    return this.#byFlow.size;
  }

  all(): IterableIterator<Deployment> {
    return this.#byFlow.values();
  }

  /** From here on `now` answers for the flow; undefined: no deployment does. Returns the previous deployment. */
  swap(flowId: string, now: Deployment | undefined): Deployment | undefined {
    const before = this.#byFlow.get(flowId);
    if (now === undefined) this.#byFlow.delete(flowId);
    else this.#byFlow.set(flowId, now);
    if (before !== undefined) for (const key of directKeys(before)) this.#directs.delete(key.name);
    if (now !== undefined)
      for (const { name, routeIndex } of directKeys(now)) this.#directs.set(name, { deployment: now, routeIndex });
    for (const listener of this.#listeners) listener(flowId, now, before);
    return before;
  }

  /** Changes the state of routes; `deployment` has to be live. */
  setRoutes(deployment: Deployment, routeIndexes: Iterable<number>, state: RouteState): void {
    const changed = [...routeIndexes].filter((index) => deployment.states.set(index, state));
    if (changed.length > 0) for (const listener of this.#routeListeners) listener(deployment, changed);
  }

  /** Returns the started consumer of `direct:<name>` for `callerFlowId`: one of its group, or else one that is shared with all groups. */
  direct(callerFlowId: string, name: string): DirectConsumer | undefined {
    return this.#started(`${groupOf(callerFlowId)}\n${name}`) ?? this.#started(`*\n${name}`);
  }

  #started(key: string): DirectConsumer | undefined {
    const consumer = this.#directs.get(key);
    return consumer !== undefined && isStarted(consumer.deployment, consumer.routeIndex) ? consumer : undefined;
  }
}

function directKeys({
  flowId,
  manifest,
}: Deployment): readonly { readonly name: string; readonly routeIndex: number }[] {
  return manifest.routes.flatMap(({ trigger }, routeIndex) => {
    if (trigger.kind !== "direct") return [];
    const own = { name: `${groupOf(flowId)}\n${trigger.name}`, routeIndex };
    return trigger.shared ? [own, { name: `*\n${trigger.name}`, routeIndex }] : [own];
  });
}

/** The most deployments of a flow that drain at the same time. With a third one the flow is replaced faster than its runs end. */
const mostPerFlow = 2;

interface Draining {
  readonly deployment: Deployment;
  readonly done: Promise<Drained>;
  /** Two later deployments drain: this one does not wait for its runs any more. */
  crowdedOut: boolean;
}

interface Begun {
  readonly draining: number;
  readonly done: Promise<Drained>;
}

/** Deployments that have been replaced and finish the runs that they have. */
export class Drains {
  readonly #byFlow = new Map<string, Draining[]>();

  /**
   * Returns how many runs the deployment has. `done` resolves when they have ended, at the latest after `limitMs`; the threads are gone then.
   * `warn` hears of runs that did not end by themselves.
   */
  begin(
    deployment: Deployment | undefined,
    limitMs: number | undefined,
    end: ThreadEnd,
    warn: (flowId: string, message: string) => void,
  ): Begun {
    if (deployment === undefined) return { draining: 0, done: Promise.resolve({ drained: 0, killed: 0 }) };
    const { flowId, limits, pool, revision } = deployment;
    const drainMs = limitMs ?? limits.drainMs;
    const running = pool.inflight + pool.queued;
    const list = this.#byFlow.get(flowId) ?? [];
    for (const old of list.slice(0, Math.max(0, list.length - mostPerFlow + 1))) {
      old.crowdedOut = true;
      void old.deployment.pool.drain(0);
    }
    const draining: Draining = { deployment, done: pool.drain(drainMs, end), crowdedOut: false };
    this.#byFlow.set(flowId, [...list, draining]);
    void draining.done.then(({ killed }) => {
      this.#forget(flowId, draining);
      const { crowdedOut } = draining;
      if (killed > 0) warn(flowId, killedBy(end, { flowId, revision, killed, drainMs, crowdedOut }));
    });
    return { draining: running, done: draining.done };
  }

  #forget(flowId: string, draining: Draining): void {
    const rest = (this.#byFlow.get(flowId) ?? []).filter((other) => other !== draining);
    if (rest.length === 0) this.#byFlow.delete(flowId);
    else this.#byFlow.set(flowId, rest);
  }
}

interface Killed {
  readonly flowId: string;
  readonly revision: number;
  readonly killed: number;
  readonly drainMs: number;
  readonly crowdedOut: boolean;
}

function killedBy(end: ThreadEnd, { flowId, revision, killed, drainMs, crowdedOut }: Killed): string {
  const runs = killed === 1 ? "1 run was killed" : `${killed} runs were killed`;
  const what = end === "replaced" ? `revision ${revision} was replaced` : "the flow left service";
  const why = crowdedOut
    ? `revision ${revision} is followed by ${mostPerFlow} deployments whose runs have not ended either`
    : `${what} ${drainMs} ms ago (drainMs)`;
  return `${runs}, since ${why}: list them with 'bulkhead runs --flow ${flowId} --status killed'`;
}
