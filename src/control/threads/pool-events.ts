/** What a flow's threads report while runs are under way, as the rest of control receives it. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { BodyKind, LossReason } from "../../shared/protocol.ts";
import type { Invocation, Origin } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import type { LostEvents } from "./line/thread-events.ts";
import type { BeginFrame, CallFrame, RouteFrame, StepTrace } from "./line/thread-frames.ts";
import type { MeteredThread, ThreadUse } from "./metered-thread.ts";
import type { PooledFlow, RouteState } from "./pooled-flow.ts";

/** Whose an event is follows from the port that it came by, not from its content. */
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
