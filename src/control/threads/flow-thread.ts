/** One thread of a flow, as control has it: what it is given, what becomes of what it sends, and how it ends. */
import { controlFields, ToControl } from "../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../shared/frames-to-thread.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MappingData } from "../../shared/mapping.ts";
import { type Attachment, BodyKind, type LossReason } from "../../shared/protocol.ts";
import type { ActiveRun } from "./active-run.ts";
import { AnnouncedWork } from "./announced-work.ts";
import type { BootedThread, ThreadSample } from "./booted-thread.ts";
import { FloodBreaker } from "./flood-breaker.ts";
import { FrameReader } from "./frame-reader.ts";
import { HostEnded } from "./hosts/host-ended.ts";
import type { Invocation } from "./invocation.ts";
import type { Kill } from "./kill.ts";
import type { AnnouncedRun, PoolEvents } from "./pool-events.ts";
import { hardFactor } from "./standby-threads.ts";
import { heapLimit } from "./supervision/kills.ts";
import { type LostEvents, ThreadEvents } from "./thread-events.ts";
import { readManifest, shortened } from "./thread-frames.ts";
import { ThreadLine } from "./thread-line.ts";
import { ThreadMappings } from "./thread-mappings.ts";
import { ThreadRuns } from "./thread-runs.ts";
import { ThreadSessions } from "./thread-sessions.ts";
import type { Place } from "./turns.ts";
import { within } from "./within.ts";

export interface ThreadOwner {
  readonly flowId: string;
  readonly limits: Limits;
  readonly events: PoolEvents;
  /** A run has left its slot. */
  freed(thread: FlowThread): void;
  /** Throws for a run that the flow cannot have. */
  announced(run: AnnouncedRun): void;
  /** It has finished what it kept. */
  finished(thread: FlowThread): void;
  /**
   * Another thread takes its place; it takes no more runs, and goes when those that it has are over. One whose flow keeps state in it stays,
   * unless it `must` go.
   */
  recycle(thread: FlowThread, must: boolean): void;
  /** The thread is gone and its runs are lost. */
  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void;
}

const { ready, refused } = controlFields;
/** None of ours sends one; a thread that tries its other port once does no harm. */
const mostStrays = 8;
/** A thread in native code is not waited for. */
const refreshMs = 500;

export class FlowThread {
  readonly number: number;
  readonly booted: BootedThread;
  readonly owner: ThreadOwner;
  /** It keeps something between runs that another thread would not have. */
  stateful = false;
  /** Its place among the busy threads of all flows. */
  readonly place: Place = { taken: false, since: 0 };
  readonly announced: AnnouncedWork;
  readonly runs: ThreadRuns;
  readonly line: ThreadLine;
  /** It may keep something between runs that has to be finished before its end. */
  unfinished = false;
  #lifecycle = false;
  /** It has been told which routes run; until then it takes it that all do. */
  #served = false;
  readonly #reader: FrameReader;
  readonly #events: ThreadEvents;
  readonly #mappings: ThreadMappings;
  readonly #sessions: ThreadSessions;
  readonly #breaker: FloodBreaker;
  #strays = 0;
  /** Before it has a flow it has nothing to say. */
  #message: (frames: unknown) => void = () => {};
  /** It takes no part in anything any more. */
  over = false;
  #ending = false;

