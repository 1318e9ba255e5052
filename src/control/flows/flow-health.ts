/** What health tells of flows, from state that the main thread has: no thread is asked. */
import type { FlowFile, StoreStatus } from "../stores/stores.ts";
import { type FlowRegister, statusOf } from "./flow-register.ts";
import type { FlowsHealth, RouteHealth } from "./flow-service.ts";

export function flowsHealth(register: FlowRegister, failedFiles: readonly FlowFile[], store: StoreStatus): FlowsHealth {
  const routes: RouteHealth[] = [];
  const boot = { flows: register.size, loaded: 0, compiled: 0 };
  const failed = new Map(failedFiles.map(({ file, problem }) => [file, problem ?? ""]));
  for (const entry of register.all()) {
    const { id: flowId, deployment, manifest, hash } = entry;
    const file = `${flowId}.yaml`;
    if (entry.state !== "Starting") {
      boot.loaded += 1;
      if (deployment?.pool.compiled !== false) boot.compiled += 1;
    }
    if (entry.state === "Failed" && !failed.has(file)) failed.set(file, entry.error ?? "");
    (manifest?.routes ?? []).forEach(({ id }, index) => {
      routes.push({
        id,
        flowId,
        status: statusOf(entry, index),
        uptime: deployment === undefined ? 0 : (performance.now() - deployment.startedAt) / 1000,
        inflight: deployment?.pool.inflight ?? 0,
        queued: deployment?.pool.queued ?? 0,
        restarts: deployment?.pool.restarts ?? 0,
        hash: hash ?? "",
        lastError: deployment?.lastError ?? null,
      });
    });
  }
  return {
    boot,
    routes,
    flows: register.size,
    failedFiles: [...failed].map(([file, reason]) => ({ file, reason })),
    store,
  };
}
