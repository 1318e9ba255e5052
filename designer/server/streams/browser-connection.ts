/**
 * The one connection of a browser to this server that carries all of its event streams, since browsers open no more than
 * six connections to a server over HTTP/1.1, whatever the number of their tabs.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import { eventText } from "./event-text.ts";

/** Opens a stream. Rejects with Refused; the signal ends it, also before it has begun. */
export type OpenBody = (
  signal: AbortSignal,
) => AsyncIterable<Buffer | string> | Promise<AsyncIterable<Buffer | string>>;

export class BrowserConnection {
  /** It is in the paths of the calls that begin and end streams. Nobody can guess it. */
  readonly id = randomBytes(16).toString("base64url");
  /** What the browser gets. */
  readonly events = new PassThrough();
  readonly #over: AbortSignal;
  readonly #carried = new Map<string, AbortController>();
  #drained: Promise<unknown> | undefined;

  /** `over`: the browser has gone away, or its session has ended. All streams end with it. */
  constructor(over: AbortSignal) {
    this.#over = over;
    const beat = setInterval(() => this.events.write(":\n\n"), limits.heartbeatMs);
    const close = (): void => {
      clearInterval(beat);
      for (const name of this.#carried.keys()) this.end(name);
      this.events.end();
    };
    this.events.write(eventText("connection", { id: this.id }));
    if (over.aborted) close();
    else over.addEventListener("abort", close, { once: true });
  }

  /** Carries a stream under a name of the browser's choice. Resolves when it has begun; rejects with Refused when it does not. */
  async carry(name: string, open: OpenBody): Promise<void> {
    if (this.#carried.has(name)) throw new Refused(409, `this connection carries a stream '${name}' already`);
    if (this.#carried.size >= limits.carriedStreams)
      throw new Refused(429, `this browser follows ${limits.carriedStreams} event streams: close some of its tabs`, {
        headers: { "Retry-After": "30" },
      });
    const abort = new AbortController();
    this.#carried.set(name, abort);
    try {
      const body = await open(abort.signal);
      void this.#send(name, abort, body);
    } catch (error) {
      this.#forget(name, abort);
      if (abort.signal.aborted) throw new Refused(410, "the stream was ended before it has begun");
      throw error;
    }
  }

  /** Ends a stream that the browser follows no more. */
  end(name: string): void {
    const abort = this.#carried.get(name);
    this.#carried.delete(name);
    abort?.abort();
  }

  async #send(stream: string, abort: AbortController, body: AsyncIterable<Buffer | string>): Promise<void> {
    const decoder = new StringDecoder("utf8");
    try {
      for await (const part of body) {
        const text = typeof part === "string" ? part : decoder.write(part);
        if (text !== "") await this.#write(eventText("part", { stream, text }));
      }
    } catch {
      // The runtime has broken the stream off, or nobody follows it any more.
    }
    // A stream that the browser has ended may have a successor of the same name.
    if (this.#forget(stream, abort)) await this.#write(eventText("end", { stream }));
  }

  #forget(name: string, abort: AbortController): boolean {
    return this.#carried.get(name) === abort && this.#carried.delete(name);
  }

  /**
   * Resolves when there is room for more. Until a slow browser has read, nothing is read from the runtime, which drops
   * events then and sends their number.
   */
  async #write(text: string): Promise<void> {
    if (this.#over.aborted || this.events.write(text)) return;
    this.#drained ??= once(this.events, "drain", { signal: this.#over })
      .catch(() => undefined)
      .finally(() => {
        this.#drained = undefined;
      });
    await this.#drained;
  }
}
