/** A flow in its threads, as the rest of control has it: how it is deployed and called, and what its threads report. */

import type { ConnectionSecrets, ConnectionUse, HeldByRun } from "../../shared/connection.ts";
import type { FlowModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest, RouteManifest } from "../../shared/manifest.ts";
import type { MappingData, MappingUse, ResourceData } from "../../shared/mapping.ts";
import type { PeekAnswer } from "../../shared/peek.ts";
import type { BodyKind, Isolation, LossReason, RecordMode, ThreadEnd } from "../../shared/protocol.ts";
import type { EmbeddedClient } from "./embedded-client.ts";
import type { Invocation, Origin, RunProgress } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import type { GroupsFrame } from "./line/group-frames.ts";
import type { StateFrame } from "./line/state-frames.ts";
import type { LostEvents } from "./line/thread-events.ts";
import type { BeginFrame, CallFrame, RouteFrame, StepTrace } from "./line/thread-frames.ts";
import type { MeteredThread, ThreadUse } from "./metered-thread.ts";

export interface DeployRequest {
  readonly model: FlowModel;
  readonly limits: Limits;
  readonly record: RecordMode;
  /** true: messages of runs that fail are kept. */
  readonly keepFailed?: boolean;
  /** Absent: its threads are in this process. */
  readonly isolation?: Isolation;
  /** From its manifest: the flow calls out. */
  readonly network?: boolean;
  /** From its manifest: the flow has files. */
  readonly files?: boolean;
  /** From its manifest. */
  readonly mappings?: readonly MappingUse[];
  readonly secrets?: readonly string[];
  readonly connections?: readonly ConnectionUse[];
  /** Present: the flow gets no thread until it is called. This is the manifest that its check has made. */
  readonly later?: FlowManifest;
}

/** The flow does not compile. The message is shown to the caller that deploys it. */
export class CompileFailure extends Error {}

/** The flow was not compiled in time, which may be the machine's fault. */
export class CompileLate extends CompileFailure {}

/** A flow whose threads boot or compile it. */
export interface CompilingFlow {
  /** Resolves when its threads have compiled it. Rejects with the reason why they have not; nothing is left of it then. */
  warm(): Promise<PooledFlow>;
}

/** What became of the runs of a deployment that was drained. */
export interface Drained {
  readonly drained: number;
  readonly killed: number;
}

/** A flow in its threads. */
export interface PooledFlow {
  readonly flowId: string;
  /** Which of the flows of this id it is (stores/stores.ts): what it keeps belongs to that one. Set before it serves. */
  incarnation: number;
  /** Of the deployment, and whether messages of its failed runs are kept. Set before it serves. */
  revision: number;
  keepsFailed: boolean;
  readonly manifest: FlowManifest;
  readonly limits: Limits;
  invoke(invocation: Invocation): void;
  /** Finds a run, queued or in a thread. */
  find(runId: string): Invocation | undefined;
  /** Returns how far each of its runs in threads has come. */
  progress(): Iterable<readonly [runId: string, progress: RunProgress]>;
  /** Resolves when `progress` has the current figures of the run. */
  refresh(runId: string): Promise<void>;
  /**
   * Asks the run to stop before its next step. `urgent`: its thread is killed if the run does not stop. Without it, as for a caller that has
   * disconnected, only the run's deadline gets the thread killed.
   */
  cancel(runId: string, reason: string, urgent: boolean): void;
  readonly inflight: number;
  /** Runs that wait for a thread, and announced runs that have not begun. */
  readonly queued: number;
  readonly threads: number;
  /** Whether a thread has compiled it. */
  readonly compiled: boolean;
  /**
   * Compiles it in a thread, unless one has before. The thread ends again if the flow is not called meanwhile. Rejects with the reason why the
   * flow does not compile.
   */
  compileOnce(): Promise<void>;
  readonly restarts: number;
  /** Looks at the messages that wait for the source of a route; undefined: no thread has compiled the flow. Does not reject. */
  peek(routeIndex: number, limit: number): Promise<PeekAnswer> | undefined;
  /** Lets the flow serve. `running`: for each of its routes 1 when it runs, else 0; call it again when that changes. */
  serve(running: string): void;
  /** Stops its sources; resolves when no run is under way and its threads keep nothing. It still takes calls. */
  settle(): Promise<void>;
  /** Milliseconds until the end of its quarantine; 0: it is not quarantined. */
  readonly quarantinedMs: number;
  /** Takes no more calls and finishes its runs; kills those that are left after `limitMs`. Resolves when its threads are gone. `end`: "ends" by default. */
  drain(limitMs: number, end?: ThreadEnd): Promise<Drained>;
}

