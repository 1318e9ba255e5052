/** Reads what a thread sends, frame by frame, and tells whom it concerns. Throws for what the protocol does not have. */
import { BodyKind, type ResultExtra, ToControl, ToThread } from "../../shared/protocol.ts";
import type { ActiveRun } from "./active-run.ts";
import type { HostedCall, HostedInvocation } from "./flow-host.ts";
import type { FlowThread, ThreadOwner } from "./flow-thread.ts";
import { readMocked } from "./recorded-frames.ts";
import { readSteps } from "./recorded-steps.ts";
import type { ThreadEvents } from "./thread-events.ts";
import { readBegin, readCall, readLog, readResult, readRoute, readTrace, timingCount, whole } from "./thread-frames.ts";
import type { ThreadMappings } from "./thread-mappings.ts";
import type { ThreadSessions } from "./thread-sessions.ts";

interface Parts {
  readonly owner: ThreadOwner;
  readonly events: ThreadEvents;
  readonly mappings: ThreadMappings;
  readonly sessions: ThreadSessions;
  /** Of a frame that costs control as much as a message. */
  count(): void;
  /** Unless the thread is over. */
  send(...frame: readonly unknown[]): void;
}

export class FrameReader {
  readonly #thread: FlowThread;
  readonly #parts: Parts;

  constructor(thread: FlowThread, parts: Parts) {
    this.#thread = thread;
    this.#parts = parts;
  }

  read(frames: readonly unknown[]): void {
    const { events, mappings, owner } = this.#parts;
    const { announced } = this.#thread;
    for (let i = 0; i < frames.length && !this.#thread.over; ) {
      switch (frames[i]) {
        case ToControl.result:
          i = this.#result(frames, i + 1);
          break;
        case ToControl.log:
          events.log();
          this.#log(frames, i + 1);
          i += 6;
          break;
        case ToControl.trace:
          events.trace();
          this.#trace(frames, i + 1);
          i += 7;
          break;
        case ToControl.call:
          this.#call(frames, i + 1);
          i += 8;
          break;
        case ToControl.route:
          this.#route(frames, i + 1);
          i += 6;
          break;
        case ToControl.announce:
          announced.add(whole(frames[i + 1], "a token"), this.#activeIn(frames[i + 2]));
          i += 3;
          break;
        case ToControl.begin:
          this.#begin(frames, i + 1);
          i += 5;
          break;
        case ToControl.withdraw:
          announced.take(whole(frames[i + 1], "a token"));
          owner.freed(this.#thread);
          i += 2;
          break;
        case ToControl.finished:
          owner.finished(this.#thread);
          i += 1;
          break;
        case ToControl.mapped:
          mappings.taken(whole(frames[i + 1], "a sequence"));
          i += 2;
          break;
        case ToControl.steps:
          this.#steps(frames, i + 1);
          i += 3;
          break;
        case ToControl.mocked:
          this.#mocked(frames, i + 1);
          i += 4;
          break;
        case ToControl.dropped:
          events.dropped(frames[i + 1], frames[i + 2]);
          i += 3;
          break;
        default:
          throw new Error("the protocol has no such frame");
      }
    }
  }

  #result(frames: readonly unknown[], at: number): number {
    const end = at + 10 + timingCount(frames, at);
    const result = readResult(frames, at, this.#parts.owner.limits);
    // Not before its result has been read: a run that is killed over what it sent must still be there to be told.
    this.#thread.answered(whole(frames[at], "a slot"))?.finished(result);
    return end;
  }

  #log(frames: readonly unknown[], at: number): void {
    const { events, flowId, limits } = this.#parts.owner;
    const { step, level, logger, message } = readLog(frames, at, limits);
    events.log(flowId, this.#runIn(frames[at]), step, level, logger, message);
  }

  #trace(frames: readonly unknown[], at: number): void {
    const { events, flowId, limits } = this.#parts.owner;
    const trace = readTrace(frames, at, limits);
    const run = this.#runIn(frames[at]);
    if (run !== undefined) events.trace(flowId, run, trace, this.#thread.number);
  }

  #call(frames: readonly unknown[], at: number): void {
    this.#parts.count();
    const { id, ...call } = readCall(frames, at);
    const run = this.#activeIn(frames[at + 1]);
    if (run === undefined || this.#thread.over) return;
    const { events, flowId } = this.#parts.owner;
    const reply = this.#replyTo(id);
    if (run.told) reply(BodyKind.none, null, JSON.stringify(refusal("the run is over")));
    else events.call(flowId, run.invocation, { ...call, reply });
  }

  #route(frames: readonly unknown[], at: number): void {
    // It is told to all threads of the flow.
    this.#parts.count();
    const { id, ...ask } = readRoute(frames, at);
    const run = this.#activeIn(frames[at + 1]);
    if (run === undefined || this.#thread.over) return;
    const reply = this.#replyTo(id);
    const refuse = (why: string): void => reply(BodyKind.none, null, JSON.stringify(refusal(why)));
    if (run.told) refuse("the run is over");
    else {
      const tell = (state: string): void => reply(BodyKind.text, state, "");
      this.#parts.owner.events.route(run.invocation, { ...ask, reply: tell, refuse });
    }
  }

  #steps(frames: readonly unknown[], at: number): void {
    // They are parsed.
    this.#parts.count();
    const run = this.#runIn(frames[at]);
    if (run !== undefined && !this.#thread.over) run.recorded(readSteps(frames, at, this.#parts.owner.limits));
  }

  /** A session that is over, or a run that is, hears nothing more: what was on its way then is counted as lost. */
  #mocked(frames: readonly unknown[], at: number): void {
    const { sessions, owner } = this.#parts;
    const session = sessions.find(whole(frames[at], "a session"));
    const run = this.#runIn(frames[at + 1]);
    // Not one message each: a run may have a thousand of each of its sessions. Of what is more than that nothing is parsed.
    if (session?.listens !== true || run?.mocks?.includes(session) !== true) return;
    const { call, characters } = readMocked(frames, at, session.set, owner.limits);
    session.recorded(run, call, characters);
  }

  #replyTo(id: number): HostedCall["reply"] {
    return (kind, body, extra) => this.#parts.send(ToThread.reply, id, kind, body, extra);
  }

  #begin(frames: readonly unknown[], at: number): void {
    const { owner, send } = this.#parts;
    const thread = this.#thread;
    const begin = readBegin(frames, at);
    const origin = thread.announced.take(begin.token);
    owner.announced({
      ...begin,
      origin,
      invoke: (invocation) => thread.invoke(invocation, origin?.mappings),
      refuse: (reason) => {
        if (thread.over) return;
        send(ToThread.refuse, begin.token, reason);
        owner.freed(thread);
      },
    });
  }

  #runIn(slot: unknown): HostedInvocation | undefined {
    const run = this.#activeIn(slot);
    return run?.told === true ? undefined : run?.invocation;
  }

  /** What belongs to no run has the slot -1. */
  #activeIn(slot: unknown): ActiveRun | undefined {
    return slot === -1 ? undefined : this.#thread.active.get(whole(slot, "a slot"));
  }
}

function refusal(message: string): ResultExtra {
  return { error: { type: "java.util.concurrent.RejectedExecutionException", message, stepId: null, line: null } };
}
