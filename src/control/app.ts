/** The composition root: the only file that builds the parts of the runtime and hands them to each other. */
import { availableParallelism } from "node:os";
import type { EgressRule } from "../shared/egress.ts";
import type { Limits } from "../shared/limits.ts";
import { noProxies, type TrustedProxies } from "./access/client-address.ts";
import { Denials } from "./access/denials.ts";
import { Policies } from "./access/policies.ts";
import { createPolicyReader } from "./access/policy-reader.ts";
import { JwksCache } from "./access/schemes/jwks-cache.ts";
import { ReplayCache } from "./access/schemes/replay-cache.ts";
import { type AuditTrail, refusedCall } from "./api/audit.ts";
import type { Services } from "./api/services.ts";
import { SampledRefusals } from "./audit/sampled-refusals.ts";
import { currentHashes } from "./current-hashes.ts";
import { deployerEvents, hostEvents, tellRoutes } from "./flow-news.ts";
import { bootLoad } from "./flows/boot-load.ts";
import { ChangeQueue } from "./flows/change-queue.ts";
import { CheckPool } from "./flows/check-pool.ts";
import { Claims } from "./flows/claims.ts";
import { Deployer, type FlowSettings } from "./flows/deployer.ts";
import { Drains } from "./flows/drains.ts";
import { FlowAdmin } from "./flows/flow-admin.ts";
import { FlowRegister } from "./flows/flow-register.ts";
import { flowSecrets } from "./flows/flow-secrets.ts";
import { KnownChecks } from "./flows/known-checks.ts";
import { startLate } from "./flows/late-starts.ts";
import { LiveFlows } from "./flows/live-flows.ts";
import { loadReport } from "./flows/load-report.ts";
import { RouteControl } from "./flows/route-control.ts";
import type { Authenticator } from "./http/auth.ts";
import { createDoor } from "./http/server.ts";
import { MappingAdmin } from "./mappings/mapping-admin.ts";
import { egressOf, type Listening } from "./own-addresses.ts";
import { AnnouncedRuns } from "./runs/announced-runs.ts";
import { Calls } from "./runs/calls.ts";
import { FailureLog } from "./runs/failure-log.ts";
import { LogHub, type LogSink } from "./runs/log-hub.ts";
import { MainLoop } from "./runs/main-loop.ts";
import { Metrics } from "./runs/metrics.ts";
import { ProcessMemory } from "./runs/process-memory.ts";
import { RunHistory } from "./runs/run-history.ts";
import { Runs } from "./runs/run-service.ts";
import { Runner } from "./runs/runner.ts";
import { runtimeProblems } from "./runs/runtime-problems.ts";
import { SessionChecks } from "./runs/test-sessions/session-checks.ts";
import type { SessionScope } from "./runs/test-sessions/test-service.ts";
import { TestSessions } from "./runs/test-sessions/test-sessions.ts";
import { TraceHub } from "./runs/trace-hub.ts";
import { Usage } from "./runs/usage/usage.ts";
import { type CheckedModels, noCheckedModels } from "./stores/checked-models.ts";
import type { DocumentStores } from "./stores/documents.ts";
import { type FlowEnvironment, noEnvironment, variablesOf } from "./stores/flow-environment.ts";
import { noSecrets, type Secrets } from "./stores/secrets.ts";
import type { FlowStore } from "./stores/stores.ts";
import { descriptorLimit, descriptorsPerThread, openDescriptors, threadLimit } from "./threads/descriptors.ts";
import { FlowHost } from "./threads/flow-host.ts";
import { roomReport } from "./threads/thread-room.ts";
import { within } from "./threads/within.ts";
import { HttpIngress } from "./triggers/http-ingress.ts";
import { IdempotencyKeys } from "./triggers/idempotency-keys.ts";
import { PolicyGuard } from "./triggers/policy-guard.ts";
import { Timers } from "./triggers/timers.ts";
import { followSwaps } from "./triggers/triggers.ts";
import { Webhooks } from "./triggers/webhooks.ts";

