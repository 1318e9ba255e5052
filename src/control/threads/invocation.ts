/** A run as the threads meet it: what a thread needs of it, what it is notified of until its end, and how far it has come. */

import { begunFigure, microMoment, Progress, progressFigure, progressSlots } from "../../shared/figures.ts";
import type { MappingVersion } from "../../shared/mapping.ts";
import type { MockedCall, MockSet, StepRecord } from "../../shared/mock.ts";
import type { BodyKind, MessagePreview, Outcome, RemoteAnswer, WireError } from "../../shared/protocol.ts";
import type { Kill } from "./kill.ts";

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

/** Why an invocation ended without an answer of its thread. */
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

/** What is kept of the run that caused another, which it may outlive. */
export interface Origin extends Pick<Invocation, "runId" | "traceId" | "hops" | "mocks"> {
  /** The versions that it sees, and so does what it causes. */
  readonly mappings: readonly MappingVersion[];
  readonly children: ChildRuns;
}

/** A test session as runs and threads meet it: its mocks, the memory that counts their uses, and who is notified of the calls. */
export interface ArmedMocks {
  /** The session's number in threads: shorter than its id, and never given again. */
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
  /** false: its mocks answer no calls, and runs that begin are not in it. */
  readonly armed: boolean;
  /** Ids of the routes of its flow that `test/invoke` begins in place of their own trigger. */
  readonly replaced: ReadonlySet<string>;
  /** Threads that have its mocks; each is notified when the session is over. */
  readonly holders: Set<MockHolder>;
  /** Called when a run begins that is in the session; `ended` follows, with `result` undefined when its thread never answered. */
  began(run: Invocation): void;
  ended(run: Invocation, result: InvocationResult | undefined): void;
  /** Called when work that a run of it has left behind in a thread, and that will be a run of its own, has come (1) or gone (-1). */
  waiting(by: 1 | -1): void;
  /** Called when a thread has recorded a call; `characters`: the length of its JSON. */
  recorded(run: Invocation, call: MockedCall, characters: number): void;
}

export interface MockHolder {
  /** Ends the session of this number: no run of it will come. */
  disarm(session: number): void;
}

/** How far a run under way has come, as its thread has written it into shared memory. */
export interface RunProgress {
  /** Steps that it has begun. */
  readonly executed: number;
  readonly failed: number;
  readonly cpuMs: number;
  /** The outermost split that is under way: parts that have ended, of how many, null as long as that is not known. */
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
