/** Builds what checks flows, deploys them and runs them in threads. */
import { availableParallelism } from "node:os";
import type { Egress } from "../shared/egress.ts";
import type { AppOptions } from "./app-options.ts";
import type { RunParts } from "./build-runs.ts";
import { ConnectionAdmin } from "./connections/connection-admin.ts";
import { Permits } from "./connections/permits.ts";
import { keySaltOf } from "./data-key.ts";
import { EmbeddedDatabases } from "./embedded/embedded-databases.ts";
import { deployerEvents, poolEvents } from "./flow-news.ts";
import { ChangeQueue } from "./flows/change-queue.ts";
import { CheckPool } from "./flows/check-pool.ts";
import { Claims } from "./flows/claims.ts";
import { Companions } from "./flows/companions.ts";
import { Deployer } from "./flows/deployer.ts";
import { FlowAdmin } from "./flows/flow-admin.ts";
import { KnownChecks } from "./flows/flow-check.ts";
import { FlowRegister } from "./flows/flow-register.ts";
import { flowSecrets } from "./flows/flow-secrets.ts";
import { Drains } from "./flows/live-flows.ts";
import { RouteControl } from "./flows/route-control.ts";
import { MappingAdmin } from "./mappings/mapping-admin.ts";
import { threadContent } from "./runs/failed/content.ts";
import { type FlowOwners, newFailedId } from "./runs/failed/owners.ts";
import type { GroupSurroundings } from "./state/thread-groups.ts";
import { ThreadState } from "./state/thread-state.ts";
import { noCheckedModels } from "./stores/checked-models.ts";
import { noEnvironment, variablesOf } from "./stores/flow-environment.ts";
import { noSecrets } from "./stores/secrets.ts";
import { PlainSets } from "./stores/sets.ts";
import { FlowPools } from "./threads/flow-pools.ts";
import {
  descriptorLimit,
  descriptorsPerThread,
  openDescriptors,
  roomReport,
  threadLimit,
} from "./threads/thread-room.ts";

export type ThreadParts = ReturnType<typeof buildThreads>;

/** `egress`: returns what flows may connect to, with the addresses of the runtime once it listens. */
export function buildThreads(options: AppOptions, runs: RunParts, egress: () => Egress) {
  const { limits, store, secrets = noSecrets, environment = noEnvironment, models = noCheckedModels } = options;
  const { logs, traces, metrics, history, live, keys } = runs;
  const checks = options.checks ?? new CheckPool(availableParallelism());
  const register = new FlowRegister();
  const readSecrets = flowSecrets(secrets, environment, (flowId, message) => logs.runtime("WARN", message, { flowId }));
  const owners: FlowOwners = {
    ids: () => [...register.all()].map(({ id }) => id),
    async of(flowId) {
      if (register.get(flowId) === undefined) return undefined;
      const incarnation = live.get(flowId)?.pool.incarnation ?? (await store.incarnation(flowId));
      return incarnation === undefined ? undefined : { flowId, incarnation };
    },
  };
  const mappings = new MappingAdmin({ stores: options.documents, checks, live, limits, pools: () => pools });
  const embedded = new EmbeddedDatabases({
    directory: options.databasesDirectory,
    entry: options.embeddedEntry,
    limits,
    refusal: options.stateRefusal,
    log: (level, message) => logs.runtime(level, message),
  });
  const connections = new ConnectionAdmin({
    embedded,
    ...{ store: options.documents.connections, secrets, live, limits },
    pools: () => pools,
    permits: () => permits,
    figures: () => metrics.connectionFigures(),
  });
  const permits = new Permits({
    meant: (flowId, use) => connections.access.meant(flowId, use),
    changed({ name, failingSince, lastError }) {
      if (failingSince === undefined) logs.runtime("INFO", `the connection '${name}' can be opened again`);
      else logs.runtime("WARN", `the connection '${name}' cannot be opened: ${lastError?.message}`);
    },
  });
  const groups: GroupSurroundings = {
    content: (entry, bytes) => threadContent({ entry, bytes, problem: "" }),
    newId: newFailedId,
    kept: (flowId, added) => runs.failed.keptGroup(flowId, added),
    changed: (flowId, name) => pools.forgotten(flowId, name, ""),
  };
  const pools: FlowPools = new FlowPools({
    entry: options.threadEntry,
    hostEntry: options.hostEntry,
    log: (level, message) => logs.runtime(level, message),
    limits,
    isolation: options.settings({}).isolation,
    logLevel: options.logLevel,
    interest: traces.interest,
    filesDirectory: options.filesDirectory,
    egress: () => ({ ...egress(), closed: options.egressClosed }),
    resources: {
      keySalt: (flowId) => keySaltOf(options.dataKeys[0], flowId),
      mappingsLoaded: () => mappings.loaded,
      mappings: (flowId, uses) => mappings.closure(flowId, uses),
      connectionsLoaded: () => connections.loaded,
      connections: (flowId, uses) => connections.access.resources(flowId, uses),
      secrets: readSecrets,
    },
    events: poolEvents({
      ...{ ...runs, permits },
      routes: new RouteControl(live),
      threadState: new ThreadState(runs.state, groups),
    }),
  });
  const deployer = new Deployer({
    pools,
    live,
    register,
    store,
    state: runs.state,
    sets: options.sets ?? new PlainSets(store, options.documents),
    drains: new Drains(),
    checks: new KnownChecks(checks, models),
    claims: new Claims(),
    settings: options.settings,
    variables: (flowId) => variablesOf(environment, flowId),
    mappingAccess: (flowId, kind, id) => mappings.access(flowId, kind, id),
    connections: {
      loaded: connections.loaded,
      problem: (flowId, use) => connections.access.problem(flowId, use),
      hint: (use) => connections.access.hint(use),
    },
    held: options.held === true,
    events: deployerEvents({ logs, traces, metrics, history, keys }),
  });
  const companions = new Companions(checks, limits);
  const changes = new ChangeQueue();
  const flows = new FlowAdmin(deployer, changes, runs.usage, companions);
  /** Leaves check threads that are shared with other runtimes running. */
  const end = (): Promise<unknown> =>
    Promise.all([pools.close(), options.checks === undefined ? checks.close() : undefined]);

  function logRoom(): void {
    const descriptors = descriptorLimit();
    const open = openDescriptors();
    if (descriptors === undefined || open === undefined) return;
    const { threads, standby } = pools.stats();
    let wanted = 0;
    for (const { limits: own } of live.all()) wanted += own.threads;
    const { level, message } = roomReport({
      descriptors,
      flows: live.size,
      threads: wanted,
      pids: threadLimit(),
      open: Math.max(0, open - (threads + standby) * descriptorsPerThread),
      busyThreads: limits.busyThreads,
      standbyThreads: limits.standbyThreads,
    });
    logs.runtime(level, message);
  }
  const secretsOf = (flowId: string): Promise<Readonly<Record<string, string>>> =>
    readSecrets(flowId, register.get(flowId)?.manifest?.secrets ?? []);
  return {
    owners,
    secretsOf,
    checks,
    companions,
    register,
    mappings,
    connections,
    embedded,
    permits,
    pools,
    deployer,
    changes,
    flows,
    models,
    end,
    logRoom,
  };
}
