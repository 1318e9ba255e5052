/** Reads what a thread sends, frame by frame, and handles each. Throws for messages that violate the protocol. */
import { type Frames, widthOf } from "../../../shared/frame-shape.ts";
import { controlFields, shapeToControl, ToControl, toControl } from "../../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { MappingVersion } from "../../../shared/mapping.ts";
import { manyFields } from "../../../shared/outbox.ts";
import { BodyKind, mostHandled, type ResultExtra } from "../../../shared/protocol.ts";
import type { Invocation, InvocationResult } from "../invocation.ts";
import type { Kill } from "../kill.ts";
import type { AnnouncedRun, FlowCall, PoolEvents, SourceOwner } from "../pooled-flow.ts";
import type { AskedConnections } from "./asked-connections.ts";
import type { AskedState } from "./asked-state.ts";
import { bytesIn, FrameScale } from "./flood-breaker.ts";
import { readGroups } from "./group-frames.ts";
import type { PendingAnnouncements } from "./pending-announcements.ts";
import { mostTimings, readMocked, readResult, readSteps, timingCount } from "./run-frames.ts";
import { readState } from "./state-frames.ts";
import type { ThreadEvents } from "./thread-events.ts";
import {
  readBegin,
  readCall,
  readFailed,
  readHandled,
  readKept,
  readLog,
  readRoute,
  readTrace,
} from "./thread-frames.ts";
import type { SentSessions, ThreadMappings } from "./thread-line.ts";
import type { ActiveRun, SlotTable } from "./thread-runs.ts";

/** The thread that sends the frames. */
interface Sender {
  readonly number: number;
  /** true: it has ended, or is being ended, and its messages are ignored. */
  readonly over: boolean;
  /** The pool of the thread's flow. */
  readonly owner: SourceOwner & {
    readonly flowId: string;
    readonly limits: Limits;
    readonly events: PoolEvents;
    /** Called with an announced run. Throws when the flow cannot have such a run. */
    announced(run: AnnouncedRun): void;
  };
  readonly state: Pick<AskedState, "ask" | "askGroups">;
  readonly connections: Pick<AskedConnections, "read">;
  readonly runs: { readonly active: SlotTable<ActiveRun> };
  readonly announced: PendingAnnouncements;
  readonly events: ThreadEvents;
  readonly mappings: ThreadMappings;
  readonly sessions: SentSessions;
  /** Weighs what the thread has sent (flood-breaker.ts), and kills it if that is too much. */
  count(messages: number, bytes?: number, bytesEach?: number): void;
  kill(kill: Kill): void;
  /** `mappings`: the versions that the run uses; absent: the current ones. */
  invoke(invocation: Invocation, mappings?: readonly MappingVersion[]): void;
  /** Ends the run in this slot with its result. */
  complete(slot: number, result: InvocationResult): void;
  /** Called when a run that it announced will not begin. */
  freed(): void;
  /** Called when it has finished what it kept. */
  finished(): void;
  /** Sends a frame, unless the thread is over. */
  send(...frame: FrameToThread): void;
}

const { result, log, trace, call, route, announce, withdraw, mapped, steps } = controlFields;
const { mocked, groups, handled, failed, dropped, state, kept, source } = controlFields;
/** The most fields of a message: a thread sends its frames when they have `manyFields`, so only the last frame can exceed that. */
const mostFields = 2 * (manyFields + mostTimings);
const unpaid: Kill = { reason: "flood", detail: "it sent more events than it was given credits for" };

export class FrameReader {
  readonly #thread: Sender;
  readonly #scale: FrameScale;
  #messages = 0;

  constructor(thread: Sender) {
    this.#thread = thread;
    this.#scale = new FrameScale(thread.runs.active, thread.owner.limits.eventBytes, thread.count.bind(thread));
  }

