/** Server-sent events on a socket. This is the only file that imports better-sse. */

import type { ServerResponse } from "node:http";
import { Connection, EventBuffer, Session } from "better-sse";

/**
 * better-sse writes `name:value`; the contract (docs/api.md 6) writes a space before the value, which parsers ignore.
 */
const spaced = (text: string): string => ` ${text}`;
const encoder = new EventBuffer({ sanitizer: spaced });

/** Encodes one event. `data` becomes one line of JSON, so no payload can end the event or begin a field. */
export function encodeEvent(name: string, data: object, id?: string): Buffer {
  encoder.clear();
  if (id !== undefined) encoder.id(id);
  return encodeUnpooled(encoder.event(name).data(data).dispatch().read());
}

/** Encodes outside of Buffer's pool: a small frame that waits for a slow reader would keep 64 KiB of it in memory. */
function encodeUnpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Joins frames; large results, which may wait long in a socket, are outside of the pool, too. */
export function joinFrames(frames: readonly Buffer[]): Buffer | undefined {
  if (frames.length < 2) return frames[0];
  let size = 0;
  for (const frame of frames) size += frame.length;
  const bytes = size < 4096 ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const frame of frames) at += frame.copy(bytes, at);
  return bytes;
}

export const heartbeatFrame: Buffer = Buffer.from(new EventBuffer({ sanitizer: spaced }).comment("").dispatch().read());

export interface SseHandlers {
  /** Called when the head and `retry` are written; frames may follow. */
  onOpen(): void;
  /** Called once when the connection is gone, whoever closed it; never within the call that opens it. */
  onClose(): void;
}

/**
 * Stands between better-sse's session and a Node response, and keeps control of the socket's writes. The session's
 * request is never aborted: once the head is written nothing needs either of them, and a thousand readers save their
 * memory.
 */
class SseConnection extends Connection {
  readonly url = new URL("http://localhost/");
  readonly request = new Request(this.url);
  readonly response: Response;
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    super();
    this.#res = res;
    this.response = new Response(null, {
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
        "X-Content-Type-Options": "nosniff",
      },
    });
  }

  sendHead(): void {
    if (this.#usable) this.#res.writeHead(this.response.status, Object.fromEntries(this.response.headers));
  }

  sendChunk(chunk: string): void {
    if (this.#usable) this.#res.write(chunk);
  }

  cleanup(): void {}

  /** Whether the response can still be written to: the session writes in a later turn. */
  get #usable(): boolean {
    return !this.#res.destroyed && !this.#res.writableEnded;
  }
}

export class SseSocket {
  readonly #res: ServerResponse;
  readonly #handlers: SseHandlers;
  #closed = false;

  /** Writes nothing yet: the head is sent in the next turn of the event loop, so that the caller may still throw. */
  constructor(res: ServerResponse, handlers: SseHandlers) {
    this.#res = res;
    this.#handlers = handlers;
    // A peer that resets the connection is not a fault of the runtime; `close` follows.
    res.on("error", () => {});
    res.once("close", () => this.#close());
    const session = new Session(new SseConnection(res), {
      retry: 2000,
      keepAlive: null,
      trustClientEventId: false,
      sanitizer: spaced,
    });
    session.once("connected", () => {
      if (res.destroyed) this.#close();
      else handlers.onOpen();
    });
  }

  /** `written` is called when the socket has taken the frame, and not at all when the connection is lost. */
  write(frame: Buffer, written: () => void): void {
    if (this.#closed || this.#res.writableEnded) return;
    this.#res.write(frame, (error) => {
      if (!error) written();
    });
  }

  end(frame: Buffer): void {
    if (!this.#closed) this.#res.end(frame);
  }

  destroy(): void {
    this.#res.destroy();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handlers.onClose();
  }
}
