/** The composition root: builds the parts of the runtime, opens its door, loads its flows, and ends them in order. */
import { networkInterfaces } from "node:os";
import type { Egress, EgressRule } from "../shared/egress.ts";
import { stackOf } from "../shared/errors.ts";
import type { AppOptions } from "./app-options.ts";
import { buildApi } from "./build-api.ts";
import { buildRuns } from "./build-runs.ts";
import { buildThreads } from "./build-threads.ts";
import { bootLoad, startLate } from "./flows/boot-load.ts";
import { BootRetries } from "./flows/boot-retries.ts";
import { loadReport } from "./flows/flow-reports.ts";
import { missingTarget } from "./flows/missing-target.ts";
import type { AdoptBeside } from "./stores/stores.ts";
import { within } from "./threads/waiting.ts";

export interface App {
  readonly url: string;
  /** Resolves when every flow of the store has been started or has failed. */
  readonly loaded: Promise<void>;
  /** Takes no new work, finishes what it has within `limits.shutdownMs`, then ends everything. */
  close(): Promise<void>;
}

/** The time from the end of `shutdownMs` until the last connections are cut. */
const lastAnswersMs = 500;
/** The time after that for which the last threads are awaited: one in native code ends with the process, or after it. */
const lastThreadsMs = 500;
/** The time after that for which the state store may write what it was given. */
const lastStateMs = 5000;

/** Threads that nobody needs yet are booted this time after the flows are loaded: the first calls have the machine to themselves. */
const firstCallsMs = 100;

