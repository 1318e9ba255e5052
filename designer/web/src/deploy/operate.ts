/** Starts and stops a flow on a runtime. */
import { orThrow } from "../../../../src/client/client.ts";
import type { Target } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { runtimeOf } from "../api/runtime.ts";
import { attempt } from "../ui/attempt.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";

export async function startFlow(id: string, { name }: Target): Promise<void> {
  await attempt(words.flows.startFailed(id), async () => {
    await orThrow(runtimeOf(name).POST("/_api/flows/{id}/start", { params: { path: { id } } }));
    notify({ kind: "done", text: words.flows.started(id) });
  });
  refreshFlows(name);
}

export async function stopFlow(id: string, { name }: Target): Promise<void> {
  await attempt(words.flows.stopFailed(id), async () => {
    await orThrow(runtimeOf(name).POST("/_api/flows/{id}/stop", { params: { path: { id } } }));
    notify({ kind: "done", text: words.flows.stopped(id) });
  });
  refreshFlows(name);
}
