/** Builds what answers callers: the triggers, access to them, the management API, and the door in front of all. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Egress } from "../shared/egress.ts";
import { stackOf } from "../shared/errors.ts";
import { noProxies } from "./access/client-address.ts";
import { Denials } from "./access/denials.ts";
import { Policies } from "./access/policies.ts";
import { createPolicyReader } from "./access/reading/read-policy.ts";
import { ReplayCache } from "./access/schemes/hmac.ts";
import { JwksCache } from "./access/schemes/provider-keys.ts";
import { type HashOf, refusedCall } from "./api/audit.ts";
import type { Services } from "./api/services.ts";
import type { AppOptions } from "./app-options.ts";
import { SampledRefusals } from "./audit/sampled-refusals.ts";
import { Backups } from "./backup/backups.ts";
import type { RunParts } from "./build-runs.ts";
import type { ThreadParts } from "./build-threads.ts";
import type { ConnectionService } from "./connections/connection-service.ts";
import { keySaltOf } from "./data-key.ts";
import { SetDeployer } from "./deployments/set-deployer.ts";
import { logRouteStates } from "./flow-news.ts";
import type { FlowRegister } from "./flows/flow-register.ts";
import { KeptState } from "./flows/kept-state.ts";
import { missingTarget } from "./flows/missing-target.ts";
import { RoutesWatch } from "./flows/routes-watch.ts";
import { createDoor } from "./http/server.ts";
import { UnauthorizedCalls } from "./http/unauthorized-calls.ts";
import type { MappingService } from "./mappings/mapping-service.ts";
import { FailedService } from "./runs/failed/failed-service.ts";
import { Runs } from "./runs/run-service.ts";
import { runtimeProblems } from "./runs/runtime-problems.ts";
import { SessionChecks } from "./runs/test-sessions/session-checks.ts";
import { TestSessions } from "./runs/test-sessions/test-sessions.ts";
import { noSecrets } from "./stores/secrets.ts";
import { HttpIngress } from "./triggers/http-ingress.ts";
import { Peek } from "./triggers/peek.ts";
import { PolicyGuard } from "./triggers/policy-guard.ts";
import { RunNow } from "./triggers/run-now.ts";
import { followSwaps, Timers } from "./triggers/timers.ts";
import { Webhooks } from "./triggers/webhooks.ts";

/** Known only after the door is open. */
export interface Reached {
  url(): string;
  egress(): Egress;
}

export type ApiParts = ReturnType<typeof buildApi>;