/** Listens as soon as it can: until the boot load is over, routes that may still come answer 503. */
export async function startApp(options: AppOptions): Promise<App> {
  const { limits, store } = options;
  /** undefined until the door is open; no flow is deployed before. */
  let listening: Listening | undefined;
  const egress = () => egressOf(options.egressAllow ?? [], listening);
  const runs = buildRuns(options, {
    poolStats: () => threads.pools.stats(),
    openSessions: () => api.tests.openCount,
    denials: () => api.denials.counts(),
    connections: () => threads.connections.access.states(),
    embedded: () => threads.embedded.status(),
    owners: () => threads.owners,
    missingTarget: (callerId, name) => missingTarget(threads.register, callerId, name),
  });
  const threads = buildThreads(options, runs, egress);
  const api = buildApi(options, runs, threads, { url: () => url, egress });
  const { logs, traces, runner } = runs;
  const { checks, pools, mappings, connections, deployer, changes, register, models } = threads;
  const { door, policies } = api;

  let closing: Promise<void> | undefined;
  let bootRest: NodeJS.Timeout | undefined;
  const stopped = new AbortController();
  register.loading = true;
  pools.bootAhead();
  // Without results of earlier checks each flow is checked at once.
  if (options.models === undefined) checks.bootAhead();
  // The disk is read while the door opens.
  const recovered = deployer.parts.sets.recover();
  const readPolicies = recovered.catch(() => undefined).then(() => policies.load());
  // Half of a set is not served.
  const adopt: AdoptBeside = async (id, beside) => {
    await readPolicies;
    const { options: own, policy } = await threads.companions.read(id, beside);
    if (policy !== undefined) await policies.ofFiles()(id, policy)((part) => deployer.keepAlongside(part));
    return own;
  };
  const readFlows = recovered.then(() => store.load(stopped.signal, adopt));
  const read = Promise.allSettled([readPolicies, readFlows]);
  listening = await door.listen(options.port, options.host).catch(async (error: unknown) => {
    stopped.abort();
    await Promise.all([threads.end(), read]);
    throw error;
  });
  const { port } = listening;
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`;
  logs.runtime("INFO", `listening on ${url}`);
  const logRecovery = (completed: string | undefined): void => {
    if (completed !== undefined) logs.runtime("WARN", completed);
  };
  void recovered.then(logRecovery, () => undefined);
  const stored = readPolicies.then(async (problems) => {
    for (const { flowId, problem } of problems) logs.runtime("ERROR", problem, flowId === undefined ? {} : { flowId });
    // Only flows that use mappings wait for them.
    void mappings.load((problem) => logs.runtime("ERROR", problem));
    void connections.load((problem) => logs.runtime("ERROR", problem));
    return readFlows;
  });
  const retries = new BootRetries(deployer, changes);
  connections.onChange(() => retries.connectionsChanged());
  const loaded = stored
    .then((found) => {
      for (const { id, warning } of found) if (warning !== undefined) logs.runtime("WARN", warning, { flowId: id });
      const { reason } = store.status();
      if (reason !== undefined) logs.runtime("WARN", reason);
      void models.keepOnly(new Set(found.map(({ id }) => id)));
      return bootLoad(deployer, changes, found, retries);
    })
    .then(() => Promise.all([threads.flows.list(), mappings.loaded]))
    .catch((error: unknown) => logs.runtime("ERROR", `the flows could not be loaded: ${stackOf(error)}`))
    .then(() => {
      changes.open();
      register.loading = false;
      bootRest = setTimeout(() => {
        pools.fillStandby();
        checks.bootAhead();
      }, firstCallsMs);
      if (closing !== undefined) clearTimeout(bootRest);
      const { summary, ignored } = loadReport(threads.flows.health(), register);
      for (const line of ignored) logs.runtime("WARN", line);
      logs.runtime("INFO", summary);
      threads.logRoom();
    })
    .then(() => runs.failed.load());
  void loaded.then(() => api.watch?.start());
  void loaded.then(() => startLate({ deployer, changes, busy: () => pools.wanting, retries }, stopped.signal));
  // The log has why flows could not be read.
  const readable = stored.catch(() => []);
  void loaded.then(async () => retries.run(await readable, stopped.signal));

  async function close(): Promise<void> {
    stopped.abort();
    clearTimeout(bootRest);
    changes.close();
    const watched = api.watch?.stop();
    mappings.close();
    connections.close();
    api.timers.stop();
    runs.retries.stop();
    runs.failed.stop();
    api.tests.stop();
    api.denials.flush();
    api.unauthorized.flush();
    runs.usage.stop();
    runs.mainLoop.stop();
    runs.memory.stop();
    logs.runtime("INFO", `shutting down: ${runner.inflight} runs under way`);
    const closed = door.close(limits.shutdownMs + lastAnswersMs);
    // Runs that are not over by then are killed, and their callers get an error.
    const overdue = setTimeout(threads.end, limits.shutdownMs);
    // Runs that nobody waits for have no connection: ticks of timers, calls that were answered 202, what threads have announced.
    // Nor has the reading of the store, which records what it finds and must be over when the directories are unlocked.
    const idle = () =>
      within(
        limits.shutdownMs + lastAnswersMs,
        Promise.allSettled([runner.idle(), pools.settle(), stored, models.settled()]),
      );
    await idle();
    // Readers see the last runs end; the door waits for their connections.
    traces.close();
    logs.close();
    api.refusals?.close();
    await closed;
    await idle();
    clearTimeout(overdue);
    await within(lastThreadsMs, Promise.all([loaded, threads.end(), watched]));
    // Behind the threads, whose last runs may still confirm what they have done.
    await within(lastStateMs, Promise.all([runs.state.close(), threads.embedded.close()]));
    runs.failures.flush();
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

interface Listening {
  readonly address: string;
  readonly port: number;
}

/**
 * What flows may connect to. The addresses of this runtime are among them only where the operator names the port; of a runtime
 * that listens on all addresses they are those that the machine has now.
 */
function egressOf(rules: readonly EgressRule[], listening: Listening | undefined): Egress {
  if (listening === undefined) return { rules };
  const { address, port } = listening;
  const all = address === "::" || address === "0.0.0.0";
  return { rules, own: { port, addresses: all ? machineAddresses() : [address] } };
}

function machineAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ["0.0.0.0", "::", ...interfaces.map(({ address }) => address)];
}
