/**
 * The pools of all deployments: control deploys flows into them, and they report what runs log, trace and call (pooled-flow.ts). Their
 * threads are in this process, or in host processes (hosts/); everything else is the same for both.
 */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionSettings, ProbeAnswer } from "../../shared/connection.ts";
import type { Egress } from "../../shared/egress.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Isolation } from "../../shared/protocol.ts";
import type { ThreadPlace } from "./booted-thread.ts";
import { entries } from "./code.ts";
import { HostPlaces, type HostStatus } from "./hosts/host-places.ts";
import type { Invocation, RunProgress } from "./invocation.ts";
import { WorkerPool } from "./local/worker-pool.ts";
import { tryConnection } from "./pool/connection-trial.ts";
import { FlowPool } from "./pool/flow-pool.ts";
import { SourceTurns } from "./pool/served-routes.ts";
import { StandbyThreads } from "./pool/standby-threads.ts";
import type { FlowOwn } from "./pool/thread-source.ts";
import type {
  CompilingFlow,
  DeployRequest,
  FlowResources,
  OpenDatabase,
  PoolEvents,
  PooledFlow,
} from "./pooled-flow.ts";
import { CompileFailure } from "./pooled-flow.ts";
import { Supervisor } from "./supervision/supervisor.ts";
import { ThreadTurns } from "./thread-turns.ts";
import { within } from "./waiting.ts";

export interface FlowPoolsOptions {
  /** The module that threads run; absent: the runtime's own. Tests of hostile threads have another one. */
  readonly entry?: URL | undefined;
  /** The module that host processes run; absent: the runtime's own. */
  readonly hostEntry?: URL | undefined;
  readonly limits: Limits;
  /** The default isolation of flows; absent: threads of this process. */
  readonly isolation?: Isolation | undefined;
  /** Index into `levels`. */
  readonly logLevel: number;
  /** An Int32Array of one word, bits of `Interest`: the events that subscribers of the trace stream need. */
  readonly interest: SharedArrayBuffer;
  readonly events: PoolEvents;
  /** Logs what happens to host processes. */
  readonly log?: (level: "INFO" | "WARN" | "ERROR", message: string) => void;
  /** Returns what flows may call, for each deployment; absent: public addresses only. */
  readonly egress?: () => Egress;
  /** The parent of the directories of flows with files; undefined: flows cannot have files. */
  readonly filesDirectory?: string | undefined;
  readonly resources?: FlowResources | undefined;
}

export interface PoolStats {
  /** One entry for each group of flows that are isolated by processes. */
  readonly hosts: readonly HostStatus[];
  /** Host processes that have ended by themselves or were killed, including those of groups that no longer exist. */
  readonly hostRestarts: number;
  readonly standby: number;
  readonly threads: number;
  /** Threads that have runs of callers (limit `busyThreads`), and flows that wait until one of theirs may have some. */
  readonly busyThreads: number;
  readonly waitingFlows: number;
}

export class FlowPools {
  readonly #options: FlowPoolsOptions;
  readonly #standby: StandbyThreads;
  /** Standby threads for flows that call out: one as long as there are such flows, else none. */
  readonly #networked: StandbyThreads;
  readonly #supervisor = new Supervisor();
  readonly #places: HostPlaces;
  readonly #sourceTurns = new SourceTurns();
  readonly #turns: ThreadTurns;
  readonly #pools = new Set<FlowPool>();
  /** The flows with threads in this process: those that call out, and all others. */
  readonly #callers = new Set<FlowPool>();
  readonly #quiet = new Set<FlowPool>();
  /** true: the flows that were stored are loaded. */
  #filled = false;
  #closed = false;