/** What control keeps for flows beside their text; read for each thread that compiles a flow. */
export interface FlowResources {
  /** Resolves when all stored connections are loaded. */
  connectionsLoaded(): Promise<void>;
  /** Returns the named connections that exist and that the flow may use. */
  connections(flowId: string, uses: readonly ConnectionUse[]): readonly ResourceData[];
  /** Resolves when all stored mappings are loaded. */
  mappingsLoaded(): Promise<void>;
  /** Returns the mappings that exist and that the flow may use, with the value mappings that its message mappings use. */
  mappings(flowId: string, uses: readonly MappingUse[]): readonly MappingData[];
  /** Returns what keys of the flow in the state store are digested with that hold a secret. */
  keySalt(flowId: string): string;
  /** Returns secrets by name. Throws CompileFailure for one that does not exist. */
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
    marker: string,
  ): void;
  trace(flowId: string, invocation: Invocation, trace: StepTrace, worker: number): void;
  /** A run calls another flow by `direct:`; answered by `reply`, once. */
  call(flowId: string, invocation: Invocation, call: FlowCall): void;
  /** A run asks to start, stop or suspend a route of its flow, or for its state. Throws for a route that the flow does not have. */
  route(invocation: Invocation, request: RouteRequest): void;
  /** An announced run is ready to begin in a thread of this flow: it is opened there, or refused. */
  announced(pool: PooledFlow, run: AnnouncedRun): void;
  /** Log and trace events of a thread of the flow will never arrive. */
  lost(flowId: string, reason: LossReason, events: LostEvents): void;
  /** A thread now belongs to the flow. */
  adopted(flowId: string, thread: MeteredThread): void;
  /** A thread of the flow has used this since its last report. */
  used(flowId: string, use: ThreadUse): void;
  /** A thread of the flow has compiled it. */
  compiled(flowId: string, thread: MeteredThread, manifest: FlowManifest): void;
  /** A thread of this flow asks the state store for something; answered once. Throws for a repository that the flow does not declare. */
  state(pool: PooledFlow, request: StateRequest): void;
  /** As `state`, about groups. */
  groups(pool: PooledFlow, request: GroupsRequest): void;
  /** A thread of this flow asks to open a named connection. Throws for one that the flow does not declare. */
  permits(pool: PooledFlow, request: PermitRequest): Permit;
  /** As of SourceOwner. */
  source(pool: PooledFlow, thread: number, routeIndex: number, failure: string): void;
  /** A thread that has asked the state store is gone: nobody waits for its answers, and what it has claimed is free. */
  abandoned(pool: PooledFlow, claimant: number): void;
  /** A thread was killed; `quarantinedMs` when the flow is quarantined for it. */
  killed(flowId: string, kill: Kill, quarantinedMs: number | undefined): void;
}

/** Takes what threads report of their sources. */
export interface SourceOwner {
  /** Why the source of a route cannot get messages in this thread; `failure` "": it can again. Throws for a route without a source. */
  source(thread: number, routeIndex: number, failure: string): void;
}

/** `hops`: the depth at which the call was made; `extra`: an InvokeExtra as JSON. */
export interface FlowCall extends Omit<CallFrame, "id"> {
  reply(bodyKind: BodyKind, body: string | Uint8Array | null, extra: string): void;
}

/** Answered once: with the state that the route has then, or with the reason why nothing was done. */
export interface RouteRequest extends RouteFrame {
  reply(state: RouteState): void;
  refuse(why: string): void;
}

/** Answered once. What it has changed when it is answered survives a loss of power. */
export interface StateRequest extends Omit<StateFrame, "id"> {
  /** A number that only the thread has which asks. */
  readonly claimant: number;
  /** The run that asks, and those of its message that have failed before; "": no run does. */
  readonly runId: string;
  readonly earlier: readonly string[];
  reply(answer: string): void;
  refuse(code: string, message: string): void;
}

/** Answered once, by `deliver` for `read`. What it has changed when it is answered survives a loss of power. */
export interface GroupsRequest extends Omit<GroupsFrame, "id"> {
  /** As in StateRequest. */
  readonly claimant: number;
  /** "": no run asks. */
  readonly runId: string;
  reply(answer: string): void;
  deliver(messages: Uint8Array): void;
  refuse(code: string, message: string): void;
}

/** Answered once, now or later, unless its permit is closed before. */
export interface PermitRequest {
  /** The id in the flow's manifest. */
  readonly connection: string;
  /** The number of the thread. */
  readonly thread: number;
  /** The thread's pool of the connection. */
  readonly asker: PermitAsker;
  /** The slot of the run that waits, in the thread; -1: no run does. */
  readonly slot: number;
  /** The open connections that this run has. */
  readonly held: HeldByRun;
  grant(secrets: ConnectionSecrets): void;
  /** `type`: the class of the exception. */
  refuse(type: string, message: string): void;
}

export interface PermitAsker {
  /** Reports whether others wait for places of the connection. */
  wanted(yes: boolean): void;
}

/** A place of a connection, or the wait for one. */
export interface Permit {
  opened(): void;
  /** The place is free, or nobody waits for it any more. `failure`: why it could not be opened, or was lost. */
  closed(failure: string | undefined): void;
  /** Absent: the connection is no embedded database. */
  readonly database?: OpenDatabase;
}

/**
 * Makes a client of the embedded database that the connection is. `lost` is called when the client is of no use any more.
 * Throws an Error with the reason why there is none.
 */
export type OpenDatabase = (lost: (why: string) => void) => EmbeddedClient;

export interface AnnouncedRun extends BeginFrame {
  /** The run that caused it. */
  readonly origin: Origin | undefined;
  /** Begins the run in the thread that has announced it, which has its message. */
  invoke(invocation: Invocation): void;
  /** Refuses the run: it does not begin. */
  refuse(reason: string): void;
  /** Its message, which the thread has sent, is durable; `problem` not "": it could not be kept. */
  stored(problem: string): void;
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
