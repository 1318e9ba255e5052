/** The flows of the workspace and of the chosen runtime, kept up to date as long as a component shows them. */
import { useMemo } from "react";
import type { Target } from "../../../shared/wire.ts";
import { runtimeFlows, runtimeHealth, workspaceFlows } from "../api/cache.ts";
import type { Loaded } from "../api/polled.ts";
import { target } from "../api/target.ts";
import { useMappings } from "../mappings/use-mappings.ts";
import type { Store } from "../ui/store.ts";
import { useStore } from "../ui/use-store.ts";
import { RateMeter } from "./rates.ts";
import { type FlowRow, rowsOf, runCounts } from "./rows.ts";

interface FlowRows {
  /** undefined: the workspace has not answered yet. */
  readonly rows: readonly FlowRow[] | undefined;
  readonly target: Target | undefined;
  /** Whether the runtime has answered at last. */
  readonly isRuntimeKnown: boolean;
  readonly workspaceError: unknown;
  readonly runtimeError: unknown;
}

const meters = new Map<string, RateMeter>();

export function useFlowRows(): FlowRows {
  const chosen = useStore(target);
  const name = chosen?.name;
  const workspace = useStore(workspaceFlows());
  const flows = useStore(name === undefined ? never : runtimeFlows(name));
  const health = useStore(name === undefined ? never : runtimeHealth(name));
  // Who has no flow with mappings asks for none.
  const mappings = useMappings(workspace.value?.some((entry) => entry.mappings.length > 0));
  const rows = useMemo(() => {
    if (workspace.value === undefined) return undefined;
    const meter = meterOf(name);
    // What a runtime had when it was last seen says nothing while it does not answer.
    const summaries = flows.error === undefined ? flows.value : undefined;
    meter.add(flows.at, runCounts(summaries ?? []));
    return rowsOf({
      target: name,
      entries: workspace.value,
      summaries,
      problems: health.value?.problems ?? [],
      mappings,
      perMinute: (id) => meter.perMinute(id),
    });
  }, [workspace, flows, health, mappings, name]);
  return {
    rows,
    target: chosen,
    isRuntimeKnown: flows.value !== undefined && flows.error === undefined,
    workspaceError: workspace.error,
    runtimeError: flows.error,
  };
}

/** Stands for a runtime that there is not. */
const nothing: Loaded<never> = { value: undefined, error: undefined, at: 0 };
const never: Pick<Store<Loaded<never>>, "get" | "subscribe"> = { get: () => nothing, subscribe: () => () => {} };

function meterOf(name = ""): RateMeter {
  const meter = meters.get(name) ?? new RateMeter();
  meters.set(name, meter);
  return meter;
}