  constructor(options: FlowPoolsOptions) {
    this.#options = options;
    this.#turns = new ThreadTurns(options.limits.busyThreads, options.limits.turnMs);
    const { entry, interest, limits } = options;
    const place: ThreadPlace = { pool: (of) => new WorkerPool({ ...of, entry, interest }) };
    this.#places = new HostPlaces({
      hostEntry: options.hostEntry ?? entries.host,
      entry: entry ?? entries.flow,
      ...{ limits, interest },
      log: options.log ?? (() => {}),
    });
    this.#standby = new StandbyThreads({ place, limits });
    this.#networked = new StandbyThreads({ place, limits, network: true });
  }

  /** Makes the flow's pool, whose threads begin to compile it, unless `later` is given. Rejects with CompileFailure when the flow has files and there is no directory for them. */
  async compile(request: DeployRequest): Promise<CompilingFlow> {
    const { model, limits, record, keepFailed = false, isolation = "thread", network = false, files = false } = request;
    if (this.#closed) throw closing();
    const { events, logLevel, egress = () => ({ rules: [] }), filesDirectory } = this.#options;
    const own = files ? await directoryOf(filesDirectory, model.flowId) : undefined;
    const joined = isolation === "process" ? this.#places.join(model.flowId, network) : undefined;
    const pool = new FlowPool(
      {
        model,
        limits,
        record,
        keepFailed,
        logLevel,
        ...(network && { egress: egress() }),
        ...(own !== undefined && { files: own }),
      },
      {
        standby: joined?.place.standby(network) ?? (network ? this.#networked : this.#standby),
        supervisor: this.#supervisor,
        events,
        sourceTurns: this.#sourceTurns,
        turns: this.#turns,
        own: this.#ownOf(request),
        onClosed: () => {
          this.#forget(pool);
          joined?.left();
        },
      },
    );
    this.#pools.add(pool);
    const kind = joined === undefined ? (network ? this.#callers : this.#quiet) : undefined;
    const compiled = request.later === undefined ? pool.warm() : pool.sleep(request.later);
    return { warm: () => this.#warm(pool, compiled, kind) };
  }

  /** `ofKind`: the flows that share its kind of standby thread. */
  async #warm(pool: FlowPool, compiled: Promise<void>, ofKind: Set<FlowPool> | undefined): Promise<PooledFlow> {
    try {
      await compiled;
      ofKind?.add(pool);
      if (ofKind !== undefined) this.#keepStandby();
      return pool;
    } catch (error) {
      const ended = pool.drain(0);
      // When the runtime shuts down, the caller gets its error without waiting for threads.
      if (this.#closed) throw closing();
      await ended;
      throw error;
    }
  }

  /** Finds a run under way and its flow, also in deployments that have been replaced. */
  find(runId: string): { readonly pool: PooledFlow; readonly invocation: Invocation } | undefined {
    for (const pool of this.#pools) {
      const invocation = pool.find(runId);
      if (invocation !== undefined) return { pool, invocation };
    }
    return undefined;
  }

  /** Yields how far each run in a thread has come. */
  *progress(): Generator<readonly [runId: string, progress: RunProgress]> {
    for (const pool of this.#pools) yield* pool.progress();
  }

  /** Boots a first thread while the main thread still starts. If no flow takes it, it becomes a standby thread. */
  bootAhead(): void {
    if (this.#usual === "thread" && this.#options.limits.standbyThreads > 0) this.#standby.bootAhead();
  }

  /** Boots the standby threads. Called when the flows that were stored have their threads. */
  fillStandby(): void {
    this.#filled = true;
    this.#places.fillStandby(this.#options.limits.standbyThreads);
    this.#keepStandby();
  }

  /** Whether a call or a deployment waits for a thread. */
  get wanting(): boolean {
    return this.#standby.wanting || this.#networked.wanting;
  }

  stats(): PoolStats {
    let threads = 0;
    for (const pool of this.#pools) threads += pool.threads;
    const { busy: busyThreads, waiting: waitingFlows } = this.#turns;
    return {
      standby: this.#standby.ready + this.#networked.ready + this.#places.standbyReady,
      ...{ threads, busyThreads, waitingFlows },
      hosts: this.#places.status(),
      hostRestarts: this.#places.restarts,
    };
  }

  /**
   * Sends every thread the current mappings. Each message is a copy, so other work gets a turn of the main loop between two. Resolves with the
   * flows whose threads have not taken them within `limitMs`; they take them before their next run.
   */
  async updateMappings(limitMs: number): Promise<readonly string[]> {
    const late = new Set<string>();
    const taken: Promise<void>[] = [];
    const until = performance.now() + limitMs;
    for (const pool of this.#pools) {
      for (const pending of pool.updateMappings()) {
        const inTime = within(Math.max(0, until - performance.now()), pending);
        taken.push(inTime.then((done) => (done ? undefined : void late.add(pool.flowId))));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await Promise.all(taken);
    return [...late].sort();
  }

  /** Tries a connection in a thread that is made for it. `database`: of an embedded one. Never rejects. */
  probe(settings: ConnectionSettings, database?: OpenDatabase): Promise<ProbeAnswer> {
    const { logLevel, egress = () => ({ rules: [] }) } = this.#options;
    return tryConnection(settings, {
      ...{ standby: this.#networked, supervisor: this.#supervisor },
      ...{ limits: this.#options.limits, logLevel, egress: egress(), database },
    });
  }

  /** Notifies the flow's threads that keys of a repository were removed. `key` "": all of them. */
  forgotten(flowId: string, name: string, key: string): void {
    for (const pool of this.#pools) if (pool.flowId === flowId) pool.forgotten(name, key);
  }

  /** Stops the sources of all flows; resolves when no run is under way and no thread keeps anything. */
  async settle(): Promise<void> {
    await Promise.all([...this.#pools].map((pool) => pool.settle()));
  }

  /** Kills what still runs. Deployments under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([
      this.#standby.close(),
      this.#networked.close(),
      ...[...this.#pools].map((pool) => pool.drain(0)),
    ]);
    await this.#places.close();
    this.#supervisor.close();
  }

  #ownOf({ model, mappings = [], connections = [], secrets = [] }: DeployRequest): FlowOwn {
    const { resources } = this.#options;
    const { flowId } = model;
    return {
      async ready() {
        if (mappings.length > 0) await resources?.mappingsLoaded();
        if (connections.length > 0) await resources?.connectionsLoaded();
      },
      async secrets() {
        const salt = resources === undefined ? {} : { keySalt: resources.keySalt(flowId) };
        return secrets.length === 0 ? salt : { ...salt, secrets: (await resources?.secrets(flowId, secrets)) ?? {} };
      },
      mappings() {
        if (mappings.length + connections.length === 0) return {};
        const given = mappings.length === 0 ? [] : (resources?.mappings(flowId, mappings) ?? []);
        if (connections.length === 0) return { mappings: given };
        return { mappings: [...given, ...(resources?.connections(flowId, connections) ?? [])] };
      },
    };
  }

  #forget(pool: FlowPool): void {
    this.#pools.delete(pool);
    if (this.#callers.delete(pool) || this.#quiet.delete(pool)) this.#keepStandby();
  }

  get #usual(): Isolation {
    return this.#options.isolation ?? "thread";
  }

  #keepStandby(): void {
    if (this.#closed || !this.#filled) return;
    const { standbyThreads } = this.#options.limits;
    this.#standby.keep(this.#usual === "thread" || this.#quiet.size > 0 ? standbyThreads : 0);
    this.#networked.keep(Math.min(standbyThreads, this.#callers.size === 0 ? 0 : 1));
  }
}

function closing(): AppError {
  return new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
}

/** Returns the path of a flow's directory, which is made if it does not exist. */
async function directoryOf(parent: string | undefined, flowId: string): Promise<string> {
  if (parent === undefined) {
    throw new CompileFailure("it has files, and this runtime has no directory for them: set FILES_DIR");
  }
  const path = join(parent, flowId);
  try {
    await mkdir(path, { recursive: true });
    return await realpath(path);
  } catch (error) {
    throw new CompileFailure(`its directory ${path} cannot be made: ${error instanceof Error ? error.message : error}`);
  }
}
