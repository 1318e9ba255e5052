/** What crosses the border between control and the threads: flows in their threads, invocations on their way, what is told of them. */
import type { FlowModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MappingData, MappingUse, MappingVersion } from "../../shared/mapping.ts";
import type { MockedCall, MockSet, StepRecord } from "../../shared/mock.ts";
import type {
  BodyKind,
  Isolation,
  LossReason,
  MessagePreview,
  Outcome,
  RecordMode,
  RemoteAnswer,
  WireError,
} from "../../shared/protocol.ts";
import type { BootedThread } from "./booted-thread.ts";
import type { Kill } from "./kill.ts";
import type { RouteState } from "./route-states.ts";
import type { RunProgress } from "./run-progress.ts";
import type { LostEvents } from "./thread-events.ts";
import type { BeginFrame, RouteFrame, StepTrace } from "./thread-frames.ts";

/** How the host ends an invocation that its thread did not answer. */
export type Lost =
  | { readonly kind: "shed"; readonly message: string }
  | { readonly kind: "quarantined"; readonly retryAfterMs: number }
  /** It was cancelled, or its deadline came, while it waited for a thread. */
  | { readonly kind: "cancelled"; readonly message: string }
  | { readonly kind: "expired" }
  | {
      readonly kind: "killed";
      readonly kill: Kill;
      /** It is the one that the thread was killed for. */
      readonly culprit: boolean;
      /** The run id of the culprit, when there is one. */
      readonly by: string | undefined;
      /** The run ids of those that were lost with the culprit. */
      readonly others: readonly string[];
      /** How far it had come; undefined: it was in no thread. */
      readonly reached?: RunProgress | undefined;
    };

/** A run on its way through its flow's threads: it is notified when it begins, and exactly once how it ended. */
export interface Invocation {
  readonly runId: string;
  readonly traceId: string;
  /** Index into the manifest's routes. */
  readonly routeIndex: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** How many cross-flow calls are above this run. */
  readonly hops: number;
  /** Headers as `name\nvalue\nname\nvalue`, without hop-by-hop, control and secret headers. */
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON, which stays a text: control does not look into what flows pass to each other. */
  readonly extra?: string | undefined;
  /**
   * true: a call from another flow, or of a test; it wants the whole exchange back, and it has a concurrency cap of its
   * own.
   */
  readonly child: boolean;
  /** true: the caller of this child run is a child, too. */
  readonly nested?: boolean | undefined;
  /** The test sessions that it is in, in the order in which their mocks are tried. */
  readonly mocks: readonly ArmedMocks[] | undefined;
  /** Called when a thread has taken it; `mappings`: the versions that it sees. */
  begun(worker: number, mappings: readonly MappingVersion[]): void;
  /** Called when it is ended for a limit; before its end, which may be an answer of its thread or the thread's loss. */
  exceeded(kill: Kill): void;
  /** Called with what was kept of its steps; before `finished`, for a run that is recorded. */
  recorded(steps: readonly StepRecord[]): void;
  /** Called when steps of it have failed; before its end. */
  failedSteps(failed: FailedSteps): void;
  /** Returns the counts of the runs that it causes: one object for all of them. */
  childRuns(): ChildRuns;
  /** Called when its flow has handled a failure; at most `mostHandled` times, before its end. */
  handled(failure: HandledFailure): void;
  finished(result: InvocationResult): void;
  lost(how: Lost): void;
  /**
   * Its thread was lost for the run `by`, and it has had no effect yet: it is about to begin anew, once. Returns false when it
   * must not; `lost` follows then.
   */
  again(kill: Kill, by: string | undefined): boolean;
}

export interface InvocationResult {
  readonly outcome: Outcome;
  /** The CamelHttpResponseCode that a step set; 0: none. */
  readonly httpStatus: number;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** Headers that steps set, in the form of Invocation. */
  readonly headers: string;
  readonly stepsExecuted: number;
  readonly cpuMs: number;
  /** Step index, start, duration: three numbers per step run. */
  readonly timings: readonly number[];
  /** The indexes of the step runs that failed, from 0 on. */
  readonly failedTimings: readonly number[];
  readonly error: WireError | null;
  /** The message as the failing step received it. */
  readonly preview: MessagePreview | null;
  /** For a child run that succeeded: a ResultExtra as JSON, for its caller. */
  readonly reply: string;
}

/** What a thread reports, before a run's result, of the run's steps that have failed. */
export interface FailedSteps {
  readonly count: number;
  /** The last of them; -1: none is known. */
  readonly step: number;
  /** The message as that step received it. */
  readonly preview: MessagePreview | null;
}

