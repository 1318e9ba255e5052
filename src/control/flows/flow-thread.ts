/** Control's end of one thread's line: slots for the runs in it, frames out and in, the flood breaker. */
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MappingData, MappingVersion } from "../../shared/mapping.ts";
import { manyFields, Outbox } from "../../shared/outbox.ts";
import type { Attachment } from "../../shared/protocol.ts";
import { BodyKind, type LossReason, type ResultExtra, ToControl, ToThread } from "../../shared/protocol.ts";
import { AnnouncedWork } from "./announced-work.ts";
import type { BootedThread } from "./booted-thread.ts";
import type { HostEvents, HostedAnnouncement, HostedCall, HostedInvocation, Kill } from "./flow-host.ts";
import { readMocked } from "./recorded-frames.ts";
import { readSteps } from "./recorded-steps.ts";
import { SlotTable } from "./slot-table.ts";
import { type LostEvents, ThreadEvents } from "./thread-events.ts";
import {
  readBegin,
  readCall,
  readLog,
  readManifest,
  readResult,
  readRoute,
  readTrace,
  shortened,
  timingCount,
  whole,
} from "./thread-frames.ts";
import { ThreadMappings } from "./thread-mappings.ts";
import { ThreadSessions } from "./thread-sessions.ts";
import { within } from "./within.ts";

/** A run in its slot. */
export interface ActiveRun {
  readonly invocation: HostedInvocation;
  /** The versions that it sees: a list that all runs of the time share. */
  readonly mappings: readonly MappingVersion[];
  /** It was asked to stop. */
  cancelled: boolean;
  /** From when on it is late, in `performance.now()` time: somebody waits for its end. 0: nobody does. */
  cancelledAt: number;
  /** Of one that was lost with its thread: it may have done something that a second run would do again. */
  hadEffect: boolean;
}

export interface ThreadUsage {
  readonly cpuMs: number;
  readonly heapBytes: number;
}

/** A thread in native code tells its usage when it comes back from there. */
const usageMs = 500;

export interface ThreadOwner {
  readonly flowId: string;
  readonly limits: Limits;
  readonly events: HostEvents;
  /** A run has left its slot. */
  freed(thread: FlowThread): void;
  /** Throws for a run that the flow cannot have. */
  announced(run: HostedAnnouncement): void;
  /** It has finished what it kept. */
  finished(thread: FlowThread): void;
  /** Another thread takes its place; it takes no more runs, and goes when those that it has are over. */
  recycle(thread: FlowThread): void;
  /** The thread is gone and its runs are lost. */
  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void;
}

