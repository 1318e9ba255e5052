/** Threads that a host process was asked to boot and has not reported yet. */
import type { BootedThread } from "../booted-thread.ts";

/** Numbers of threads are unique over all host processes; those of this process count from 1 on and stay below. */
let lastThread = 1_000_000;

export class PendingBoots {
  readonly #boots = new Map<number, PromiseWithResolvers<BootedThread>>();

  /** The number under which the process reports the thread, and the promise of the thread itself. */
  begin(): { readonly thread: number; readonly booted: Promise<BootedThread> } {
    const thread = ++lastThread;
    const boot = Promise.withResolvers<BootedThread>();
    this.#boots.set(thread, boot);
    return { thread, booted: boot.promise };
  }

  /** Removes the boot that is reported under this number; undefined: there is none. */
  take(number: unknown): PromiseWithResolvers<BootedThread> | undefined {
    const boot = this.#boots.get(Number(number));
    this.#boots.delete(Number(number));
    return boot;
  }

  rejectAll(error: Error): void {
    for (const boot of this.#boots.values()) boot.reject(error);
    this.#boots.clear();
  }
}
