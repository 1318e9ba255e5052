/** Reports flows in lists, in the health report and in the log, from their files and the register. No thread is asked. */
import { AppError } from "../../shared/errors.ts";
import { type FlowOptions, optionsOf, settingsOf } from "../stores/flow-options.ts";
import type { FlowFile, StoredRevision, StoreStatus } from "../stores/stores.ts";
import type { Deployment } from "./deployment.ts";
import type { FlowSettings } from "./flow-check.ts";
import { goneMessage } from "./flow-files.ts";
import { type FlowEntry, type FlowRegister, statusOf } from "./flow-register.ts";
import type {
  FlowState,
  FlowSummary,
  FlowsHealth,
  ReportedOptions,
  RevisionSummary,
  RouteHealth,
  RouteSummary,
  SettingsInForce,
} from "./flow-service.ts";

/** A flow as the list shows it: its file beside what is deployed. `loading`: the boot load is under way. */
export function summaryOf(file: FlowFile, entry: FlowEntry | undefined, loading: boolean): FlowSummary {
  const routes = routeSummaries(entry);
  const error = file.problem ?? entry?.error;
  const calls = entry?.manifest?.externalDirects ?? [];
  return {
    id: file.id,
    lastModified: file.lastModified,
    hash: file.hash,
    routeCount: routes.length,
    state: stateOf(file, entry, loading),
    revision: entry?.revision ?? null,
    deployedHash: entry?.deployment?.hash ?? null,
    routes,
    ...(calls.length > 0 && { calls }),
    ...entry?.about,
    ...(error === undefined ? {} : { error }),
  };
}

/** A flow that runs although its file was removed by hand; undefined: it does not run any more. */
export function goneSummary(
  { id, deployment }: FlowEntry,
  register: Pick<FlowRegister, "get">,
): FlowSummary | undefined {
  const entry = register.get(id);
  if (deployment === undefined || entry?.deployment !== deployment) return undefined;
  const { hash, startedAt } = deployment;
  const lastModified = new Date(performance.timeOrigin + startedAt).toISOString();
  const file = { id, file: `${id}.yaml`, lastModified, hash, bytes: 0 };
  return { ...summaryOf(file, entry, false), state: "Gone", error: goneMessage(id) };
}

export function routeSummaries(entry: FlowEntry | undefined): readonly RouteSummary[] {
  if (entry === undefined) return [];
  return (entry.manifest?.routes ?? []).map(({ id, uri, trigger, once }, index) => ({
    id,
    uri,
    status: statusOf(entry, index),
    ...(trigger.kind === "webhook" ? { webhook: `/api/${id}` } : {}),
    ...(trigger.kind === "http" ? { webhook: trigger.path } : {}),
    ...(once === true && { once }),
    ...nextRunOf(entry, id),
  }));
}

function nextRunOf({ deployment }: FlowEntry, routeId: string): Pick<RouteSummary, "nextRun"> {
  const at = deployment?.nextRuns.get(routeId);
  return at === undefined ? {} : { nextRun: new Date(at).toISOString() };
}

function stateOf(file: FlowFile, entry: FlowEntry | undefined, loading: boolean): FlowState {
  // The deployment goes on, but the file would not load again.
  if (file.problem !== undefined) return entry?.deployment === undefined ? "Failed" : "Changed";
  // A file that was added after the boot load has not been deployed.
  if (entry === undefined) return loading ? "Starting" : "Changed";
  if (entry.hash !== null && entry.hash !== file.hash) return "Changed";
  if (entry.deployment !== undefined && entry.deployment.pool.quarantinedMs > 0) return "Quarantined";
  return entry.state;
}

/** `head`: the revision of the flow's file; null: the file was never deployed; undefined: there is no file. */
export function summariesOf(
  kept: readonly StoredRevision[],
  head: StoredRevision | null | undefined,
  entry: FlowEntry | undefined,
): readonly RevisionSummary[] {
  // A flow whose file was removed by hand still runs.
  const current = head === undefined ? entry?.revision : head?.revision;
  return kept.map((record) =>
    record.revision === current
      ? { ...record, state: head?.state ?? record.state, current: true }
      : { ...record, current: false },
  );
}

/** Throws not_found, whose message names the revisions that exist. */
export function revisionOf(id: string, kept: readonly StoredRevision[], revision: number): StoredRevision {
  const found = kept.find((record) => record.revision === revision);
  if (found !== undefined) return found;
  const others = kept.map((record) => record.revision).join(", ");
  const known = others === "" ? "no revision of it is kept" : `kept are ${others}`;
  throw new AppError("not_found", `there is no revision ${revision} of the flow '${id}': ${known}`);
}

/** The flows' part of the health report. */
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
        lastError: deployment?.lastErrors.get(id) ?? null,
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

export interface LoadReport {
  /** `1 flow loaded`, `2 flows loaded`; `1 of 2 flows loaded` when one could not be. */
  readonly summary: string;
  /** Files that were not tried. Flows that failed to deploy are left out, since the log has them. */
  readonly ignored: readonly string[];
}

/** The most files that are named, each in a line of its own. */
const mostNamed = 50;

/** The log lines when all flows are loaded: how many are, and which files of the routes directory are not. */
export function loadReport({ failedFiles }: Pick<FlowsHealth, "failedFiles">, register: FlowRegister): LoadReport {
  const failed = new Set<string>();
  let loaded = 0;
  for (const { id, state } of register.all()) {
    if (state === "Failed") failed.add(`${id}.yaml`);
    else loaded += 1;
  }
  const ignored = failedFiles.filter(({ file }) => !failed.has(file));
  const more = ignored.length - mostNamed;
  const all = loaded + failedFiles.length;
  return {
    summary: `${all === loaded ? loaded : `${loaded} of ${all}`} ${all === 1 ? "flow" : "flows"} loaded`,
    ignored: [
      ...ignored.slice(0, mostNamed).map(({ file, reason }) => `${file} is not loaded: ${reason}`),
      ...(more > 0 ? [`${more} more files of the routes directory are not loaded: GET /_api/health names them`] : []),
    ],
  };
}

/** Reports a flow's options, and the settings that it has with those of the runtime. `deployment`: the live one, which may have fewer threads than the flow asks for. */
export function reportOptions(
  settings: FlowSettings,
  options: FlowOptions,
  deployment: Pick<Deployment, "limits"> | undefined,
): ReportedOptions {
  return { ...optionsOf(options), inForce: settingsInForce(settings, options, deployment) };
}

function settingsInForce(
  settings: FlowSettings,
  options: FlowOptions,
  deployment: Pick<Deployment, "limits"> | undefined,
): SettingsInForce | undefined {
  try {
    const {
      limits,
      record,
      isolation = "thread",
      logHandled = true,
      keepFailed = true,
    } = settings(settingsOf(options));
    return { isolation, threads: deployment?.limits.threads ?? limits.threads, record, keepFailed, logHandled };
  } catch (error) {
    // The operator has lowered what flows may set; the next deployment is refused with the reason.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
