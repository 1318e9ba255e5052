/**
 * Cuts off callers that do not read their answers. What the kernel does not take of an answer waits in memory, so a
 * caller who takes none of it for a while is cut off. All connections are looked at in intervals: an answer that is
 * read has no cost for it. Event streams end slow readers themselves.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Pipeline } from "./pipeline.ts";

interface Waiting {
  readonly unread: number;
  /** How many looks have found it unchanged. */
  readonly looks: number;
}

export class StalledReaders {
  readonly #connections: ReadonlyMap<Socket, Pipeline>;
  readonly #mostLooks: number;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<Socket, Waiting>();

  constructor(connections: ReadonlyMap<Socket, Pipeline>, stallMs: number, everyMs: number) {
    this.#connections = connections;
    // Looks are counted, not time: if the main thread was busy for long, its callers are not to blame.
    this.#mostLooks = Math.ceil(stallMs / everyMs);
    this.#timer = setInterval(() => this.#look(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const waiting = new Map<Socket, Waiting>();
    for (const [socket, { response }] of this.#connections) {
      if (socket.writableLength === 0 || isStream(response)) continue;
      const unread = unreadBytes(socket);
      const before = this.#waiting.get(socket);
      const looks = before?.unread === unread ? before.looks + 1 : 0;
      if (looks >= this.#mostLooks) socket.destroy();
      else waiting.set(socket, { unread, looks });
    }
    this.#waiting = waiting;
  }
}

/** Whether an answer is being written in parts over time. */
function isStream(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && !response.writableEnded;
}

/**
 * Returns the bytes that the kernel has not taken yet. The length of a write that is under way does not shrink before
 * it is over, but the handle's queue does: Node's own socket time-outs look at it, though no documented property shows
 * it.
 */
function unreadBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket._handle?.writeQueueSize ?? socket.writableLength;
}