export class FlowThread {
  readonly number: number;
  readonly active = new SlotTable<ActiveRun>();
  /** Of `active`, the runs begun by callers, and the calls from other flows. */
  runs = 0;
  calls = 0;
  readonly announced: AnnouncedWork;
  /** It may keep something between runs that has to be finished before its end. */
  unfinished = false;
  #lifecycle = false;
  /** It has been told which routes run; until then it takes it that all do. */
  #served = false;
  readonly #booted: BootedThread;
  readonly #owner: ThreadOwner;
  readonly #outbox: Outbox;
  readonly #events: ThreadEvents;
  readonly #mappings: ThreadMappings;
  readonly #sessions: ThreadSessions;
  #messagesThisTurn = 0;
  /** Before it has a flow it has nothing to say. */
  #message: (frames: unknown) => void = () => {};
  #over = false;
  #usage: ThreadUsage = { cpuMs: 0, heapBytes: 0 };
  #ending = false;
  readonly #endTurn = (): void => {
    this.#messagesThisTurn = 0;
  };

  constructor(booted: BootedThread, owner: ThreadOwner) {
    this.#booted = booted;
    this.#owner = owner;
    this.number = booted.number;
    this.announced = new AnnouncedWork(owner.limits.announcedRuns);
    this.#events = new ThreadEvents(booted.words);
    this.#outbox = new Outbox((frames) => booted.port.post(frames));
    this.#mappings = new ThreadMappings();
    this.#sessions = new ThreadSessions(owner, this.#outbox);
    booted.port.listen({
      message: (frames) => this.#message(frames),
      // Lists within lists within lists: what the thread can write down, the main thread's smaller stack may not hold.
      unreadable: () => this.kill({ reason: "exit", detail: "it sent what cannot be received" }),
      stray: () => this.#count(),
      room: () => owner.freed(this),
      leave: () => owner.recycle(this),
    });
    void booted.ended.then((error) => this.#ended(error));
  }

  /** Gives the thread its flow; resolves with what the flow asks for, rejects with why it does not compile. */
  adopt(attachment: Attachment): Promise<FlowManifest> {
    return new Promise((resolve, reject) => {
      // What it says first; later messages are read.
      this.#message = (frames) => {
        this.#message = (more) => this.#receive(more);
        const [kind, told] = Array.isArray(frames) ? frames : [];
        try {
          if (kind === ToControl.ready) {
            const manifest = readManifest(told, attachment.model);
            this.#lifecycle = manifest.lifecycle;
            this.unfinished = manifest.lifecycle;
            resolve(manifest);
          } else
            throw new Error(typeof told === "string" ? shortened(told) : "its thread does not keep to the protocol");
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      void this.#booted.ended.then((error) =>
        reject(error ?? new Error("the thread ended while it compiled the flow")),
      );
      this.#mappings.given(attachment.mappings ?? []);
      this.#booted.port.post([ToThread.adopt, attachment]);
    });
  }

  /** Runs that begin from now on see these; undefined: the thread has them already. Resolves when it has, or is gone. */
  update(mappings: readonly MappingData[]): Promise<void> | undefined {
    if (this.#over) return undefined;
    const update = this.#mappings.update(mappings);
    if (update !== undefined) {
      this.#outbox.open().push(ToThread.mappings, update.sequence, update.changed, update.gone);
      this.#outbox.flush();
    }
    return this.#mappings.pending();
  }

  /** `mappings`: of the run that announced this one. */
  invoke(invocation: HostedInvocation, mappings = this.#mappings.versions): void {
    const slot = this.active.add({ invocation, mappings, cancelled: false, cancelledAt: 0, hadEffect: true });
    this.#load(invocation, 1);
    this.unfinished = this.#lifecycle;
    const { routeIndex, hops, child, headers, bodyKind, body, extra, mocks } = invocation;
    if (mocks !== undefined) this.#sessions.precede(mocks);
    const above = child || bodyKind === BodyKind.held ? hops : -1;
    this.#outbox.open().push(ToThread.invoke, slot, routeIndex, above, headers, bodyKind, body, extra ?? "");
    invocation.begun(this.number, mappings);
  }

  /** `urgent`: the thread is killed when the run does not stop in time. */
  cancel(slot: number, run: ActiveRun, reason: string, urgent: boolean): void {
    if (urgent && run.cancelledAt === 0) run.cancelledAt = performance.now();
    if (run.cancelled) return;
    run.cancelled = true;
    this.#outbox.open().push(ToThread.cancel, slot, reason);
  }

  /** The flow serves; for each route 1 when it runs, else 0. */
  serve(running: string): void {
    if (!this.#lifecycle && !this.#served && !running.includes("0")) return;
    this.#served = true;
    this.#outbox.open().push(ToThread.serve, running);
  }

  /** The flow's own sources are to begin nothing more. */
  halt(): void {
    if (this.#lifecycle) this.#outbox.open().push(ToThread.halt);
  }

  /** Asks for the end of what it keeps; the owner hears of it. */
  finish(): void {
    this.unfinished = false;
    this.#outbox.open().push(ToThread.finish);
  }

  /** Asks the thread to end; it finishes what it has. */
  end(): void {
    this.#ending = true;
    this.#outbox.open().push(ToThread.end);
  }

  /** Settles when the thread's attachment is over. */
  get ended(): Promise<unknown> {
    return this.#booted.ended;
  }

  /** Terminates the thread; its runs are lost. The culprit is the one whose step it entered last, else `suspect`. */
  kill(kill: Kill, suspect?: ActiveRun): void {
    if (this.#over) return;
    this.#over = true;
    this.#mappings.end();
    this.#sessions.end();
    this.#booted.port.close();
    const told = this.#booted.lastWords();
    void this.#terminate();
    if (told === undefined) this.#died(kill, suspect);
    else void told.then(() => this.#died(kill, suspect));
  }

  #died(kill: Kill, suspect: ActiveRun | undefined): void {
    const { words } = this.#booted;
    const culprit = this.active.get(words.heartbeat) ?? suspect;
    const runs: ActiveRun[] = [];
    for (const [slot, run] of this.active.entries()) {
      run.hadEffect = words.hadEffect(slot);
      runs.push(run);
    }
    this.active.clear();
    this.#owner.died(this, kill, runs, culprit);
  }

  /** What it told last, when it does not tell in time or is gone. */
  async usage(): Promise<ThreadUsage> {
    await within(usageMs, this.#ask());
    return this.#usage;
  }

  #load({ child, bodyKind }: HostedInvocation, by: 1 | -1): void {
    if (bodyKind === BodyKind.held) this.announced.running += by;
    else if (child) this.calls += by;
    else this.runs += by;
  }

  async #ask(): Promise<void> {
    const sample = await this.#booted.sample();
    if (sample === undefined) return;
    this.#usage = { cpuMs: sample.cpuMs, heapBytes: sample.heapBytes + sample.externalBytes };
  }

  async #terminate(): Promise<void> {
    await this.#booted.terminate();
    this.#tellLost("thread_ended", this.#events.rest());
  }

  #tellLost(reason: LossReason, lost: LostEvents | undefined): void {
    if (lost !== undefined) this.#owner.events.lost(this.#owner.flowId, reason, lost);
  }

  /** A thread that posts in a loop would hold the main loop for ever: it is cut off within the turn. `size`: in messages as they should be. */
  #count(size = 1): void {
    if (this.#messagesThisTurn === 0) setImmediate(this.#endTurn);
    this.#messagesThisTurn += size;
    if (this.#messagesThisTurn > this.#owner.limits.floodMessages) {
      const { floodMessages } = this.#owner.limits;
      this.kill({ reason: "flood", detail: `it sent more than ${floodMessages} messages in one turn` });
    }
  }

  #ended(error: Error | undefined): void {
    if (this.#over) return;
    if (this.#ending && error === undefined && this.active.size === 0) {
      this.#over = true;
      this.#mappings.end();
      this.#sessions.end();
      this.#booted.port.close();
      this.#tellLost("thread_ended", this.#events.rest());
      this.#booted.release();
      return;
    }
    const memory = (error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
    const why = error === undefined ? "it ended without having been asked to" : shortened(String(error.message));
    this.kill({ reason: memory ? "memory_limit" : "exit", detail: why });
  }

  /** What a thread sends must not be able to throw in this one, where nobody would catch it. */
  #receive(frames: unknown): void {
    try {
      if (!Array.isArray(frames)) throw new Error("a message is a list of frames");
      // An honest thread sends what is many fields at once, with one frame more at the most.
      this.#count(Math.max(1, frames.length / manyFields));
      this.#read(frames);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.kill({ reason: "exit", detail: `it sent what cannot be read: ${why}` });
    }
  }

  #read(frames: readonly unknown[]): void {
    for (let i = 0; i < frames.length && !this.#over; ) {
      switch (frames[i]) {
        case ToControl.result:
          i = this.#result(frames, i + 1);
          break;
        case ToControl.log:
          this.#events.log();
          this.#log(frames, i + 1);
          i += 6;
          break;
        case ToControl.trace:
          this.#events.trace();
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
          this.announced.add(whole(frames[i + 1], "a token"), this.#activeIn(frames[i + 2]));
          i += 3;
          break;
        case ToControl.begin:
          this.#begin(frames, i + 1);
          i += 5;
          break;
        case ToControl.withdraw:
          this.announced.take(whole(frames[i + 1], "a token"));
          this.#owner.freed(this);
          i += 2;
          break;
        case ToControl.finished:
          this.#owner.finished(this);
          i += 1;
          break;
        case ToControl.mapped:
          this.#mappings.taken(whole(frames[i + 1], "a sequence"));
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
          this.#events.dropped(frames[i + 1], frames[i + 2]);
          i += 3;
          break;
        default:
          this.kill({ reason: "exit", detail: "it sent a frame that the protocol does not have" });
      }
    }
    this.#tellLost("producer_overrun", this.#events.settle());
  }

  #result(frames: readonly unknown[], at: number): number {
    const end = at + 10 + timingCount(frames, at);
    const result = readResult(frames, at, this.#owner.limits);
    // Not before its result has been read: a run that is killed over what it sent must still be there to be told.
    const run = this.active.take(whole(frames[at], "a slot"));
    if (run === undefined) return end;
    this.#load(run.invocation, -1);
    this.#owner.freed(this);
    run.invocation.finished(result);
    return end;
  }

  #log(frames: readonly unknown[], at: number): void {
    const { step, level, logger, message } = readLog(frames, at, this.#owner.limits);
    this.#owner.events.log(this.#owner.flowId, this.#runIn(frames[at]), step, level, logger, message);
  }

  #trace(frames: readonly unknown[], at: number): void {
    const trace = readTrace(frames, at, this.#owner.limits);
    const run = this.#runIn(frames[at]);
    if (run !== undefined) this.#owner.events.trace(this.#owner.flowId, run, trace, this.number);
  }

  #call(frames: readonly unknown[], at: number): void {
    // A call costs control as much as a message.
    this.#count();
    const { id, ...call } = readCall(frames, at);
    const run = this.#runIn(frames[at + 1]);
    if (run === undefined || this.#over) return;
    this.#owner.events.call(this.#owner.flowId, run, { ...call, reply: this.#replyTo(id) });
  }

  #route(frames: readonly unknown[], at: number): void {
    // It is told to all threads of the flow.
    this.#count();
    const { id, ...ask } = readRoute(frames, at);
    const run = this.#runIn(frames[at + 1]);
    if (run === undefined || this.#over) return;
    const reply = this.#replyTo(id);
    this.#owner.events.route(run, {
      ...ask,
      reply: (state) => reply(BodyKind.text, state, ""),
      refuse: (why) => reply(BodyKind.none, null, JSON.stringify(refusal(why))),
    });
  }

  #steps(frames: readonly unknown[], at: number): void {
    // They are parsed.
    this.#count();
    const run = this.#runIn(frames[at]);
    if (run !== undefined && !this.#over) run.recorded(readSteps(frames, at, this.#owner.limits));
  }

  /** A session that is over, or a run that is, hears nothing more: what was on its way then is counted as lost. */
  #mocked(frames: readonly unknown[], at: number): void {
    const session = this.#sessions.find(whole(frames[at], "a session"));
    const run = this.#runIn(frames[at + 1]);
    // Not one message each: a run may have a thousand of each of its sessions. Of what is more than that nothing is parsed.
    if (session?.listens !== true || run?.mocks?.includes(session) !== true) return;
    const { call, characters } = readMocked(frames, at, session.set, this.#owner.limits);
    session.recorded(run, call, characters);
  }

  #replyTo(id: number): HostedCall["reply"] {
    return (kind, body, extra) => {
      if (!this.#over) this.#outbox.open().push(ToThread.reply, id, kind, body, extra);
    };
  }

  #begin(frames: readonly unknown[], at: number): void {
    const begin = readBegin(frames, at);
    const origin = this.announced.take(begin.token);
    this.#owner.announced({
      ...begin,
      origin,
      invoke: (invocation) => this.invoke(invocation, origin?.mappings),
      refuse: (reason) => {
        if (this.#over) return;
        this.#outbox.open().push(ToThread.refuse, begin.token, reason);
        this.#owner.freed(this);
      },
    });
  }

  #runIn(slot: unknown): HostedInvocation | undefined {
    return this.#activeIn(slot)?.invocation;
  }

  /** What belongs to no run has the slot -1. */
  #activeIn(slot: unknown): ActiveRun | undefined {
    return slot === -1 ? undefined : this.active.get(whole(slot, "a slot"));
  }
}

function refusal(message: string): ResultExtra {
  return { error: { type: "java.util.concurrent.RejectedExecutionException", message, stepId: null, line: null } };
}
