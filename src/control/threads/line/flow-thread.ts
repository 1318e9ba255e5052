/** One thread of a flow, as control sees it: sends it runs, reads its messages, and reports its end to its pool. */
import { controlFields, ToControl } from "../../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { FlowManifest } from "../../../shared/manifest.ts";
import type { ResourceData } from "../../../shared/mapping.ts";
import { type Attachment, BodyKind, type LossReason, type ThreadEnd } from "../../../shared/protocol.ts";
import { type BootedThread, sampleAfresh } from "../booted-thread.ts";
import { HostEnded } from "../hosts/host-end.ts";
import type { Invocation, InvocationResult } from "../invocation.ts";
import { heapLimit, type Kill } from "../kill.ts";
import type { AnnouncedRun, GroupsRequest, PoolEvents, SourceOwner, StateRequest } from "../pooled-flow.ts";
import type { BusyPlace } from "../thread-turns.ts";
import { within } from "../waiting.ts";
import { AskedConnections, type PermitOwner } from "./asked-connections.ts";
import { AskedState } from "./asked-state.ts";
import { FloodBreaker } from "./flood-breaker.ts";
import { FrameReader } from "./frame-reader.ts";
import { PendingAnnouncements } from "./pending-announcements.ts";
import { type LostEvents, ThreadEvents } from "./thread-events.ts";
import { readManifest, shortened } from "./thread-frames.ts";
import { SentSessions, ThreadLine, ThreadMappings } from "./thread-line.ts";
import { type ActiveRun, ThreadRuns } from "./thread-runs.ts";

export interface ThreadOwner extends PermitOwner, SourceOwner {
  readonly flowId: string;
  readonly limits: Limits;
  readonly events: PoolEvents;
  /** Called when a run has left the thread, or a run that it announced will not begin: a waiting run may have room now. */
  freed(thread: FlowThread): void;
  /** Called with an announced run. Throws when the flow cannot have such a run. */
  announced(run: AnnouncedRun): void;
  /** Called when the thread has finished what it kept. */
  finished(thread: FlowThread): void;
  /** Called with a request of the thread to the state store. Throws for a repository that its flow does not declare. */
  asks(request: StateRequest): void;
  asksGroups(request: GroupsRequest): void;
  /** Called at the end of a thread that has asked the state store. */
  abandoned(claimant: number): void;
  /**
   * Replaces the thread: it gets no more runs, and ends when its runs are over. A thread in which its flow keeps state is replaced only if it
   * `must` be.
   */
  recycle(thread: FlowThread, must: boolean): void;
  /** Called when the thread was killed or has died, and its runs are lost. */
  died(thread: FlowThread, kill: Kill, runs: readonly ActiveRun[], culprit: ActiveRun | undefined): void;
}

const { ready, refused } = controlFields;
/** How many messages beside its port a thread may send. The runtime's code sends none; a flow that tries it once does no harm. */
const mostStrays = 8;
/** How long to wait for a thread's answer: a thread in native code does not answer. */
const refreshMs = 500;

export class FlowThread {
  readonly number: number;
  readonly booted: BootedThread;
  readonly owner: ThreadOwner;
  /** true: the flow keeps state in this thread between runs. */
  stateful = false;
  /** Its place among the busy threads of all flows (thread-turns.ts). */
  readonly place: BusyPlace = { taken: false, since: 0 };
  readonly announced: PendingAnnouncements;
  readonly runs: ThreadRuns;
  readonly line: ThreadLine;
  /** true: the thread may keep something between runs that has to be finished before it ends. */
  unfinished = false;
  /** true: it was asked to finish what it keeps, and has not answered yet. */
  finishing = false;
  /** true: its host process is being given up. */
  mustLeave = false;
  #lifecycle = false;
  readonly state: AskedState;
  readonly connections: AskedConnections;
  /** true: it was sent which routes run. Until then it assumes that all do. */
  #served = false;
  readonly #reader: FrameReader;
  readonly events: ThreadEvents;
  readonly mappings = new ThreadMappings();
  readonly sessions: SentSessions;
  readonly #breaker: FloodBreaker;
  #strays = 0;
  /** Handles the next message. Before the thread has a flow, messages are ignored. */
  #message: (frames: unknown) => void = () => {};
  /** true: it has ended, or is being ended, and its messages are ignored. */
  over = false;
  #ending = false;

