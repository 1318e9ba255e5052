/** A flow as the list shows it: the file on the disk beside what is deployed. */
import type { FlowFile } from "../stores/stores.ts";
import { type FlowEntry, statusOf } from "./flow-register.ts";
import type { FlowState, FlowSummary, RouteSummary } from "./flow-service.ts";

/** `loading`: the boot load is under way. */
export function summaryOf(file: FlowFile, entry: FlowEntry | undefined, loading: boolean): FlowSummary {
  const routes = routeSummaries(entry);
  const error = file.problem ?? entry?.error;
  return {
    id: file.id,
    lastModified: file.lastModified,
    hash: file.hash,
    routeCount: routes.length,
    state: stateOf(file, entry, loading),
    revision: entry?.revision ?? null,
    deployedHash: entry?.deployment?.hash ?? null,
    routes,
    ...(error === undefined ? {} : { error }),
  };
}

export function routeSummaries(entry: FlowEntry | undefined): readonly RouteSummary[] {
  if (entry === undefined) return [];
  return (entry.manifest?.routes ?? []).map(({ id, uri, trigger }, index) => ({
    id,
    uri,
    status: statusOf(entry, index),
    ...(trigger.kind === "webhook" ? { webhook: `/api/${id}` } : {}),
    ...(trigger.kind === "http" ? { webhook: trigger.path } : {}),
  }));
}

function stateOf(file: FlowFile, entry: FlowEntry | undefined, loading: boolean): FlowState {
  // What runs goes on, but it would not load again.
  if (file.problem !== undefined) return entry?.deployment === undefined ? "Failed" : "Changed";
  // A file that came after the boot load has been deployed by nobody.
  if (entry === undefined) return loading ? "Starting" : "Changed";
  if (entry.hash !== null && entry.hash !== file.hash) return "Changed";
  if (entry.deployment !== undefined && entry.deployment.pool.quarantinedMs > 0) return "Quarantined";
  return entry.state;
}