export function buildApi(options: AppOptions, runs: RunParts, threads: ThreadParts, reached: Reached) {
  const { limits, store, authenticator, audit } = options;
  const { logs, traces, history, live, metrics, usage, memory, runner, keys, total } = runs;
  const { checks, register, mappings, connections, pools, flows, deployer, changes } = threads;
  const startedAt = Date.now();
  const refusals = audit && new SampledRefusals(limits.auditRefusals, (event) => void audit.note(event));
  const denials = new Denials((flowId, message) => logs.runtime("WARN", message, { flowId }));
  const unauthorized = new UnauthorizedCalls((message) => logs.runtime("WARN", message));
  const jwks = new JwksCache({ egress: () => reached.egress() });
  const reader = createPolicyReader({ secrets: options.secrets ?? noSecrets, jwks, replay: new ReplayCache() });
  const policies = new Policies(options.documents.policies, reader, (flowId) => denials.forget(flowId));
  const sessionChecks = new SessionChecks(checks, limits);
  const tests = new TestSessions({
    live,
    runner,
    limits,
    checks: sessionChecks,
    scope: options.testScope ?? "deployment",
    url: () => reached.url(),
  });
  const webhooks = new Webhooks();
  const timers = new Timers(
    runner,
    (flowId) => metrics.tickSkipped(flowId),
    () => memory.over,
  );
  followSwaps(live, webhooks, timers);
  logRouteStates(live, logs);
  const watch =
    options.routesDirectory === undefined
      ? undefined
      : new RoutesWatch({
          ...{ directory: options.routesDirectory, store, register },
          deploy:
            options.routesWatch === true
              ? {
                  reload: (id) => flows.reload(id, { beside: policies.ofFiles(), reported: true }),
                  end: (id) => flows.remove(id, { keepState: true }),
                  guarded: (id) => policies.get(id) !== undefined,
                }
              : undefined,
          settled: (id) => changes.change(id, async () => undefined),
          reported: () => new Set(flows.health().failedFiles.map(({ file }) => file)),
          found: (files) => flows.lookedAt(files),
          log: (level, message, flowId) => logs.runtime(level, message, flowId === undefined ? {} : { flowId }),
        });
  const deployments = new SetDeployer({
    ...{ deployer, changes, mappings, policies, connections, checks, limits },
    sets: deployer.parts.sets,
    changed: () => flows.lookAgain(),
  });
  const services: Services = {
    flows,
    mappings,
    connections,
    deployments,
    state: new KeptState({
      state: runs.state,
      store,
      register,
      keySalt: (flowId) => keySaltOf(options.dataKeys[0], flowId),
      forgotten: (flowId, name, key) => pools.forgotten(flowId, name, key),
    }),
    secrets: options.secrets ?? noSecrets,
    runs: new Runs(history, pools, options.limits),
    tests,
    expressions: sessionChecks,
    failed: new FailedService({
      store: runs.state,
      owners: threads.owners,
      keeper: runs.failed,
      retries: runs.retries,
      checks,
      limits,
      secrets: (flowId) => threads.secretsOf(flowId),
    }),
    peek: new Peek(register),
    runNow: new RunNow({ register, runner, timers, url: () => reached.url() }),
    policies,
    streams: { trace: traces, logs },
    refuseOverload: () => memory.refuse(),
    describe: () => checks.describe(),
    async metrics() {
      await usage.refresh();
      return metrics.metrics();
    },
    usage: (query) => usage.report(query),
    problems: (routes) =>
      runtimeProblems(
        {
          ...{
            ...runs,
            stats: () => pools.stats(),
            store: () => store.status(),
            files: () => watch?.problems ?? [],
          },
          connections: () => connections.access.states(),
          missingTarget: (callerId, name) => missingTarget(register, callerId, name),
        },
        routes,
      ),
    consumers: (flowId) => metrics.consumers(flowId),
    limits: { values: limits, ceilings: options.ceilings },
    runtime: { version: options.version, startedAt, routesWatch: options.routesWatch === true },
    ...(audit && {
      audit: {
        trail: audit,
        hashOf: currentHashes(register, policies, mappings, connections),
      },
    }),
    ...(options.backup && {
      backups: new Backups({
        sources: options.backup,
        state: () => runs.state.copies(),
        databases: () => threads.embedded.copies(),
        runtime: options.version,
        between: (flowId, work) => changes.change(flowId, work),
        betweenSets: (work) => deployments.between(work),
        stallMs: limits.responseStallMs,
        refusal: () => (store.status().lost === true ? store.status().reason : undefined),
        log: (level, message) => logs.runtime(level, message),
      }),
    }),
    actorOf: (request) => authenticator.actorOf(request),
    onError: (error, requestId) => logs.runtime("ERROR", `request ${requestId}: ${stackOf(error)}`),
  };
  const ingress = new HttpIngress({
    webhooks,
    runner,
    failed: runs.failed,
    register,
    keys,
    total,
    guard: new PolicyGuard({ policies, denials, proxies: options.trustedProxies ?? noProxies, authenticator, limits }),
    joined: (sessionId) => tests.joined(sessionId),
    refuseOverload: () => memory.refuse(),
    isDeployToken: (value) => authenticator.isDeployToken(value),
  });
  const door = createDoor({
    authenticator,
    limits,
    // Imported after the boot load has begun, so that the first webhook does not wait for the management API.
    management: () => import("./api/index.ts").then(({ createManagementApi }) => createManagementApi(services)),
    ingress: (request: IncomingMessage, response: ServerResponse) => ingress.handle(request, response),
    onRefused(request, response, error) {
      refusals?.refused(refusedCall(request, response, error));
      if (error.code === "unauthorized") unauthorized.note(request);
    },
    onError: (error) => logs.runtime("ERROR", stackOf(error)),
  });
  return { policies, watch, denials, unauthorized, tests, timers, door, refusals };
}

/** Returns the hash of the resource that a path of the management API names, for the audit log before and after a change. */
function currentHashes(
  flows: Pick<FlowRegister, "get">,
  policies: Pick<Policies, "find">,
  mappings: Pick<MappingService, "list">,
  connections: Pick<ConnectionService, "list">,
): HashOf {
  return async (path, id) => {
    if (path.startsWith("/_api/flows/")) return flows.get(id)?.hash ?? undefined;
    if (path.startsWith("/_api/auth/")) return (await policies.find(id)).hash ?? undefined;
    if (path.startsWith("/_api/connections/"))
      return (await connections.list()).find((connection) => connection.name === id)?.hash ?? undefined;
    const kind = path.startsWith("/_api/value-mappings/") ? "value" : "message";
    if (!path.startsWith(`/_api/${kind}-mappings/`)) return undefined;
    return (await mappings.list(kind)).find((mapping) => mapping.id === id)?.hash ?? undefined;
  };
}