  constructor(booted: BootedThread, owner: ThreadOwner) {
    this.booted = booted;
    this.owner = owner;
    this.number = booted.number;
    this.announced = new PendingAnnouncements(owner.limits.announcedRuns);
    this.events = new ThreadEvents(booted.words, owner.limits);
    this.#breaker = new FloodBreaker(owner.limits.floodMessages);
    const asked = { thread: this.number, owner, breaker: this.#breaker, send: this.send.bind(this) };
    this.state = new AskedState(asked);
    this.connections = new AskedConnections(asked);
    this.line = new ThreadLine(booted);
    this.runs = new ThreadRuns(this.line, booted.words, this.announced);
    this.sessions = new SentSessions(owner, this.line.outbox);
    this.#reader = new FrameReader(this);
    booted.port.listen({
      message: (frames) => this.#message(frames),
      // A deeply nested value that the thread could serialize may overflow the stack of the main thread.
      unreadable: () => this.kill({ reason: "exit", detail: "it sent what cannot be received" }),
      stray: () => this.#stray(),
      room: () => this.freed(),
      leave: () => {
        this.mustLeave = true;
        owner.recycle(this, true);
      },
      flooded: () => this.kill({ reason: "flood", detail: "it sent more than its host process could hand on" }),
      busy: () => this.runs.active.size > 0,
    });
    void booted.ended.then((error) => this.#ended(error));
  }

  /** Gives the thread its flow. Resolves with the flow's manifest; rejects with the reason why it does not compile. */
  adopt(attachment: Attachment): Promise<FlowManifest> {
    return new Promise((resolve, reject) => {
      // The first message is the answer to this one; the reader gets all others.
      this.#message = (frames) => {
        this.#message = (more) => this.#receive(more);
        const answer: readonly unknown[] = Array.isArray(frames) ? frames : [];
        try {
          if (answer[0] === ToControl.refused) throw new Error(shortened(refused.message(answer, 0)));
          if (answer[0] !== ToControl.ready) throw new Error("its thread does not keep to the protocol");
          const manifest = readManifest(ready.manifest(answer, 0), attachment.model);
          ({ lifecycle: this.#lifecycle, stateful: this.stateful } = manifest);
          this.unfinished = this.#lifecycle;
          resolve(manifest);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      void this.booted.ended.then((error) => reject(error ?? new Error("the thread ended while it compiled the flow")));
      this.mappings.given(attachment.mappings ?? []);
      this.booted.setNice(this.owner.limits.threadNice);
      this.line.post([ToThread.adopt, attachment] satisfies FrameToThread);
    });
  }

  /** Sends mappings, which runs that begin from now on use. Returns undefined when the thread has them already, else a promise that resolves when it has them, or is gone. */
  update(mappings: readonly ResourceData[]): Promise<void> | undefined {
    if (this.over) return undefined;
    const update = this.mappings.update(mappings);
    if (update !== undefined) {
      this.line.outbox.open().push(ToThread.mappings, update.sequence, update.changed, update.gone);
      this.line.outbox.flush();
    }
    return this.mappings.pending();
  }

  /** Sends the thread a run. `mappings`: those of the run that has announced this one, if one has. */
  invoke(invocation: Invocation, mappings = this.mappings.versions): void {
    const slot = this.runs.add(invocation, mappings);
    this.#breaker.given();
    this.unfinished = this.#lifecycle;
    const { routeIndex, hops, child, headers, bodyKind, body, extra, mocks } = invocation;
    if (mocks !== undefined) this.sessions.precede(mocks);
    const above = child || bodyKind === BodyKind.held ? hops : -1;
    this.line.outbox.open().push(ToThread.invoke, slot, routeIndex, above, headers, bodyKind, body, extra ?? "");
    invocation.begun(this.number, mappings);
    this.runs.watcher.expects(invocation.deadline);
  }

  /**
   * Ends the run in this slot with its result. A waiting run gets its place before the end is reported, so that runs which the report starts
   * come after those that wait.
   */
  complete(slot: number, result: InvocationResult): void {
    const run = this.runs.take(slot);
    if (run === undefined) return;
    this.events.runEnded();
    this.freed();
    if (!run.reported) run.invocation.finished(result);
  }

  freed(): void {
    this.owner.freed(this);
  }

  finished(): void {
    this.finishing = false;
    this.owner.finished(this);
  }

  /** Sends a frame at the end of the turn, unless the thread is over. */
  send(...frame: FrameToThread): void {
    if (!this.over) this.line.outbox.open().push(...frame);
  }

  /** Sends which routes run: for each 1 when it runs, else 0. */
  serve(running: string): void {
    if (!this.#lifecycle && !this.#served && !running.includes("0")) return;
    this.#served = true;
    this.line.outbox.open().push(ToThread.serve, running);
  }

  /** Stops the sources of the flow in this thread. */
  halt(): void {
    if (this.#lifecycle) this.line.outbox.open().push(ToThread.halt);
  }

  /** Asks the thread to finish what it keeps; `finished` of the owner is called with its answer. */
  finish(end: ThreadEnd): void {
    this.unfinished = false;
    this.finishing = true;
    this.line.outbox.open().push(ToThread.finish, end);
  }

  /** Asks the thread to end when its runs are over. */
  end(): void {
    this.#ending = true;
    this.line.outbox.open().push(ToThread.end);
  }

  /** Terminates the thread; its runs are lost. `culprit`: the run that is to blame; absent: the run whose step was entered last. */
  kill(kill: Kill, culprit?: ActiveRun): void {
    if (this.over) return;
    this.#close();
    const lastWords = this.booted.lastWords();
    void this.booted.terminate().then(() => this.#reportLost("thread_ended", this.events.rest()));
    this.runs.watcher.killed();
    if (lastWords === undefined) this.#died(kill, culprit);
    else void lastWords.then(() => this.#died(kill, culprit));
  }

  #close(): void {
    this.over = true;
    this.mappings.end();
    this.sessions.end();
    this.state.end();
    this.connections.end();
    this.booted.port.close();
  }

  #died(kill: Kill, known: ActiveRun | undefined): void {
    // When a process dies, the step that it died in is not known: the last reports of its threads are older.
    const culprit = known ?? (kill.reason === "host" ? undefined : this.runs.active.get(this.booted.words.heartbeat));
    this.owner.died(this, kill, this.runs.lose(), culprit);
  }

  /** For a thread in a host process: requests the current figures of its runs. */
  async refresh(): Promise<void> {
    if (this.booted.loop() === undefined) await within(refreshMs, sampleAfresh(this.booted));
  }

  #reportLost(reason: LossReason, lost: LostEvents | undefined): void {
    if (lost !== undefined) this.owner.events.lost(this.owner.flowId, reason, lost);
  }

  /** Weighs what the thread has sent. A thread that posts in a loop would block the main loop for ever, so it is killed at once. */
  count(messages: number, bytes?: number, bytesEach?: number): void {
    if (!this.#breaker.count(messages, bytes, bytesEach)) return;
    const { floodMessages } = this.owner.limits;
    this.kill({
      reason: "flood",
      detail: `it sent more than ${floodMessages} messages, or what weighs as much, at once`,
    });
  }

  /** Counts a message beside the port. Such messages cannot be weighed, since each may have any size. */
  #stray(): void {
    this.#strays += 1;
    if (this.#strays > mostStrays) this.kill({ reason: "flood", detail: "it sent messages beside its line" });
  }

  #ended(error: Error | undefined): void {
    if (this.over) return;
    if (this.#ending && error === undefined && this.runs.active.size === 0) {
      this.#close();
      this.#reportLost("thread_ended", this.events.rest());
      this.booted.release();
      return;
    }
    if (error instanceof HostEnded)
      this.kill({ reason: "host", detail: error.message, blameless: !error.blames(this.number) });
    else if ((error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY") {
      this.kill(heapLimit(this.owner.limits));
    } else {
      const detail = error === undefined ? "it ended without having been asked to" : shortened(String(error.message));
      this.kill({ reason: "exit", detail });
    }
  }

  /** Reads a message. An error must not escape, since it would end the process: the thread is killed for it. */
  #receive(frames: unknown): void {
    try {
      if (!Array.isArray(frames)) throw new Error("a message is a list of frames");
      this.count(1);
      this.#reader.read(frames);
      this.#reportLost("producer_overrun", this.events.settle());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.kill({ reason: "exit", detail: `it sent what cannot be read: ${why}` });
    }
  }
}
