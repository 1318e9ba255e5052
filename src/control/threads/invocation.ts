/** A run as the threads meet it: what a thread needs of it, what it is notified of until its end, and how far it has come. */

import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../../shared/figures.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import type { MockedCall, MockSet, StepRecord } from "../../shared/mock.ts";
import type { BodyKind, MessagePreview, Outcome, RemoteAnswer, WireError } from "../../shared/protocol.ts";
import type { Kill } from "./kill.ts";

/** A run as the threads of its flow see it: it is notified when it begins, and exactly once of its end. */
export interface Invocation {
  readonly runId: string;
  readonly traceId: string;
  /** The topmost of the runs that wait for it; absent: itself. */
  readonly rootId?: string | undefined;
  /** The runs of this message that have failed before it: it passes what they have done, such as keys that they have stored. */
  readonly earlier?: readonly string[] | undefined;
  /** Index into the manifest's routes. */
  readonly routeIndex: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** How many runs have called or caused each other above this one. */
  readonly hops: number;
  /** Headers as `name\nvalue\nname\nvalue`, without hop-by-hop, control and secret headers. */
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON. Control does not parse it. */
  readonly extra?: string | undefined;
  /**
   * true: a call from another flow or a test, which gets the whole exchange back. Such runs have a separate limit of concurrency
   * (`callsPerThread`).
   */
  readonly child: boolean;
  /** true: the caller of this child run is a child run itself. */
  readonly nested?: boolean | undefined;
  /** The test sessions that it is in, in the order in which their mocks are tried. */
  readonly mocks: readonly ArmedMocks[] | undefined;
  /** Called when a thread has taken it; `mappings`: the versions that it uses. */
  begun(worker: number, mappings: readonly MappingVersion[]): void;
  /** Called when it is stopped for a limit, before it ends: by an answer of its thread, or with the loss of the thread. */
  exceeded(kill: Kill): void;
  /** Called with its recorded steps, before `finished`, if the run is recorded. */
  recorded(steps: readonly StepRecord[]): void;
  /** Called before its end when steps of it have failed. */
  failedSteps(failed: FailedSteps): void;
  /** Returns the object that counts the runs that it causes. */
  childRuns(): ChildRuns;
  /** Called when its flow has handled a failure; at most `mostHandled` times, before its end. */
  handled(failure: HandledFailure): void;
  /** Called before its end when its message is kept. */
  kept(message: KeptMessage): void;
  finished(result: InvocationResult): void;
  lost(how: Lost): void;
  /**
   * Called when its thread was lost because of the run `by`, and it has had no effect yet. Returns true: it begins once more in another thread.
   * Returns false: `lost` follows.
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
  /** Step index, start, duration: three numbers for each execution of a step. */
  readonly timings: readonly number[];
  /** Which executions of steps failed: indexes from 0 into the triples of `timings`. */
  readonly failedTimings: readonly number[];
  readonly error: WireError | null;
  /** The message as the failing step received it. */
  readonly preview: MessagePreview | null;
  /** For a child run that succeeded: a ResultExtra as JSON, for its caller. */
  readonly reply: string;
}

/** Why an invocation ended without an answer of its thread. */
export type Lost =
  | { readonly kind: "shed"; readonly message: string }
  | { readonly kind: "quarantined"; readonly retryAfterMs: number }
  /** It was cancelled, or its deadline passed, while it waited for a thread. */
  | { readonly kind: "cancelled"; readonly message: string }
  | { readonly kind: "expired" }
  | {
      readonly kind: "killed";
      readonly kill: Kill;
      /** true: this run is the reason for the kill. */
      readonly culprit: boolean;
      /** The id of the run that the thread was killed for; undefined: not known. */
      readonly by: string | undefined;
      /** The ids of the other runs that were lost with the thread. */
      readonly others: readonly string[];
      /** How far it had come; undefined: it was in no thread. */
      readonly reached?: RunProgress | undefined;
    };

/** What a thread reports about the failed steps of a run, ahead of its result. */
export interface FailedSteps {
  readonly count: number;
  /** The index of the last failed step; -1: not known. */
  readonly step: number;
  /** The message as that step received it. */
  readonly preview: MessagePreview | null;
}

/** What a thread reports of a message that outlives its run. */
export interface KeptMessage {
  /** The step or completion that the run began with; "": its route. */
  readonly entry: string;
  /** The failure of a message that ended in a dead letter channel; null: the run fails. */
  readonly deadLetter: WireError | null;
  /** The message of a run that began in the thread (workers/engine/kept-message.ts). Control does not read it. */
  readonly bytes: Uint8Array | null;
  /** Why a run that began in the thread has no bytes, or why the message in them has no body; "": it has both, or control has the message itself. */
  readonly problem: string;
  /** The group that the message is, `repository/id`; "": none. */
  readonly group: string;
}

