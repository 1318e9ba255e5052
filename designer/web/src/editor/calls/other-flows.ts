/** The flows that the workspace and the chosen runtime have, with the routes that they offer and call by name. */
import { orThrow } from "../../../../../src/client/client.ts";
import type { FlowCalls } from "../../../../shared/wire.ts";
import { call } from "../../api/designer.ts";
import { type Polled, polled } from "../../api/polled.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { target } from "../../api/target.ts";
import { createStore } from "../../ui/store.ts";
import { type KnownFlow, knownFlows } from "./known-flows.ts";

const everyMs = 10_000;
const isVisible = (): boolean => !document.hidden;

const here = polled<readonly FlowCalls[]>({
  load: async (signal) => (await call<readonly FlowCalls[]>("/designer/calls", { signal })).data,
  everyMs,
  isVisible,
});

const byTarget = new Map<string, Polled<readonly Schemas["FlowSummary"][]>>();

function deployedOn(name: string): Polled<readonly Schemas["FlowSummary"][]> {
  const load = (signal: AbortSignal) => orThrow(runtimeOf(name).GET("/_api/flows", { signal }));
  const one = byTarget.get(name) ?? polled({ load, everyMs, isVisible });
  byTarget.set(name, one);
  return one;
}

const flows = createStore<readonly KnownFlow[]>([]);

/** Empty until it is watched, and as long as neither side answers. */
export const otherFlows = { get: flows.get, subscribe: flows.subscribe };

/** @returns ends it */
export function watchOtherFlows(): () => void {
  let ends: readonly (() => void)[] = [];
  let seen: readonly unknown[] = [];
  const follow = (): void => {
    for (const end of ends) end();
    const name = target.get()?.name;
    const deployed = name === undefined ? undefined : deployedOn(name);
    const show = (): void => {
      const now = [here.get().value, deployed?.get().value] as const;
      if (now.every((one, at) => one === seen[at])) return;
      seen = now;
      const next = knownFlows(now[0] ?? [], now[1] ?? []);
      flows.set((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    ends = [here.subscribe(show), ...(deployed === undefined ? [] : [deployed.subscribe(show)])];
    show();
  };
  const end = target.subscribe(follow);
  follow();
  return () => {
    end();
    for (const one of ends) one();
  };
}