/** A failure that a flow handled itself. */
export interface HandledFailure {
  /** Index into the flow's step table: where the failure came from; -1: no step. */
  readonly step: number;
  readonly type: string;
  readonly message: string;
  /** What handled it: the construct and the line where it begins. */
  readonly by: string;
  /** What the server answered that the call failed with. */
  readonly detail: RemoteAnswer | null;
}

/** Counts the runs that one run has caused: taps, messages for a queue, complete groups, calls of `direct:` in other flows. */
export class ChildRuns {
  /** The flow and the route of the run that has caused them. */
  readonly flowId: string;
  readonly routeId: string;
  started = 0;
  /** Those that ended other than completed, or could not begin. */
  failed = 0;
  running = 0;

  constructor(flowId: string, routeId: string) {
    this.flowId = flowId;
    this.routeId = routeId;
  }

  began(): void {
    this.started += 1;
    this.running += 1;
  }

  ended(): void {
    this.running -= 1;
  }
}

/** A test session as runs and threads meet it: its mocks, the memory that counts their uses, and who is notified of the calls. */
export interface ArmedMocks {
  /** Of the session, for threads: shorter than its id, and never given again. */
  readonly number: number;
  readonly sessionId: string;
  /** `session`: only runs that carry it; `deployment`: every run of the deployment. */
  readonly scope: "deployment" | "session";
  /** The PooledFlow whose steps are meant; in others, which its runs call, only the mocks of endpoints apply. */
  readonly pool: object;
  readonly set: MockSet;
  /** See `MockWord`. */
  readonly words: SharedArrayBuffer;
  readonly mostRecorded: number;
  /** false: it has as many calls as it records, and threads report no more. */
  readonly listens: boolean;
  /** false: its mocks do not answer any more, and runs that begin are not in it. */
  readonly armed: boolean;
  /** Ids of the routes of its flow that `test/invoke` begins in place of their own trigger. */
  readonly replaced: ReadonlySet<string>;
  /** Threads that have its mocks; each is notified when the session is over. */
  readonly holders: Set<MockHolder>;
  /** A run begins that is in the session; `ended` follows, with `result` undefined when its thread never answered. */
  began(run: Invocation): void;
  ended(run: Invocation, result: InvocationResult | undefined): void;
  /** Work that a run of it has left behind in a thread, and that will be a run of its own, has come (1) or gone (-1). */
  waiting(by: 1 | -1): void;
  /** A thread has recorded a call; `characters`: of its JSON. */
  recorded(run: Invocation, call: MockedCall, characters: number): void;
}

export interface MockHolder {
  /** No run of the session of this number will come any more. */
  disarm(session: number): void;
}

/** What is kept of the run that caused another, which it may outlive. */
export interface Origin extends Pick<Invocation, "runId" | "traceId" | "hops" | "mocks"> {
  /** The versions that it sees, and so does what it causes. */
  readonly mappings: readonly MappingVersion[];
  readonly children: ChildRuns;
}

/** What threads send while runs are under way. The host vouches for whose it is: it goes by the port, not by the content. */
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
  /** A `direct:` call to another flow; answered by `reply`, once. */
  call(flowId: string, invocation: Invocation, call: FlowCall): void;
  /** Something that a run wants of a route of its flow. Throws for a route that it does not have. */
  route(invocation: Invocation, ask: RouteRequest): void;
  /** A run that begins in a thread of this flow: to be opened there, or refused. */
  announced(pool: PooledFlow, run: AnnouncedRun): void;
  /** Log and trace events of a thread of the flow that will never arrive. */
  lost(flowId: string, reason: LossReason, events: LostEvents): void;
  /** The flow has this thread now. Returns it as the flow is to have it: with its use counted. */
  adopted(flowId: string, thread: BootedThread): BootedThread;
  /** The thread, as `adopted` returned it, has compiled the flow. */
  compiled(flowId: string, thread: BootedThread, manifest: FlowManifest): void;
  /** A thread was killed; `quarantinedMs` when the flow is quarantined for it. */
  killed(flowId: string, kill: Kill, quarantinedMs: number | undefined): void;
}

export interface FlowCall {
  readonly name: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** The depth at which the call was made. */
  readonly hops: number;
  /** An InvokeExtra as JSON. */
  readonly extra: string;
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
  /** It does not begin. */
  refuse(reason: string): void;
}

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

/** A flow whose threads are on their way. */
export interface CompilingFlow {
  /** Resolves with its manifest in hand; rejects with what its thread has against it. Nothing is left of it then. */
  warm(): Promise<PooledFlow>;
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
  drain(limitMs: number): Promise<{ readonly drained: number; readonly killed: number }>;
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
