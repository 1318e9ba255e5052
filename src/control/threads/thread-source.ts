/** Where a pool's threads come from: a standby one, or one booted with the flow's own limits; each compiles the flow. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { Attachment } from "../../shared/protocol.ts";
import type { BootedThread, ThreadPool } from "./booted-thread.ts";
import { FlowThread, type ThreadOwner } from "./flow-thread.ts";
import { HostEnded } from "./hosts/host-ended.ts";
import { MeteredThread } from "./metered-thread.ts";
import type { StandbyThreads } from "./standby-threads.ts";
import { within } from "./within.ts";

/** Host processes that may end while a thread is got from them. */
const mostHosts = 3;

export interface CompiledThread {
  readonly thread: FlowThread;
  readonly manifest: FlowManifest;
}

/** What a thread has against a flow; its message is for whoever deploys the flow. */
export class CompileFailure extends Error {}

/** What a flow's threads are given beside its text: as it is when they adopt the flow. */
export interface FlowOwn {
  /** Resolves when what it is given can be told. */
  ready(): Promise<void>;
  /** Throws CompileFailure for a secret that is not there. */
  secrets(): Promise<Pick<Attachment, "secrets">>;
  mappings(): Pick<Attachment, "mappings">;
}

export class ThreadSource {
  readonly #attachment: Attachment;
  readonly #own: FlowOwn;
  readonly #standby: StandbyThreads;
  /** Of a flow with more threads than one. A pool of one goes with its thread. */
  #shared: ThreadPool | undefined;

  constructor(attachment: Attachment, own: FlowOwn, standby: StandbyThreads) {
    this.#attachment = attachment;
    this.#own = own;
    this.#standby = standby;
  }

  /** Rejects with what a thread would not be given. */
  async given(): Promise<void> {
    await this.#own.ready();
    await this.#own.secrets();
  }

  /**
   * `spare`: standby threads are left to others. Rejects with a CompileFailure when the flow does not compile within `limits.compileMs`,
   * with another error when no thread boots.
   */
  async next(owner: ThreadOwner, spare = false): Promise<CompiledThread> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#next(owner, spare);
      } catch (error) {
        if (!(error instanceof HostEnded)) throw error;
        // The next process may have a thread for it.
        if (attempt === mostHosts) throw new CompileFailure(error.message);
      }
    }
  }

  async #next(owner: ThreadOwner, spare: boolean): Promise<CompiledThread> {
    await this.#own.ready();
    const secrets = await this.#own.secrets();
    const { flowId, events } = owner;
    const booted = new MeteredThread(await this.#boot(spare), (use) => events.used(flowId, use));
    events.adopted(flowId, booted);
    const thread = new FlowThread(booted, owner);
    const attachment: Attachment = { ...this.#attachment, ...secrets, ...this.#own.mappings() };
    const { compileMs } = owner.limits;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`compiling the flow took longer than ${compileMs} ms`)), compileMs);
    });
    try {
      const manifest = await Promise.race([thread.adopt(attachment), late]);
      events.compiled(flowId, booted, manifest);
      return { thread, manifest };
    } catch (error) {
      thread.kill({ reason: "redeploy", detail: "the flow did not compile" });
      if (error instanceof HostEnded) throw error;
      throw new CompileFailure(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Later threads come from another pool; `release` ends the one of those so far. */
  detach(): { release(): Promise<void> } {
    const shared = this.#shared;
    this.#shared = undefined;
    return { release: async () => shared?.destroy() };
  }

  #boot(spare: boolean): Promise<BootedThread> {
    const { limits, files } = this.#attachment;
    if (!spare && files === undefined && this.#standby.fits(limits)) return this.#standby.take();
    if (limits.threads === 1) return this.#standby.bootOwn(limits, files);
    this.#shared ??= this.#standby.ownPool(limits, files);
    return this.#shared.boot();
  }
}

/**
 * Ends threads: `idle` ones are asked to, and killed when they have not after `graceMs`; others are killed at once.
 * Resolves with how many have not ended `graceMs` after their kill: they are in native code, which cannot be interrupted.
 */
export async function endThreads(threads: readonly FlowThread[], idle: boolean, graceMs: number): Promise<number> {
  const ended = await Promise.all(threads.map((thread) => endThread(thread, idle, graceMs)));
  return ended.filter((gone) => !gone).length;
}

async function endThread(thread: FlowThread, idle: boolean, graceMs: number): Promise<boolean> {
  if (idle) {
    thread.end();
    if (await within(graceMs, thread.booted.ended)) return true;
  }
  thread.kill({ reason: "redeploy", detail: "its deployment was replaced" });
  return within(graceMs, thread.booted.ended);
}