export interface AppOptions {
  readonly authenticator: Authenticator;
  readonly store: FlowStore;
  readonly documents: DocumentStores;
  /** What checks have found; absent: every start checks all flows. */
  readonly models?: CheckedModels | undefined;
  /** Absent: there are none. */
  readonly secrets?: Secrets;
  readonly environment?: FlowEnvironment;
  /** Absent: what is changed is not recorded. */
  readonly audit?: AuditTrail | undefined;
  readonly sink: LogSink;
  readonly limits: Limits;
  readonly ceilings: Services["limits"]["ceilings"];
  readonly settings: FlowSettings;
  /** Addresses that flows may call beside the public ones. */
  readonly egressAllow?: readonly EgressRule[];
  /** true: nothing else may be called, public addresses neither. */
  readonly egressClosed?: boolean;
  /** Proxies whose word about the caller's address is taken; absent: none. */
  readonly trustedProxies?: TrustedProxies;
  /** Each flow with a file endpoint has a directory in here. */
  readonly filesDirectory?: string;
  /** What test sessions may be for; absent: all runs of a deployment, too. */
  readonly testScope?: SessionScope;
  /** Index into `levels`. */
  readonly logLevel: number;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly version: string;
  /** The module that flow threads run; absent: the runtime's own, as it is run itself. Tests give hostile ones, and a bundle. */
  readonly threadEntry?: URL | undefined;
  /** The module that host processes run; absent: the runtime's own. */
  readonly hostEntry?: URL | undefined;
  /** Present: the threads that check texts are shared with other runtimes of the process, and stay. */
  readonly checks?: CheckPool | undefined;
}

export interface App {
  readonly url: string;
  /** Resolves when every flow of the store has been started or has failed. */
  readonly loaded: Promise<void>;
  /** Takes no new work, finishes what it has within `limits.shutdownMs`, then ends everything. */
  close(): Promise<void>;
}

/** From the end of a shutdown's time to the cut of its last connections. */
const lastAnswersMs = 500;
/** From there on until nobody waits for the last threads: one in native code ends with the process, or after it. */
const lastThreadsMs = 500;