  read(frames: readonly unknown[]): void {
    const { announced, events, mappings } = this.#thread;
    if (frames.length > mostFields) throw new Error(`a message of ${frames.length} fields`);
    // Properties of a list that are no members are sent, too, and not weighed. Checking each message would cost more than a frame.
    if ((this.#messages++ & 15) === 0 && Object.keys(frames).length !== frames.length) {
      throw new Error("a message is a list of frames and nothing else");
    }
    for (let i = 0; i < frames.length; ) {
      const shape = shapeToControl(frames[i]);
      this.#scale.weigh(frames, i, shape);
      if (this.#thread.over) return;
      const at = i;
      i += widthOf(shape);
      switch (shape.number) {
        case ToControl.result:
          i += this.#result(frames, at);
          break;
        case ToControl.log:
          this.#log(frames, at);
          break;
        case ToControl.trace:
          this.#trace(frames, at);
          break;
        case ToControl.call:
          this.#call(frames, at);
          break;
        case ToControl.route:
          this.#route(frames, at);
          break;
        case ToControl.announce:
          announced.add(announce.token(frames, at), this.#activeIn(announce.slot(frames, at)));
          break;
        case ToControl.begin:
          this.#begin(frames, at);
          break;
        case ToControl.withdraw:
          announced.take(withdraw.token(frames, at));
          this.#thread.freed();
          break;
        case ToControl.finished:
          this.#thread.finished();
          break;
        case ToControl.mapped:
          mappings.taken(mapped.sequence(frames, at));
          break;
        case ToControl.steps:
          this.#steps(frames, at);
          break;
        case ToControl.mocked:
          this.#mocked(frames, at);
          break;
        case ToControl.handled:
          this.#handled(frames, at);
          break;
        case ToControl.failed:
          this.#failed(frames, at);
          break;
        case ToControl.state:
          this.#state(frames, at);
          break;
        case ToControl.groups:
          this.#groups(frames, at);
          break;
        case ToControl.source:
          this.#thread.owner.source(this.#thread.number, source.route(frames, at), source.failure(frames, at));
          break;
        case ToControl.permit:
        case ToControl.connection:
        case ToControl.database:
        case ToControl.probed:
        case ToControl.peeked:
          this.#thread.connections.read(shape.number, frames, at);
          break;
        case ToControl.kept:
          this.#runIn(kept.slot(frames, at))?.kept(readKept(frames, at, this.#thread.owner.limits));
          break;
        case ToControl.dropped:
          events.dropped(dropped.logs(frames, at), dropped.traces(frames, at));
          break;
        case ToControl.hello:
        case ToControl.ready:
        case ToControl.refused:
          throw new Error("a frame that only comes before its first run comes again");
        default:
          shape satisfies never;
      }
    }
  }

  /** Returns how many timings follow the frame. */
  #result(frames: Frames, at: number): number {
    const timings = timingCount(frames, at);
    // The whole result is read before the run leaves its slot: if that fails, the thread is killed and this run is lost with it.
    this.#thread.complete(result.slot(frames, at), readResult(frames, at, this.#thread.owner.limits));
    return timings;
  }

  #log(frames: Frames, at: number): void {
    if (!this.#thread.events.log(bytesIn(frames, at + 1, at + widthOf(toControl.log)))) {
      this.#thread.kill(unpaid);
      return;
    }
    const { events, flowId, limits } = this.#thread.owner;
    const { step, level, logger, message, marker } = readLog(frames, at, limits);
    events.log(flowId, this.#runIn(log.slot(frames, at)), step, level, logger, message, marker);
  }

  #trace(frames: Frames, at: number): void {
    if (!this.#thread.events.trace(bytesIn(frames, at + 1, at + widthOf(toControl.trace)))) {
      this.#thread.kill(unpaid);
      return;
    }
    const { events, flowId, limits } = this.#thread.owner;
    const event = readTrace(frames, at, limits);
    const run = this.#runIn(trace.slot(frames, at));
    if (run !== undefined) events.trace(flowId, run, event, this.#thread.number);
  }

  #call(frames: Frames, at: number): void {
    const { id, ...asked } = readCall(frames, at);
    const run = this.#activeIn(call.slot(frames, at));
    if (run === undefined) return;
    const { events, flowId } = this.#thread.owner;
    const reply = this.#replyTo(id);
    if (run.reported) reply(BodyKind.none, null, JSON.stringify(refusal("the run is over")));
    else events.call(flowId, run.invocation, { ...asked, reply });
  }

  #route(frames: Frames, at: number): void {
    const { id, ...ask } = readRoute(frames, at);
    const run = this.#activeIn(route.slot(frames, at));
    if (run === undefined) return;
    const reply = this.#replyTo(id);
    const refuse = (why: string): void => reply(BodyKind.none, null, JSON.stringify(refusal(why)));
    if (run.reported) refuse("the run is over");
    else {
      const answer = (state: string): void => reply(BodyKind.text, state, "");
      this.#thread.owner.events.route(run.invocation, { ...ask, reply: answer, refuse });
    }
  }