/** A failure that a flow handled itself. */
export interface HandledFailure {
  /** The step that failed, as an index into the flow's step table; -1: none. */
  readonly step: number;
  readonly type: string;
  readonly message: string;
  /** The construct that handled it, and its line. */
  readonly by: string;
  /** The answer of the server, if a call of it failed. */
  readonly detail: RemoteAnswer | null;
}

/** Counts the runs that one run has caused: wire taps, messages for queues, complete aggregation groups, calls of `direct:` in other flows. */
export class ChildRuns {
  /** The flow and the route of the run that has caused them. */
  readonly flowId: string;
  readonly routeId: string;
  started = 0;
  /** Runs that did not complete, or did not begin. */
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

/** What is kept of a run that caused another one, which may end later. */
export interface Origin extends Pick<Invocation, "runId" | "traceId" | "hops" | "mocks"> {
  /** The mapping versions that it uses; the runs that it causes use the same. */
  readonly mappings: readonly MappingVersion[];
  readonly children: ChildRuns;
}

/** A test session as runs and threads use it: its mocks, the memory that counts their uses, and the listener of the calls. */
export interface ArmedMocks {
  /** The session's number in messages to threads: shorter than its id, and never reused. */
  readonly number: number;
  readonly sessionId: string;
  /** `session`: it applies to runs that name it; `deployment`: to every run of the deployment. */
  readonly scope: "deployment" | "session";
  /** The PooledFlow whose steps are mocked. In other flows that its runs call, only mocks of endpoints apply. */
  readonly pool: object;
  readonly set: MockSet;
  /** See `MockWord`. */
  readonly words: SharedArrayBuffer;
  readonly mostRecorded: number;
  /** false: it has recorded as many calls as it may, and further reports are ignored. */
  readonly listens: boolean;
  /** false: it is over; its mocks answer no calls, and no run joins it. */
  readonly armed: boolean;
  /** Ids of the routes whose triggers are replaced: only `test/invoke` begins them. */
  readonly replaced: ReadonlySet<string>;
  /** The threads that have its mocks, to be notified when the session is over. */
  readonly holders: Set<MockHolder>;
  /** Called when a run of the session begins; `ended` follows, with `result` undefined when its thread did not answer. */
  began(run: Invocation): void;
  ended(run: Invocation, result: InvocationResult | undefined): void;
  /** Called when a run of the session has announced another run (1), and when that begins or is withdrawn (-1). */
  waiting(by: 1 | -1): void;
  /** Called when a thread has recorded a call; `characters`: the length of its JSON. */
  recorded(run: Invocation, call: MockedCall, characters: number): void;
}

export interface MockHolder {
  /** Ends the session of this number: no further run of it will come. */
  disarm(session: number): void;
}

/** How far a run under way has come, as its thread has written it into shared memory. */
export interface RunProgress {
  /** How many steps it has begun. */
  readonly executed: number;
  readonly failed: number;
  readonly cpuMs: number;
  /** The outermost split under way: how many parts have ended, of how many. `of` is null while the total is not known. */
  readonly split: { readonly done: number; readonly of: number | null } | null;
}

const nothing: RunProgress = { executed: 0, failed: 0, cpuMs: 0, split: null };

/** `ordinal`: which of the thread's runs it is. Until the thread has begun it, the slot still has the figures of an earlier run. */
export function readProgress(figures: Int32Array, slot: number, ordinal: number): RunProgress {
  if (slot >= progressSlots || ((wordOf(figures, begunFigure) - ordinal) | 0) < 0) return nothing;
  const at = progressFigure(slot);
  const of = wordOf(figures, at + Progress.splitOf);
  return {
    executed: wordOf(figures, at + Progress.executed),
    failed: wordOf(figures, at + Progress.failed),
    cpuMs: workedMs(figures, at),
    split: of === 0 ? null : { done: wordOf(figures, at + Progress.splitDone), of: of < 0 ? null : of - 1 },
  };
}

function workedMs(figures: Int32Array, at: number): number {
  const worked = wordOf(figures, at + Progress.worked) >>> 0;
  const working = wordOf(figures, at + Progress.working);
  // Clocks of two threads may differ by a little: the stretch may seem to begin in the future.
  const now = working === 0 ? 0 : Math.max(0, (microMoment(performance.now()) - working) | 0);
  return (worked + now) / 1000;
}

function wordOf(figures: Int32Array, index: number): number {
  return Atomics.load(figures, index);
}
