/** Which deployment of a flow answers now. A swap is one assignment; triggers follow what it tells. */
import { groupOf } from "../../shared/ids.ts";
import { type Deployment, isStarted } from "./deployment.ts";

export interface DirectConsumer {
  readonly deployment: Deployment;
  readonly routeIndex: number;
}

type SwapListener = (flowId: string, now: Deployment | undefined, before: Deployment | undefined) => void;

export class LiveFlows {
  readonly #byFlow = new Map<string, Deployment>();
  readonly #directs = new Map<string, DirectConsumer>();
  readonly #listeners: SwapListener[] = [];

  /** Listeners run inside the swap and must not throw. */
  onSwap(listener: SwapListener): void {
    this.#listeners.push(listener);
  }

  get(flowId: string): Deployment | undefined {
    return this.#byFlow.get(flowId);
  }

  all(): IterableIterator<Deployment> {
    return this.#byFlow.values();
  }

  /** From here on `now` answers for the flow; undefined: nothing does. */
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

  /** The consumer of `direct:<name>` as `callerFlowId` sees it: in its group, else one that is shared with all. */
  direct(callerFlowId: string, name: string): DirectConsumer | undefined {
    return this.#directs.get(`${groupOf(callerFlowId)}\n${name}`) ?? this.#directs.get(`*\n${name}`);
  }
}

function directKeys(deployment: Deployment): readonly { readonly name: string; readonly routeIndex: number }[] {
  return deployment.manifest.routes.flatMap((route, routeIndex) => {
    const { trigger } = route;
    if (trigger.kind !== "direct" || !isStarted(deployment, route)) return [];
    const own = { name: `${groupOf(deployment.flowId)}\n${trigger.name}`, routeIndex };
    return trigger.shared ? [own, { name: `*\n${trigger.name}`, routeIndex }] : [own];
  });
}
