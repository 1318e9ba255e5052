/** The flow as the chosen runtime has it. */
import { runtimeFlows } from "../api/cache.ts";
import { type Polled, polled } from "../api/polled.ts";
import type { Schemas } from "../api/runtime.ts";
import { target } from "../api/target.ts";
import { useStore } from "../ui/use-store.ts";

interface DeployedFlow {
  /** The name of the runtime; undefined: there is none. */
  readonly target: string | undefined;
  /** undefined: it is not deployed there, or the runtime has not answered yet. */
  readonly flow: Schemas["FlowSummary"] | undefined;
}

export function useDeployed(id: string): DeployedFlow {
  const name = useStore(target)?.name;
  const flows = useStore(name === undefined ? nothing : runtimeFlows(name));
  return { target: name, flow: flows.value?.find((flow) => flow.id === id && flow.deployedHash !== null) };
}

const nothing: Polled<readonly Schemas["FlowSummary"][]> = polled({
  load: async () => [],
  everyMs: 0,
  isVisible: () => false,
});
