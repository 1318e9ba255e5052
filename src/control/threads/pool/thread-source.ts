/** Gets threads for a pool: standby threads, or threads booted with the flow's own limits. Each compiles the flow. */
import type { FlowManifest } from "../../../shared/manifest.ts";
import type { Attachment } from "../../../shared/protocol.ts";
import type { BootedThread, ThreadPool } from "../booted-thread.ts";
import { HostEnded } from "../hosts/host-end.ts";
import { FlowThread, type ThreadOwner } from "../line/flow-thread.ts";
import { MeteredThread } from "../metered-thread.ts";
import { CompileFailure, CompileLate } from "../pooled-flow.ts";
import { closing, type StandbyThreads } from "./standby-threads.ts";

/** The most host processes that may end in a row while a thread is brought. */
const mostHosts = 3;
const abandoned = { reason: "redeploy", detail: "its flow has ended" } as const;

interface CompiledThread {
  readonly thread: FlowThread;
  readonly manifest: FlowManifest;
}

/** What a flow's threads get beside its text, read when they adopt the flow. */
export interface FlowOwn {
  /** Resolves when its mappings and connections are loaded. */
  ready(): Promise<void>;
  /** With what keys are digested with that hold one. Rejects with CompileFailure for a secret that does not exist. */
  secrets(): Promise<Pick<Attachment, "secrets" | "keySalt">>;
  /** Its mappings and connections. */
  mappings(): Pick<Attachment, "mappings">;
}

interface Surroundings {
  readonly own: FlowOwn;
  readonly standby: StandbyThreads;
  /** The pool that gets the threads. */
  readonly owner: ThreadOwner;
  /** Called with each thread that has compiled the flow. */
  arrived(thread: FlowThread, manifest: FlowManifest): void;
}

export class ThreadSource {
  readonly #attachment: Attachment;
  readonly #around: Surroundings;
  /** The pool of a flow with several threads. A thread that is alone has a pool that ends with it. */
  #shared: ThreadPool | undefined;
  readonly #arriving = new Set<Promise<void>>();
  readonly #compiling = new Set<FlowThread>();
  #abandoned = false;

  constructor(attachment: Attachment, around: Surroundings) {
    this.#attachment = attachment;
    this.#around = around;
  }

  /** How many threads are on their way. */
  get arriving(): number {
    return this.#arriving.size;
  }

  /** Settles with the first thread that is on its way; undefined: none is. */
  get next(): Promise<void> | undefined {
    return this.#arriving.values().next().value;
  }

  /** Resolves when all threads that are on their way now have arrived or failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#arriving);
  }

  /** Ends the threads that compile the flow, and those that would: nobody waits for them any more. */
  abandon(): void {
    this.#abandoned = true;
    for (const thread of this.#compiling) thread.kill(abandoned);
  }

  /** Rejects with CompileFailure when a secret of the flow does not exist. */
  async given(): Promise<void> {
    await this.#around.own.ready();
    await this.#around.own.secrets();
  }

  /**
   * Brings the pool a thread. `spare`: takes no standby thread. Rejects with a CompileFailure when the flow does not compile within
   * `limits.compileMs`, with another error when no thread boots.
   */
  async bring(spare = false): Promise<void> {
    const arrival = this.#bring(spare);
    this.#arriving.add(arrival);
    try {
      await arrival;
    } finally {
      this.#arriving.delete(arrival);
    }
  }

  async #bring(spare: boolean): Promise<void> {
    const { thread, manifest } = await this.#take(spare);
    this.#around.arrived(thread, manifest);
  }

  async #take(spare: boolean): Promise<CompiledThread> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#compile(spare);
      } catch (error) {
        if (!(error instanceof HostEnded)) throw error;
        // The process has been replaced: the next one may boot a thread.
        if (attempt === mostHosts) throw new CompileFailure(error.message);
      }
    }
  }

  async #compile(spare: boolean): Promise<CompiledThread> {
    const { owner, own } = this.#around;
    await own.ready();
    const secrets = await own.secrets();
    const { flowId, events } = owner;
    const booted = new MeteredThread(await this.#boot(spare), (use) => events.used(flowId, use));
    events.adopted(flowId, booted);
    const thread = new FlowThread(booted, owner);
    const attachment: Attachment = { ...this.#attachment, ...secrets, ...own.mappings() };
    const { compileMs } = owner.limits;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const why = `compiling the flow took longer than ${compileMs} ms`;
      timer = setTimeout(() => reject(new CompileLate(why)), compileMs);
    });
    this.#compiling.add(thread);
    try {
      if (this.#abandoned) throw closing();
      const manifest = await Promise.race([thread.adopt(attachment), late]);
      events.compiled(flowId, booted, manifest);
      return { thread, manifest };
    } catch (error) {
      thread.kill({ reason: "redeploy", detail: "the flow did not compile" });
      if (this.#abandoned) throw closing();
      if (error instanceof HostEnded || error instanceof CompileLate) throw error;
      throw new CompileFailure(error instanceof Error ? error.message : String(error));
    } finally {
      this.#compiling.delete(thread);
      clearTimeout(timer);
    }
  }

  /** Lets later threads come from a new pool; `release` ends the current one. */
  detach(): { release(): Promise<void> } {
    const shared = this.#shared;
    this.#shared = undefined;
    return { release: async () => shared?.destroy() };
  }

  #boot(spare: boolean): Promise<BootedThread> {
    const { standby } = this.#around;
    const { limits, files } = this.#attachment;
    if (!spare && files === undefined && standby.fits(limits)) return standby.take();
    if (this.#abandoned) throw closing();
    if (limits.threads === 1) return standby.bootOwn(limits, files);
    this.#shared ??= standby.ownPool(limits, files);
    return this.#shared.boot();
  }
}
