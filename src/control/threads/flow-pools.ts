/**
 * The pools of all deployments: control deploys flows into them, and they report what runs log, trace and call (pooled-flow.ts). Their
 * threads are in this process, or in host processes (hosts/); everything else is the same for both.
 */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Egress } from "../../shared/egress.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Isolation } from "../../shared/protocol.ts";
import { entries } from "./code.ts";
import { HostPlaces, type HostStatus } from "./hosts/host-places.ts";
import type { Invocation, RunProgress } from "./invocation.ts";
import { type LocalThreads, localThreads } from "./local-threads.ts";
import { FlowPool } from "./pool/flow-pool.ts";
import { SourceTurns } from "./pool/served-routes.ts";
import type { StandbyThreads } from "./pool/standby-threads.ts";
import type { FlowOwn } from "./pool/thread-source.ts";
import type { CompilingFlow, DeployRequest, FlowResources, PoolEvents, PooledFlow } from "./pooled-flow.ts";
import { CompileFailure } from "./pooled-flow.ts";
import { Supervisor } from "./supervision/supervisor.ts";
import { ThreadTurns } from "./thread-turns.ts";
import { within } from "./waiting.ts";

export interface FlowPoolsOptions {
  /** The module that threads run; tests of hostile threads give their own. */
  readonly entry?: URL | undefined;
  /** The threads of this process, which may have begun to boot; absent: new ones. */
  readonly local?: LocalThreads | undefined;
  /** The module that host processes run; absent: the runtime's own, as it is run itself. */
  readonly hostEntry?: URL | undefined;
  readonly limits: Limits;
  /** Where the threads of most flows are; absent: in this process. */
  readonly isolation?: Isolation | undefined;
  /** Index into `levels`. */
  readonly logLevel: number;
  /** Int32Array of 1: what somebody watches. */
  readonly interest: SharedArrayBuffer;
  readonly events: PoolEvents;
  /** What becomes of host processes, for the log. */
  readonly tell?: (level: "INFO" | "WARN" | "ERROR", message: string) => void;
  /** What flows may call; asked for each deployment. Absent: public addresses only. */
  readonly egress?: () => Egress;
  /** Each flow with files has a directory in here; undefined: there are none. */
  readonly filesDirectory?: string | undefined;
  readonly resources?: FlowResources | undefined;
}

export interface PoolStats {
  /** One for each group of flows that are isolated by processes. */
  readonly hosts: readonly HostStatus[];
  /** Host processes that have ended by themselves or were killed, those of groups that are gone included. */
  readonly hostRestarts: number;
  readonly standby: number;
  readonly threads: number;
  /** Threads that have runs of callers, and flows that wait for one to be allowed to. */
  readonly busyThreads: number;
  readonly waitingFlows: number;
}

export class FlowPools {
  readonly #options: FlowPoolsOptions;
  readonly #standby: StandbyThreads;
  /** For flows that call out: none until the first of them comes, and one as long as there are any. */
  readonly #networked: StandbyThreads;
  readonly #supervisor = new Supervisor();
  readonly #places: HostPlaces;
  readonly #sourceTurns = new SourceTurns();
  readonly #turns: ThreadTurns;
  readonly #pools = new Set<FlowPool>();
  /** Flows in threads of this process: those that call out, and all others. */
  readonly #callers = new Set<FlowPool>();
  readonly #quiet = new Set<FlowPool>();
  /** The boot load is over. */
  #filled = false;
  #closed = false;

  constructor(options: FlowPoolsOptions) {
    this.#options = options;
    this.#turns = new ThreadTurns(options.limits.busyThreads, options.limits.turnMs);
    const { entry, interest, limits } = options;
    this.#places = new HostPlaces({
      hostEntry: options.hostEntry ?? entries.host,
      entry: entry ?? entries.flow,
      ...{ limits, interest },
      log: options.tell ?? (() => {}),
    });
    const { plain, networked } = options.local ?? localThreads(limits, interest, entry);
    this.#standby = plain;
    this.#networked = networked;
  }

  /** Makes the flow's pool, whose threads begin to compile it, unless that is for later. Rejects with CompileFailure for files that it has no directory for. */
  async compile(request: DeployRequest): Promise<CompilingFlow> {
    const { model, limits, record, isolation = "thread", network = false, files = false } = request;
    if (this.#closed) throw closing();
    const { events, logLevel, egress = () => ({ rules: [] }), filesDirectory } = this.#options;
    const own = files ? await directoryOf(filesDirectory, model.flowId) : undefined;
    const joined = isolation === "process" ? this.#places.join(model.flowId, network) : undefined;
    const pool = new FlowPool(
      {
        model,
        limits,
        record,
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
      // At the end of the runtime its caller is told at once.
      if (this.#closed) throw closing();
      await ended;
      throw error;
    }
  }

  /** The run and the flow that it is in, of a replaced deployment too. */
  find(runId: string): { readonly pool: PooledFlow; readonly invocation: Invocation } | undefined {
    for (const pool of this.#pools) {
      const invocation = pool.find(runId);
      if (invocation !== undefined) return { pool, invocation };
    }
    return undefined;
  }

  /** How far all runs in threads have come. */
  *progress(): Generator<readonly [runId: string, progress: RunProgress]> {
    for (const pool of this.#pools) yield* pool.progress();
  }

  /** Boots a first thread while the main thread is still busy with other things; one that no flow takes would stand by. */
  bootAhead(): void {
    if (this.#usual === "thread") this.#standby.bootAhead();
  }

  /** Fills the standby threads: called when the boot load has taken those that it needs. */
  fillStandby(): void {
    this.#filled = true;
    this.#places.fillStandby(this.#options.limits.standbyThreads);
    this.#keepStandby();
  }

  /** A call, or a deployment, waits for a thread. */
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
   * Gives every thread the mappings as they are now; each has a copy, so the main loop has a turn between two. Resolves with the
   * flows whose threads are too busy to take them within `limitMs`: they do before their next run.
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

  /** Resolves when no flow has anything left to do; none begins anything by itself any more. */
  async settle(): Promise<void> {
    await Promise.all([...this.#pools].map((pool) => pool.settle()));
  }

  /** Kills what still runs; a deployment under way fails. */
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

  #ownOf({ model, mappings = [], secrets = [] }: DeployRequest): FlowOwn {
    const { resources } = this.#options;
    return {
      async ready() {
        if (mappings.length > 0) await resources?.mappingsLoaded();
      },
      async secrets() {
        if (secrets.length === 0) return {};
        return { secrets: (await resources?.secrets(model.flowId, secrets)) ?? {} };
      },
      mappings: () => (mappings.length === 0 ? {} : { mappings: resources?.mappings(model.flowId, mappings) ?? [] }),
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

/** A flow's own directory, made if it is not there. */
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