  constructor(booted: BootedThread, owner: ThreadOwner) {
    this.booted = booted;
    this.owner = owner;
    this.number = booted.number;
    this.announced = new AnnouncedWork(owner.limits.announcedRuns);
    this.#events = new ThreadEvents(booted.words, owner.limits);
    this.#breaker = new FloodBreaker(owner.limits.floodMessages);
    this.line = new ThreadLine(booted);
    this.runs = new ThreadRuns(this.line, booted.words, this.announced);
    this.#mappings = new ThreadMappings();
    this.#sessions = new ThreadSessions(owner, this.line.outbox);
    this.#reader = new FrameReader(this, {
      owner,
      events: this.#events,
      mappings: this.#mappings,
      sessions: this.#sessions,
      count: (messages, bytes, bytesEach) => this.#count(messages, bytes, bytesEach),
      flooded: (detail) => this.kill({ reason: "flood", detail }),
      freed: () => owner.freed(this),
      finished: () => owner.finished(this),
      send: (...frame) => {
        if (!this.over) this.line.outbox.open().push(...frame);
      },
    });
    booted.port.listen({
      message: (frames) => this.#message(frames),
      // Lists within lists within lists: what the thread can write down, the main thread's smaller stack may not hold.
      unreadable: () => this.kill({ reason: "exit", detail: "it sent what cannot be received" }),
      stray: () => this.#stray(),
      room: () => owner.freed(this),
      leave: () => owner.recycle(this, true),
      flooded: () => this.kill({ reason: "flood", detail: "it sent more than its host process could hand on" }),
      busy: () => this.runs.active.size > 0,
    });
    void booted.ended.then((error) => this.#ended(error));
  }

  /** Gives the thread its flow; resolves with what the flow asks for, rejects with why it does not compile. */
  adopt(attachment: Attachment): Promise<FlowManifest> {
    return new Promise((resolve, reject) => {
      // What it says first; later messages are read.
      this.#message = (frames) => {
        this.#message = (more) => this.#receive(more);
        const answer: readonly unknown[] = Array.isArray(frames) ? frames : [];
        try {
          if (answer[0] === ToControl.refused) throw new Error(shortened(refused.message(answer, 0)));
          if (answer[0] !== ToControl.ready) throw new Error("its thread does not keep to the protocol");
          const manifest = readManifest(ready.manifest(answer, 0), attachment.model);
          this.#lifecycle = manifest.lifecycle;
          this.unfinished = manifest.lifecycle;
          this.stateful = manifest.stateful;
          resolve(manifest);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      void this.booted.ended.then((error) => reject(error ?? new Error("the thread ended while it compiled the flow")));
      this.#mappings.given(attachment.mappings ?? []);
      this.booted.setNice(this.owner.limits.threadNice);
      this.line.post([ToThread.adopt, attachment] satisfies FrameToThread);
    });
  }

  /** Runs that begin from now on see these; undefined: the thread has them already. Resolves when it has, or is gone. */
  update(mappings: readonly MappingData[]): Promise<void> | undefined {
    if (this.over) return undefined;
    const update = this.#mappings.update(mappings);
    if (update !== undefined) {
      this.line.outbox.open().push(ToThread.mappings, update.sequence, update.changed, update.gone);
      this.line.outbox.flush();
    }
    return this.#mappings.pending();
  }

  /** `mappings`: of the run that announced this one. */
  invoke(invocation: Invocation, mappings = this.#mappings.versions): void {
    const slot = this.runs.add(invocation, mappings);
    this.#breaker.given();
    this.unfinished = this.#lifecycle;
    const { routeIndex, hops, child, headers, bodyKind, body, extra, mocks } = invocation;
    if (mocks !== undefined) this.#sessions.precede(mocks);
    const above = child || bodyKind === BodyKind.held ? hops : -1;
    this.line.outbox.open().push(ToThread.invoke, slot, routeIndex, above, headers, bodyKind, body, extra ?? "");
    invocation.begun(this.number, mappings);
    this.runs.watcher.expects(invocation.deadline);
  }

  /** The run in this slot has been answered; undefined when nobody is to be told. */
  answered(slot: number): Invocation | undefined {
    const run = this.runs.take(slot);
    if (run === undefined) return undefined;
    this.#events.runEnded();
    this.owner.freed(this);
    return run.told ? undefined : run.invocation;
  }

  /** The flow serves; for each route 1 when it runs, else 0. */
  serve(running: string): void {
    if (!this.#lifecycle && !this.#served && !running.includes("0")) return;
    this.#served = true;
    this.line.outbox.open().push(ToThread.serve, running);
  }

  /** The flow's own sources are to begin nothing more. */
  halt(): void {
    if (this.#lifecycle) this.line.outbox.open().push(ToThread.halt);
  }

  /** Asks for the end of what it keeps; the owner hears of it. */
  finish(): void {
    this.unfinished = false;
    this.line.outbox.open().push(ToThread.finish);
  }

  /** Asks the thread to end; it finishes what it has. */
  end(): void {
    this.#ending = true;
    this.line.outbox.open().push(ToThread.end);
  }

  /** More is on its way to it than should be: it takes no more until its owner hears that it is `freed`. */
  get choked(): boolean {
    return this.booted.port.choked;
  }

  /** Settles when the thread's attachment is over. */
  get ended(): Promise<unknown> {
    return this.booted.ended;
  }

  /** Terminates the thread; its runs are lost. The culprit, if it is not given, is the one whose step the thread entered last. */
  kill(kill: Kill, culprit?: ActiveRun): void {
    if (this.over) return;
    this.over = true;
    this.#mappings.end();
    this.#sessions.end();
    this.booted.port.close();
    const told = this.booted.lastWords();
    void this.#terminate();
    this.runs.watcher.killed();
    if (told === undefined) this.#died(kill, culprit);
    else void told.then(() => this.#died(kill, culprit));
  }

  #died(kill: Kill, known: ActiveRun | undefined): void {
    // Which step a process died in is not known: its threads' last words are from before.
    const culprit = known ?? (kill.reason === "host" ? undefined : this.runs.active.get(this.booted.words.heartbeat));
    this.owner.died(this, kill, this.runs.lose(), culprit);
  }

  /** Asks its process for figures that are not in shared memory. */
  async refresh(): Promise<void> {
    if (this.booted.loop() === undefined) await within(refreshMs, this.sample());
  }

  /** As BootedThread has it. */
  sample(): Promise<ThreadSample | undefined> {
    return this.booted.sample();
  }

  async #terminate(): Promise<void> {
    await this.booted.terminate();
    this.#tellLost("thread_ended", this.#events.rest());
  }

  #tellLost(reason: LossReason, lost: LostEvents | undefined): void {
    if (lost !== undefined) this.owner.events.lost(this.owner.flowId, reason, lost);
  }

  /** A thread that posts in a loop would hold the main loop for ever: it is cut off at once. */
  #count(messages: number, bytes?: number, bytesEach?: number): void {
    if (!this.#breaker.count(messages, bytes, bytesEach)) return;
    const { floodMessages } = this.owner.limits;
    this.kill({
      reason: "flood",
      detail: `it sent more than ${floodMessages} messages, or what weighs as much, at once`,
    });
  }

  /** What is sent beside its line cannot be weighed: each may be of any size. */
  #stray(): void {
    this.#strays += 1;
    if (this.#strays > mostStrays) this.kill({ reason: "flood", detail: "it sent messages beside its line" });
  }

  #ended(error: Error | undefined): void {
    if (this.over) return;
    if (this.#ending && error === undefined && this.runs.active.size === 0) {
      this.over = true;
      this.#mappings.end();
      this.#sessions.end();
      this.booted.port.close();
      this.#tellLost("thread_ended", this.#events.rest());
      this.booted.release();
      return;
    }
    if (error instanceof HostEnded)
      this.kill({ reason: "host", detail: error.message, blameless: !error.blames(this.number) });
    else if ((error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY") {
      const { limits } = this.owner;
      this.kill(heapLimit(limits, hardFactor * limits.workerMemoryBytes));
    } else {
      const detail = error === undefined ? "it ended without having been asked to" : shortened(String(error.message));
      this.kill({ reason: "exit", detail });
    }
  }

  /** What a thread sends must not be able to throw in this one, where nobody would catch it. */
  #receive(frames: unknown): void {
    try {
      if (!Array.isArray(frames)) throw new Error("a message is a list of frames");
      this.#count(1);
      this.#reader.read(frames);
      this.#tellLost("producer_overrun", this.#events.settle());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.kill({ reason: "exit", detail: `it sent what cannot be read: ${why}` });
    }
  }
}
