/** A flow in its threads, as the rest of control has it: how it is deployed and called, and what its threads report. */

import type { FlowModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest, RouteManifest } from "../../shared/manifest.ts";
import type { MappingData, MappingUse } from "../../shared/mapping.ts";
import type { BodyKind, Isolation, LossReason, RecordMode } from "../../shared/protocol.ts";
import type { Invocation, Origin, RunProgress } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import type { LostEvents } from "./line/thread-events.ts";
import type { BeginFrame, CallFrame, RouteFrame, StepTrace } from "./line/thread-frames.ts";
import type { MeteredThread, ThreadUse } from "./metered-thread.ts";

export interface DeployRequest {
  readonly model: FlowModel;
  readonly limits: Limits;
  readonly record: RecordMode;
  /** Absent: its threads are in this process. */
  readonly isolation?: Isolation;
  /** Its manifest's: the flow calls out. */
  readonly network?: boolean;
  /** Its manifest's: the flow has files. */
  readonly files?: boolean;
  /** Its manifest's. */
  readonly mappings?: readonly MappingUse[];
  readonly secrets?: readonly string[];
  /** Present: the flow has no thread until it is called, and this is what the check has made of it. */
  readonly later?: FlowManifest;
}

/** The flow does not compile; the message is for whoever deploys it. */
export class CompileFailure extends Error {}

/** A flow whose threads are on their way. */
export interface CompilingFlow {
  /** Resolves with its manifest in hand; rejects with what its thread has against it. Nothing is left of it then. */
  warm(): Promise<PooledFlow>;
}

/** What became of the runs of a deployment that was drained. */
export interface Drained {
  readonly drained: number;
  readonly killed: number;
}

/** A flow in its threads. */
export interface PooledFlow {
  readonly manifest: FlowManifest;
  readonly limits: Limits;
  invoke(invocation: Invocation): void;
  /** The invocation, queued or in a thread. */
  find(runId: string): Invocation | undefined;
  /** How far its runs in threads have come. */
  progress(): Iterable<readonly [runId: string, progress: RunProgress]>;
  /** Resolves when `progress` knows the run's as it is now. */
  refresh(runId: string): Promise<void>;
  /**
   * Asks the run to stop before its next step. `urgent`: its thread is killed if it does not. A caller that has left is no reason to
   * kill a thread that is busy with the runs of others: the run's deadline still is.
   */
  cancel(runId: string, reason: string, urgent: boolean): void;
  readonly inflight: number;
  /** Runs that wait for a thread, and messages in threads that wait for runs of their own. */
  readonly queued: number;
  readonly threads: number;
  /** A thread of it has compiled it, so that it can start. */
  readonly compiled: boolean;
  /**
   * Compiles it in a thread, which goes again unless somebody has called meanwhile; nothing when a thread has before. Rejects with what
   * the thread has against the flow.
   */
  compileOnce(): Promise<void>;
  readonly restarts: number;
  /** The flow serves from now on; `running`: for each of its routes 1 when it runs, else 0. Again when that has changed. */
  serve(running: string): void;
  /** Its own sources stop; resolves when nothing is under way and its threads keep nothing. It still takes what comes. */
  settle(): Promise<void>;
  /** Milliseconds until a trial, 0 when not quarantined. */
  readonly quarantinedMs: number;
  /** Takes no more, finishes what it has; kills the rest after `limitMs`. Its threads are gone when this resolves. */
  drain(limitMs: number): Promise<Drained>;
}

/** What control keeps for flows beside their text; asked anew for each thread that adopts one. */
export interface FlowResources {
  /** Resolves when all mappings that were kept are known. */
  mappingsLoaded(): Promise<void>;
  /** Those that are there and that the flow may use, with the value mappings that the message mappings among them use. */
  mappings(flowId: string, uses: readonly MappingUse[]): readonly MappingData[];
  /** By name. Throws CompileFailure that names one that is not there. */
  secrets(flowId: string, names: readonly string[]): Promise<Readonly<Record<string, string>>>;
}

/** What a flow's threads report while runs are under way. The flow of an event is known from the port that it came by, never from its content. */
export interface PoolEvents {
  /** `invocation` is undefined for output that belongs to no run. */
  log(
    flowId: string,
    invocation: Invocation | undefined,
    step: number,
    level: number,
    logger: string,
    message: string,
  ): void;
  trace(flowId: string, invocation: Invocation, trace: StepTrace, worker: number): void;
  /** A run calls another flow by `direct:`; answered by `reply`, once. */
  call(flowId: string, invocation: Invocation, call: FlowCall): void;
  /** A run asks for something of a route of its flow. Throws for a route that the flow does not have. */
  route(invocation: Invocation, request: RouteRequest): void;
  /** A run begins in a thread of this flow: it is to be opened there, or refused. */
  announced(pool: PooledFlow, run: AnnouncedRun): void;
  /** Log and trace events of a thread of the flow will never arrive. */
  lost(flowId: string, reason: LossReason, events: LostEvents): void;
  /** The flow has this thread now. */
  adopted(flowId: string, thread: MeteredThread): void;
  /** A thread of the flow has used this since its last report. */
  used(flowId: string, use: ThreadUse): void;
  /** A thread that the flow has adopted has compiled it. */
  compiled(flowId: string, thread: MeteredThread, manifest: FlowManifest): void;
  /** A thread was killed; `quarantinedMs` when the flow is quarantined for it. */
  killed(flowId: string, kill: Kill, quarantinedMs: number | undefined): void;
}

/** `hops`: the depth at which the call was made; `extra`: an InvokeExtra as JSON. */
export interface FlowCall extends Omit<CallFrame, "id"> {
  reply(bodyKind: BodyKind, body: string | Uint8Array | null, extra: string): void;
}

/** Answered once: with the state that the route is in then, or with why nothing was done. */
export interface RouteRequest extends RouteFrame {
  reply(state: RouteState): void;
  refuse(why: string): void;
}

export interface AnnouncedRun extends BeginFrame {
  /** The run that caused it. */
  readonly origin: Origin | undefined;
  /** Takes the run into the very thread, where its message is. */
  invoke(invocation: Invocation): void;
  /** The run does not begin. */
  refuse(reason: string): void;
}

/**
 * Which routes of a deployment run (Camel: ServiceStatus). In memory only: the next deployment begins anew with what the routes'
 * `autoStartup` says.
 */
export type RouteState = "Started" | "Suspended" | "Stopped";

export class RouteStates {
  readonly #states: RouteState[];

  /** `all`: routes without `autoStartup` are started, too. */
  constructor(routes: readonly RouteManifest[], all: boolean) {
    this.#states = routes.map(({ autoStartup }) => (all || autoStartup ? "Started" : "Stopped"));
  }

  /** Returns the state of the route at this index in the manifest; undefined: there is none. */
  get(routeIndex: number): RouteState | undefined {
    return this.#states[routeIndex];
  }

  /** Returns whether the state has changed. */
  set(routeIndex: number, state: RouteState): boolean {
    const changes = this.#states[routeIndex] !== state;
    this.#states[routeIndex] = state;
    return changes;
  }

  /** As threads receive it: for each route 1 when it is started, else 0. */
  get running(): string {
    return this.#states.map((state) => (state === "Started" ? "1" : "0")).join("");
  }
}
