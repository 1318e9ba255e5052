/** How runs begin and end: the request for a run and what it decides, who follows the run's life, and how its end is recorded if it was stopped, killed or refused. */

import type { ErrorCode } from "../../shared/errors.ts";
import type { LimitName } from "../../shared/limits.ts";
import { type BodyKind, Outcome, type WireError } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type {
  ArmedMocks,
  ChildRuns,
  HandledFailure,
  Invocation,
  InvocationResult,
  Lost,
} from "../threads/invocation.ts";
import type { KillReason } from "../threads/kill.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import type { PassedLimit, RunOutcome, RunRecord, RunStatus, RunTrigger } from "./run-record.ts";

/** A request for a run. `Run`: the type of the run that it becomes. */
export interface RequestOf<Run> {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  readonly trigger: RunTrigger;
  readonly headers: string;
  readonly bodyKind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** An InvokeExtra as JSON. */
  readonly extra?: string | undefined;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** W3C trace id, 32 hexadecimal digits; undefined: a new one. */
  readonly traceId?: string | undefined;
  /** For a child run: the run that calls it. */
  readonly parent?: Run | undefined;
  /** The run that has caused this one and does not wait for it. */
  readonly parentRunId?: string | undefined;
  /** The counts of the runs that that run has caused. */
  readonly causedBy?: ChildRuns | undefined;
  /** The test sessions that the request names, beside those that are open for the whole deployment. */
  readonly mocks?: readonly ArmedMocks[] | undefined;
  /** true: the caller gets the whole exchange, as a call from another flow does. */
  readonly wholeExchange?: true | undefined;
  /** Where the run is sent; absent: to a free thread of its flow. */
  readonly into?: Pick<PooledFlow, "invoke"> | undefined;
  readonly hops?: number;
  /** The id that the run gets; absent: a new one. */
  readonly runId?: string | undefined;
  /** The runs that its message has had before. */
  readonly earlier?: readonly string[] | undefined;
  /** The failed message that the run is begun with, or that its message is kept as already. */
  readonly failedId?: string | undefined;
  /** Called before `ended`, for a run whose thread has sent its message: that is durable, or could not be kept. */
  stored?(problem: string): void;
  /** Called once, when the run is over; `result` is undefined when its thread did not answer. */
  ended(run: Run, result: InvocationResult | undefined): void;
}

/** What a run knows of the run that calls it. */
interface Above<Run> {
  readonly root: Run;
  readonly child: boolean;
  readonly request: RequestOf<Run>;
}

/** The part of a run that its request decides: what threads read of it, and the runs above it. `Run`: the class that extends it. */
export abstract class RequestedRun<Run extends Above<Run> & { readonly runId: string }> {
  abstract readonly runId: string;
  /** What it was begun with. The body is there until its end is reported. */
  readonly request: RequestOf<Run>;

  constructor(request: RequestOf<Run>) {
    this.request = request;
  }

  /** The topmost of the runs that wait for it; the run itself if none does. */
  get root(): Run {
    return this.request.parent?.root ?? (this as unknown as Run);
  }

  get deployment(): Deployment {
    return this.request.deployment;
  }

  get routeIndex(): number {
    return this.request.routeIndex;
  }

  /** The id of `root`. */
  get rootId(): string {
    return this.root.runId;
  }

  /** Whether its caller has named this session, by `test/invoke` or by the header. */
  carries(session: ArmedMocks): boolean {
    const { mocks, trigger } = this.request;
    const asked = trigger.kind === "test" || trigger.kind === "webhook" || trigger.kind === "http";
    return asked && mocks?.includes(session) === true;
  }

  /** The runs that the message of the topmost run has had before: its idempotent keys are those of this run, too. */
  get earlier(): readonly string[] | undefined {
    return this.root.request.earlier;
  }

  get deadline(): number {
    return this.request.deadline;
  }

  get hops(): number {
    return this.request.hops ?? 0;
  }

  get headers(): string {
    return this.request.headers;
  }

  get bodyKind(): BodyKind {
    return this.request.bodyKind;
  }

  get body(): string | Uint8Array | null {
    return this.request.body;
  }

  get extra(): string | undefined {
    return this.request.extra;
  }

  get child(): boolean {
    return this.request.parent !== undefined || this.request.wholeExchange === true;
  }

  get nested(): boolean {
    return this.request.parent?.child === true;
  }

  /** The span id (W3C Trace Context): 16 hexadecimal digits, the random part of the run's id. */
  get spanId(): string {
    return this.runId.slice(-16);
  }
}

/** Returns the test sessions of a run: those that it names or that its parent is in, then those of its whole deployment. */
export function mocksOf({
  mocks,
  parent,
  deployment,
}: RequestOf<Pick<Invocation, "mocks">>): readonly ArmedMocks[] | undefined {
  const carried = mocks ?? parent?.mocks;
  if (carried === undefined && deployment.mocks === undefined) return undefined;
  const all = [...new Set([...(carried ?? []), ...(deployment.mocks ?? [])])].filter(isArmed);
  if (all.length === 0) return undefined;
  return [...all.filter((one) => one.scope === "session"), ...all.filter((one) => one.scope === "deployment")];
}

