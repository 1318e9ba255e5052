/** Control's end of one thread's line: slots for the runs in it, frames out and in, the flood breaker. */
import type { InvocationResult } from "../../shared/invocation.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { Outbox } from "../../shared/outbox.ts";
import type { Attachment, BodyKind, Outcome, ResultExtra, StepTraceType } from "../../shared/protocol.ts";
import { ToControl, ToThread, Word } from "../../shared/protocol.ts";
import type { HostEvents, HostedInvocation, KillReason } from "./flow-host.ts";
import { SlotTable } from "./slot-table.ts";
import type { BootedThread } from "./worker-pool.ts";

/** A run in its slot. */
export interface ActiveRun {
  readonly invocation: HostedInvocation;
  /** When a cancel was sent, in `performance.now()` time; 0 when none was. */
  cancelledAt: number;
}

export interface ThreadOwner {
  readonly flowId: string;
  readonly limits: Limits;
  readonly events: HostEvents;
  /** A run has left its slot. */
  freed(thread: FlowThread): void;
  /** The thread is gone and its runs are lost. */
  died(
    thread: FlowThread,
    reason: KillReason,
    detail: string,
    runs: readonly ActiveRun[],
    culprit: ActiveRun | undefined,
  ): void;
}

export class FlowThread {
  readonly number: number;
  readonly active = new SlotTable<ActiveRun>();
  /** Of `active`, the runs begun by callers, and the calls from other flows. */
  runs = 0;
  calls = 0;
  readonly #booted: BootedThread;
  readonly #owner: ThreadOwner;
  readonly #outbox: Outbox;
  #messagesThisTurn = 0;
  #over = false;
  #ending = false;
  readonly #endTurn = (): void => {
    this.#messagesThisTurn = 0;
  };

  constructor(booted: BootedThread, owner: ThreadOwner) {
    this.#booted = booted;
    this.#owner = owner;
    this.number = booted.threadId;
    this.#outbox = new Outbox((frames) => booted.port.postMessage(frames));
    booted.worker.on("message", () => this.#count());
    void booted.ended.then((error) => this.#ended(error));
  }

  /** Gives the thread its flow; resolves with what the flow asks for, rejects with why it does not compile. */
  adopt(attachment: Attachment): Promise<FlowManifest> {
    const { port } = this.#booted;
    return new Promise((resolve, reject) => {
      port.once("message", (frames: unknown) => {
        port.on("message", (more: unknown) => this.#receive(more));
        const [kind, told] = Array.isArray(frames) ? frames : [];
        if (kind === ToControl.ready) resolve(told as FlowManifest);
        else reject(new Error(String(told)));
      });
      void this.#booted.ended.then((error) =>
        reject(error ?? new Error("the thread ended while it compiled the flow")),
      );
      port.postMessage([ToThread.adopt, attachment]);
    });
  }

  invoke(invocation: HostedInvocation): void {
    const slot = this.active.add({ invocation, cancelledAt: 0 });
    if (invocation.child) this.calls += 1;
    else this.runs += 1;
    const { routeIndex, hops, child, headers, bodyKind, body, extra } = invocation;
    this.#outbox
      .open()
      .push(
        ToThread.invoke,
        slot,
        routeIndex,
        child ? hops : -1,
        headers,
        bodyKind,
        body,
        extra === undefined ? "" : JSON.stringify(extra),
      );
    invocation.begun(this.number);
  }

  cancel(slot: number, run: ActiveRun, reason: string): void {
    if (run.cancelledAt !== 0) return;
    run.cancelledAt = performance.now();
    this.#outbox.open().push(ToThread.cancel, slot, reason);
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
  kill(reason: KillReason, detail: string, suspect?: ActiveRun): void {
    if (this.#over) return;
    this.#over = true;
    this.#booted.port.close();
    const runs = [...this.active.values()];
    const culprit = this.active.get((this.#booted.words[Word.heartbeat] as number) - 1) ?? suspect;
    this.active.clear();
    void this.#terminate();
    this.#owner.died(this, reason, detail, runs, culprit);
  }

  usage(): Promise<{ readonly cpuMs: number; readonly heapBytes: number }> {
    return usageOf(this.#booted);
  }

  async #terminate(): Promise<void> {
    await this.#booted.worker.terminate();
    if (this.#owner.limits.threads === 1) await this.#booted.pool.destroy();
  }

  /** A thread that posts in a loop would hold the main loop for ever: it is cut off within the turn. */
  #count(): void {
    if (this.#messagesThisTurn++ === 0) setImmediate(this.#endTurn);
    if (this.#messagesThisTurn > this.#owner.limits.floodMessages) {
      this.kill("flood", `it sent more than ${this.#owner.limits.floodMessages} messages in one turn`);
    }
  }

  #ended(error: Error | undefined): void {
    if (this.#over) return;
    if (this.#ending && error === undefined && this.active.size === 0) {
      this.#over = true;
      this.#booted.port.close();
      if (this.#owner.limits.threads === 1) void this.#booted.pool.destroy();
      return;
    }
    const memory = (error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
    this.kill(memory ? "memory_limit" : "exit", error?.message ?? "it ended without having been asked to");
  }

  /** What a thread sends must not be able to throw in this one, where nobody would catch it. */
  #receive(frames: unknown): void {
    this.#count();
    try {
      if (!Array.isArray(frames)) throw new Error("a message is a list of frames");
      this.#read(frames);
    } catch (error) {
      this.kill("exit", `it sent what cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #read(frames: readonly unknown[]): void {
    let events = 0;
    for (let i = 0; i < frames.length && !this.#over; ) {
      switch (frames[i]) {
        case ToControl.result:
          i = this.#result(frames, i + 1);
          break;
        case ToControl.log:
          this.#log(frames, i + 1);
          events += 1;
          i += 6;
          break;
        case ToControl.trace:
          this.#trace(frames, i + 1);
          events += 1;
          i += 7;
          break;
        case ToControl.call:
          this.#call(frames, i + 1);
          i += 7;
          break;
        case ToControl.dropped:
          this.#owner.events.dropped(this.#owner.flowId, frames[i + 1] as number, frames[i + 2] as number);
          i += 3;
          break;
        default:
          this.kill("exit", "it sent a frame that the protocol does not have");
      }
    }
    if (events > 0) Atomics.add(this.#booted.words, Word.credits, events);
  }

  #result(frames: readonly unknown[], at: number): number {
    const slot = frames[at] as number;
    const extra = frames[at + 8] as string;
    const count = frames[at + 9] as number;
    if (!(count >= 0)) throw new Error("a result has a number of timings");
    const end = at + 10 + count;
    const result: InvocationResult = {
      outcome: frames[at + 1] as Outcome,
      httpStatus: frames[at + 2] as number,
      bodyKind: frames[at + 3] as BodyKind,
      body: frames[at + 4] as string | Uint8Array | null,
      headers: frames[at + 5] as string,
      stepsExecuted: frames[at + 6] as number,
      cpuMs: (frames[at + 7] as number) / 1000,
      timings: timingsOf(frames, at + 10, end),
      extra: extra === "" ? undefined : (JSON.parse(extra) as ResultExtra),
    };
    // Not before its result has been read: a run that is killed over what it sent must still be there to be told.
    const run = this.active.take(slot);
    if (run === undefined) return end;
    if (run.invocation.child) this.calls -= 1;
    else this.runs -= 1;
    this.#owner.freed(this);
    run.invocation.finished(result);
    return end;
  }

  #log(frames: readonly unknown[], at: number): void {
    this.#owner.events.log(
      this.#owner.flowId,
      this.active.get(frames[at] as number)?.invocation,
      frames[at + 1] as number,
      frames[at + 2] as number,
      frames[at + 3] as string,
      frames[at + 4] as string,
    );
  }

  #trace(frames: readonly unknown[], at: number): void {
    const [slot, type, step, time, durationMs, extra] = frames.slice(at, at + 6) as [
      number,
      StepTraceType,
      number,
      number,
      number,
      string,
    ];
    const run = this.active.get(slot);
    if (run !== undefined) {
      this.#owner.events.trace(this.#owner.flowId, run.invocation, type, step, time, durationMs, extra, this.number);
    }
  }

  #call(frames: readonly unknown[], at: number): void {
    const [id, slot, name, bodyKind, body, extra] = frames.slice(at, at + 6) as [
      number,
      number,
      string,
      BodyKind,
      string | Uint8Array | null,
      string,
    ];
    const run = this.active.get(slot);
    if (run === undefined) return;
    const reply = (kind: BodyKind, answer: string | Uint8Array | null, text: string): void => {
      if (!this.#over) this.#outbox.open().push(ToThread.reply, id, kind, answer, text);
    };
    this.#owner.events.call(this.#owner.flowId, run.invocation, { name, bodyKind, body, extra, reply });
  }
}

/** Step index, start, duration; three numbers per step run, microseconds as milliseconds. */
function timingsOf(frames: readonly unknown[], from: number, end: number): number[] {
  const timings: number[] = [];
  for (let i = from; i + 2 < end; i += 3) {
    timings.push(frames[i] as number, (frames[i + 1] as number) / 1000, (frames[i + 2] as number) / 1000);
  }
  return timings;
}

async function usageOf({ worker }: BootedThread): Promise<{ readonly cpuMs: number; readonly heapBytes: number }> {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1000, heapBytes: heap.used_heap_size + heap.external_memory };
  } catch {
    // The thread ended meanwhile.
    return { cpuMs: 0, heapBytes: 0 };
  }
}
