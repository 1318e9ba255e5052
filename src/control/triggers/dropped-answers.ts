/**
 * Memory of large answers that nobody has read to their end. It lies outside of V8's heap, which looks for what is over only when more is
 * asked for: without this it would stay for as long as the runtime has little to do.
 */
const worthIt = 32 * 1024 * 1024;
/** Connections that are cut off together are collected together. */
const soonMs = 1000;

export class DroppedAnswers {
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= worthIt) this.#timer ??= setTimeout(() => void this.#free(), soonMs).unref();
  }

  async #free(): Promise<void> {
    this.#bytes = 0;
    this.#timer = undefined;
    // The main thread was there before its own `gc` could be asked for; a debugger's protocol has the same.
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connect();
    session.post("HeapProfiler.collectGarbage", () => session.disconnect());
  }
}
