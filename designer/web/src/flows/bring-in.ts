/** Takes a flow that only a runtime has into the workspace. */
import { orThrow } from "../../../../src/client/client.ts";
import type { Target } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { runtimeOf } from "../api/runtime.ts";
import { createFlow, recordDeployed } from "../api/workspace.ts";
import { goTo } from "../app/address.ts";
import { optionsOf } from "../deploy/options.ts";
import { attempt } from "../ui/attempt.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";

/** The access policy stays on the runtime: it has a life of its own there, and a deployment without one leaves it. */
export async function bringIn(id: string, { name }: Target): Promise<void> {
  await attempt(words.flows.bringInFailed(id), async () => {
    const flow = await orThrow(runtimeOf(name).GET("/_api/flows/{id}", { params: { path: { id } } }));
    const { hash, optionsHash } = await createFlow(id, { yaml: flow.yaml, options: optionsOf(flow) });
    if (flow.revision !== null && flow.deployedHash === hash) {
      await recordDeployed(id, { target: name, hash, optionsHash, revision: flow.revision });
    }
    notify({
      kind: "done",
      text: words.flows.broughtIn(id),
      action: { label: words.flows.open, run: () => goTo("flows", id) },
    });
  });
  refreshFlows(name);
}