function isArmed({ armed }: ArmedMocks): boolean {
  return armed;
}

export interface RunEnd {
  readonly status: RunStatus;
  readonly error: WireError | null;
}

/** Follows the life of runs. */
export interface RunKeeper<Run> {
  /**
   * Called when the run has come to this end. Returns a promise when its message must be durable before the end is reported: of why it could
   * not be kept, "" when it is.
   */
  keep(run: Run, end: RunEnd): Promise<string> | undefined;
  /** Called when the run is over. */
  close(run: Run): void;
  /** Called when its flow has handled a failure, and the run goes on. */
  handled(run: Run, failure: HandledFailure): void;
  /** Called when a run that another one has caused did not complete, or did not begin. */
  childFailed(children: ChildRuns): void;
  /** Called when the run begins anew in another thread. */
  restarted(run: Run, why: string): void;
  /** Logs a line about the run. */
  log(level: "INFO" | "ERROR", run: Run, message: string): void;
}

/** The outcomes of runs that were lost although no run of their thread is to blame. */
export const innocentOutcomes: Partial<Record<KillReason, RunOutcome>> = { redeploy: "redeploy", host: "error" };

/** The outcomes of runs for which their thread was killed. */
export const killOutcomes = {
  cpu_limit: "cpu_limit",
  stuck_loop: "cpu_limit",
  host: "error",
  flood: "error",
  memory_limit: "memory_limit",
  exit: "error",
  redeploy: "redeploy",
} as const satisfies Record<Exclude<KillReason, "timeout">, RunOutcome>;

/** Lists the ids of runs that were lost together, at most ten. */
export function listed(runIds: readonly string[]): string {
  return runIds.length <= 10 ? runIds.join(", ") : `${runIds.slice(0, 10).join(", ")}, ...`;
}

/** The most ids of lost runs that a record keeps. */
export const mostCollateral = 100;

/** Returns type and message of the error of a run that was lost before it was in a thread. */
export function lostError(how: Exclude<Lost, { kind: "killed" }>): readonly [type: string, message: string] {
  if (how.kind === "shed") return ["RunShedException", how.message];
  if (how.kind === "cancelled") return ["RunCancelledException", `the run was cancelled: ${how.message}`];
  if (how.kind === "quarantined") {
    return ["FlowQuarantinedException", "the flow is quarantined: its threads had to be killed too often"];
  }
  return ["RunTimeoutException", "the run passed its wall-time limit while it waited for its thread"];
}

/** Returns the error of a run that was stopped, for a message to be set. It keeps the place of the failure, if there was one. */
export function placeOf(error: WireError | null): WireError {
  return error ?? { type: "RunCancelledException", message: "", stepId: null, line: null };
}

export interface RefusedMessage {
  readonly code: ErrorCode;
  readonly message: string;
}

const refusals: Partial<Record<Outcome, RefusedMessage>> = {
  [Outcome.badJson]: { code: "bad_json", message: "the body is not the JSON that its Content-Type says" },
  [Outcome.badForm]: { code: "bad_request", message: "the form has an escape that is not UTF-8" },
  [Outcome.badParts]: {
    code: "bad_request",
    message: "the body is not the multipart form that its Content-Type says: its boundary, or the head of a part",
  },
  [Outcome.wholeForm]: {
    code: "unsupported_media_type",
    message: "the body is a multipart form, which the flow does not take apart: send the data itself as the body",
  },
  [Outcome.longForm]: {
    code: "body_too_large",
    message: "the form's fields are more than a message's headers hold",
  },
  [Outcome.bigJson]: {
    code: "body_too_large",
    message: "the values of the JSON document take more memory than the flow's thread has",
  },
};

/** Returns the answer for a message that the thread refused; undefined: it was not refused. */
export function refusedMessage(outcome: Outcome | undefined): RefusedMessage | undefined {
  return outcome === undefined ? undefined : refusals[outcome];
}

interface WaitedFor {
  readonly record: Pick<RunRecord, "trigger" | "startedAt">;
  /** Epoch ms. */
  readonly deadline: number;
  readonly deployment: Pick<Deployment, "limits">;
}

/** Returns the wall-time limit that was exceeded. `root`: the topmost run that waits for the run that has exceeded it, or that run itself. */
export function passedWallTime(root: WaitedFor): PassedLimit {
  const { kind } = root.record.trigger;
  const now = Date.now();
  if (kind === "test") {
    const { startedAt } = root.record;
    return { name: "timeoutMs", allowed: root.deadline - startedAt, used: now - startedAt };
  }
  const name: LimitName = kind === "webhook" || kind === "http" ? "webhookWallMs" : "timerWallMs";
  const allowed = root.deployment.limits[name];
  return { name, allowed, used: now - (root.deadline - allowed) };
}