  #state(frames: Frames, at: number): void {
    // Keys of a called flow are those of the message at the top: its retry has a run there with another id.
    const { runId = "", rootId = runId, earlier = [] } = this.#activeIn(state.slot(frames, at))?.invocation ?? {};
    this.#thread.state.ask({ ...readState(frames, at), runId: rootId, earlier });
  }

  #groups(frames: Frames, at: number): void {
    const run = this.#activeIn(groups.slot(frames, at))?.invocation;
    this.#thread.state.askGroups({ ...readGroups(frames, at, this.#thread.owner.limits), runId: run?.runId ?? "" });
  }

  #steps(frames: Frames, at: number): void {
    const run = this.#activeIn(steps.slot(frames, at));
    if (run === undefined || run.recorded) return;
    run.recorded = true;
    if (!run.reported) run.invocation.recorded(readSteps(steps.steps(frames, at), this.#thread.owner.limits));
  }

  #failed(frames: Frames, at: number): void {
    this.#runIn(failed.slot(frames, at))?.failedSteps(readFailed(frames, at, this.#thread.owner.limits));
  }

  #handled(frames: Frames, at: number): void {
    const run = this.#activeIn(handled.slot(frames, at));
    if (run === undefined) return;
    run.handled += 1;
    if (run.handled > mostHandled) throw new Error(`a run announces at most ${mostHandled} failures that were handled`);
    if (!run.reported) run.invocation.handled(readHandled(frames, at));
  }

  /** Passes a recorded call to its session. Calls that arrive after the end of the session or of the run are counted as lost. */
  #mocked(frames: Frames, at: number): void {
    const { sessions, owner } = this.#thread;
    const session = sessions.find(mocked.session(frames, at));
    const run = this.#runIn(mocked.slot(frames, at));
    // A run may record a thousand calls in each of its sessions. Calls beyond that are not parsed.
    if (session?.listens !== true || run?.mocks?.includes(session) !== true) return;
    const json = mocked.call(frames, at);
    session.recorded(run, readMocked(json, session.set, owner.limits), json.length);
  }

  #replyTo(id: number): FlowCall["reply"] {
    return (kind, body, extra) => this.#thread.send(ToThread.reply, id, kind, body, extra);
  }

  #begin(frames: Frames, at: number): void {
    const thread = this.#thread;
    const begun = readBegin(frames, at);
    const origin = thread.announced.take(begun.token);
    thread.owner.announced({
      ...begun,
      origin,
      invoke: (invocation) => thread.invoke(invocation, origin?.mappings),
      stored: (problem) => thread.send(ToThread.stored, begun.token, problem),
      refuse: (reason) => {
        if (thread.over) return;
        thread.send(ToThread.refuse, begun.token, reason);
        thread.freed();
      },
    });
  }

  #runIn(slot: number): Invocation | undefined {
    const run = this.#activeIn(slot);
    return run?.reported === true ? undefined : run?.invocation;
  }

  /** Finds the run in a slot; -1 is the slot of frames that belong to no run. */
  #activeIn(slot: number): ActiveRun | undefined {
    return slot === -1 ? undefined : this.#thread.runs.active.get(slot);
  }
}

function refusal(message: string): ResultExtra {
  return { error: { type: "java.util.concurrent.RejectedExecutionException", message, stepId: null, line: null } };
}
