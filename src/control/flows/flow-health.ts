/** What health tells of flows, from state that the main thread has: no thread is asked. */
import type { FlowFile } from "../stores/stores.ts";
import { type FlowRegister, statusOf } from "./flow-register.ts";
import type { FlowsHealth, RouteHealth } from "./flow-service.ts";

export function flowsHealth(register: FlowRegister, failedFiles: readonly FlowFile[], open: boolean): FlowsHealth {
  const routes: RouteHealth[] = [];
  const failed: { file: string; reason: string }[] = failedFiles.map(({ file, problem }) => ({
    file,
    reason: problem ?? "",
  }));
  for (const entry of register.all()) {
    const { id: flowId, deployment, manifest, hash } = entry;
    if (entry.state === "Failed") failed.push({ file: `${flowId}.yaml`, reason: entry.error ?? "" });
    (manifest?.routes ?? []).forEach(({ id }, index) => {
      routes.push({
        id,
        flowId,
        status: statusOf(entry, index),
        uptime: deployment === undefined ? 0 : (performance.now() - deployment.startedAt) / 1000,
        inflight: deployment?.hosted.inflight ?? 0,
        queued: deployment?.hosted.queued ?? 0,
        restarts: deployment?.hosted.restarts ?? 0,
        hash: hash ?? "",
        lastError: deployment?.lastError ?? null,
      });
    });
  }
  return { ready: open && !register.loading, routes, flows: register.size, failedFiles: failed };
}