/** Listens as soon as it can: until the boot load is over, routes that may still come answer 503. */
export async function startApp(options: AppOptions): Promise<App> {
  const { limits, store, authenticator, secrets = noSecrets, environment = noEnvironment, audit } = options;
  const { models = noCheckedModels } = options;
  const refusals = audit && new SampledRefusals(limits.auditRefusals, (event) => void audit.note(event));
  const startedAt = Date.now();
  const logs = new LogHub(options.sink, limits);
  const traces = new TraceHub(limits);
  const history = new RunHistory(limits);
  const live = new LiveFlows();
  const routes = new RouteControl(live);
  const register = new FlowRegister();
  const drains = new Drains();
  const checks = options.checks ?? new CheckPool(availableParallelism());
  const endChecks = (): Promise<void> | undefined => (options.checks === undefined ? checks.close() : undefined);
  const total = { inFlight: 0, most: limits.totalBytesInFlight };
  const keys = new IdempotencyKeys(limits);
  const denials = new Denials((flowId, message) => logs.runtime("WARN", message, { flowId }));
  const jwks = new JwksCache({ egress: () => egressOf(options.egressAllow ?? [], listening) });
  const reader = createPolicyReader({ secrets, jwks, replay: new ReplayCache() });
  const policies = new Policies(options.documents.policies, reader, (flowId) => denials.forget(flowId));
  const mainLoop = new MainLoop();
  const memory = new ProcessMemory(limits.processMemoryBytes, (over, message) =>
    logs.runtime(over ? "ERROR" : "INFO", message),
  );
  const metrics = new Metrics({
    flows: () =>
      [...live.all()].map(({ flowId, hosted, bytes }) => ({
        flowId,
        bytesInFlight: bytes.inFlight,
        inflight: hosted.inflight,
        queued: hosted.queued,
        threads: hosted.threads,
      })),
    standbyThreads: () => host.stats().standby,
    threads() {
      const { live: ofFlows, stuck } = metrics.threads();
      return { live: ofFlows, standby: host.stats().standby, stuck: stuck.length };
    },
    stats: () => host.stats(),
    ...{ mainLoop, memory },
    bytesInFlight: () => total.inFlight,
    idempotency: () => keys,
    denials: () => denials.counts(),
    testSessions: () => tests.openCount,
    streams: () => [
      { name: "trace", subscribers: traces.subscriberCount, dropped: traces.dropped },
      { name: "log", subscribers: logs.subscriberCount, dropped: logs.dropped },
    ],
  });
  const usage = new Usage({
    flows: metrics.flows,
    mostGone: limits.usageGoneFlows,
    now(flowId) {
      const { inflight = 0, queued = 0, restarts = 0 } = live.get(flowId)?.hosted ?? {};
      return { inflight, queued, restarts };
    },
  });
  /** Until the door is open no flow is deployed. */
  let listening: Listening | undefined;
  const mappings = new MappingAdmin({ stores: options.documents, checks, live, limits, host: () => host });
  const host = new FlowHost({
    entry: options.threadEntry,
    hostEntry: options.hostEntry,
    tell: (level, message) => logs.runtime(level, message),
    limits,
    isolation: options.settings({}).isolation,
    logLevel: options.logLevel,
    interest: traces.interest,
    filesDirectory: options.filesDirectory,
    egress: () => ({ ...egressOf(options.egressAllow ?? [], listening), closed: options.egressClosed }),
    resources: {
      mappingsLoaded: () => mappings.loaded,
      mappings: (flowId, uses) => mappings.closure(flowId, uses),
      secrets: flowSecrets(secrets, environment, (flowId, message) => logs.runtime("WARN", message, { flowId })),
    },
    events: hostEvents({ logs, traces, metrics, calls: () => calls, announced: () => announced, routes }),
  });
  const failures = new FailureLog((level, message, about) => logs.runtime(level, message, about));
  const runner = new Runner({ history, traces, metrics, logs, failures });
  const calls = new Calls(live, runner);
  const announced = new AnnouncedRuns(live, runner);
  const tests = new TestSessions({
    ...{ live, runner, limits },
    checks: new SessionChecks(checks, limits),
    scope: options.testScope ?? "deployment",
    url: () => url,
  });
  const webhooks = new Webhooks();
  const timers = new Timers(
    runner,
    (flowId) => metrics.tickSkipped(flowId),
    () => memory.over,
  );
  followSwaps(live, webhooks, timers);
  tellRoutes(live, logs);
  const deployer = new Deployer({
    ...{ host, live, register, drains, store },
    checks: new KnownChecks(checks, models),
    claims: new Claims(),
    settings: options.settings,
    variables: (flowId) => variablesOf(environment, flowId),
    mappingAccess: (flowId, kind, id) => mappings.access(flowId, kind, id),
    events: deployerEvents({ logs, traces, metrics, history, keys }),
  });
  const changes = new ChangeQueue();
  const flows = new FlowAdmin(deployer, changes, usage);
  const services: Services = {
    flows,
    mappings,
    runs: new Runs(history, host, options.limits),
    tests,
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
        { live, metrics, history, mainLoop, memory, stats: () => host.stats(), store: () => store.status() },
        routes,
      ),
    limits: { values: limits, ceilings: options.ceilings },
    runtime: { version: options.version, startedAt },
    ...(audit && {
      audit: {
        trail: audit,
        hashOf: currentHashes(register, policies, mappings),
        actorOf: (request) => authenticator.actorOf(request),
      },
    }),
    onError: (error, requestId) => logs.runtime("ERROR", `request ${requestId}: ${describe(error)}`),
  };
  const ingress = new HttpIngress({
    webhooks,
    runner,
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
    // Loaded behind the boot load: the first webhook does not wait for the management API.
    management: () => import("./api/index.ts").then(({ createManagementApi }) => createManagementApi(services)),
    ingress: (request, response) => ingress.handle(request, response),
    onRefused: (request, response, error) => refusals?.refused(refusedCall(request, response, error)),
    onError: (error) => logs.runtime("ERROR", describe(error)),
  });

  let closing: Promise<void> | undefined;
  const stopped = new AbortController();
  register.loading = true;
  host.bootAhead();
  listening = await door.listen(options.port, options.host).catch(async (error: unknown) => {
    await Promise.all([host.close(), endChecks()]);
    throw error;
  });
  const { port } = listening;
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`;
  logs.runtime("INFO", `listening on ${url}`);
  const stored = policies.load().then(async (problems) => {
    for (const { flowId, problem } of problems) logs.runtime("ERROR", problem, flowId === undefined ? {} : { flowId });
    // Flows that use them wait for them, the others do not.
    void mappings.load((problem) => logs.runtime("ERROR", problem));
    return store.load(stopped.signal);
  });
  const loaded = stored
    .then((found) => {
      for (const { id, warning } of found) if (warning !== undefined) logs.runtime("WARN", warning, { flowId: id });
      const { reason } = store.status();
      if (reason !== undefined) logs.runtime("WARN", reason);
      void models.keepOnly(new Set(found.map(({ id }) => id)));
      return bootLoad(deployer, changes, found);
    })
    .then(() => Promise.all([flows.list(), mappings.loaded]))
    .catch((error: unknown) => logs.runtime("ERROR", `the flows could not be loaded: ${describe(error)}`))
    .then(() => {
      changes.open();
      register.loading = false;
      if (closing === undefined) host.fillStandby();
      const { summary, ignored } = loadReport(flows.health(), register);
      for (const line of ignored) logs.runtime("WARN", line);
      logs.runtime("INFO", summary);
      tellRoom();
    });
  void loaded.then(() => startLate({ deployer, changes, busy: () => host.wanting }, stopped.signal));

  function tellRoom(): void {
    const descriptors = descriptorLimit();
    const open = openDescriptors();
    if (descriptors === undefined || open === undefined) return;
    const { threads, standby } = host.stats();
    let wanted = 0;
    for (const { limits: own } of live.all()) wanted += own.threads;
    const { level, message } = roomReport({
      ...{ descriptors, flows: live.size, threads: wanted, pids: threadLimit() },
      open: Math.max(0, open - (threads + standby) * descriptorsPerThread),
      busyThreads: limits.busyThreads,
      standbyThreads: limits.standbyThreads,
    });
    logs.runtime(level, message);
  }

  async function close(): Promise<void> {
    stopped.abort();
    changes.close();
    mappings.close();
    timers.stop();
    tests.stop();
    denials.flush();
    usage.stop();
    mainLoop.stop();
    memory.stop();
    logs.runtime("INFO", `shutting down: ${runner.inflight} runs under way`);
    const closed = door.close(limits.shutdownMs + lastAnswersMs);
    const end = (): Promise<unknown> => Promise.all([host.close(), endChecks()]);
    // What is not over by then is killed, and its callers are told.
    const overdue = setTimeout(end, limits.shutdownMs);
    // Runs that nobody waits for have no connection: ticks of timers, calls that were answered 202, what threads have announced.
    // Nor has the reading of the store, which records what it finds and must be over when the directories are unlocked.
    const idle = () =>
      within(
        limits.shutdownMs + lastAnswersMs,
        Promise.allSettled([runner.idle(), host.settle(), stored, models.settled()]),
      );
    await idle();
    // Readers see the last runs end; the door waits for their connections.
    traces.close();
    logs.close();
    refusals?.close();
    await closed;
    await idle();
    clearTimeout(overdue);
    await within(lastThreadsMs, Promise.all([loaded, end()]));
    failures.flush();
  }
  return {
    url,
    loaded,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
