/**
 * The parts of rabbitmq-client that its types leave out. The library parses bodies by their content type, assumes that the
 * server has agreed to its own frame size, and collects bodies and frames of any size: here bodies stay bytes, and both are bounded.
 */
import type { Socket } from "node:net";
import type { Channel, Connection } from "rabbitmq-client";

interface HeaderFrame {
  readonly bodySize: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface BodyFrame {
  readonly payload: Uint8Array;
}

interface RawChannel {
  readonly _state: { maxFrameSize: number };
  _onHeader(frame: HeaderFrame): void;
  _onBody(frame?: BodyFrame): void;
}

interface RawConnection {
  readonly _socket: Socket;
  readonly _state: { readonly frameMax: number };
}

/** What `collectContents` adds to each message. */
export interface Content {
  /** undefined: it is larger than it may be, and was not collected. */
  readonly content: Uint8Array | undefined;
  readonly size: number;
}

export function socketOf(connection: Connection): Socket {
  return (connection as unknown as RawConnection)._socket;
}

/** Bytes of a frame beside its payload. */
const frameEnds = 8;

/**
 * Destroys the socket when the server announces a frame that is larger than one may be. The library reads a frame at once,
 * and would wait until all of it is in memory; of a size that a stream cannot have it would throw where nobody catches it.
 */
export function boundFrames(socket: Socket, frameMax: number): void {
  const read = socket.read.bind(socket);
  const most = frameMax + frameEnds;
  socket.read = (size?: number): unknown => {
    if (size === undefined || size <= most) return read(size);
    if (!socket.destroyed)
      socket.destroy(new Error(`the server has sent a frame of ${size} bytes, and ${most} are the most`));
    return null;
  };
}

/** What is written in one turn of the event loop is one call of the system: the library makes one of each message and acknowledgement. */
export function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let gathers = false;
  socket.write = (...args: unknown[]): boolean => {
    if (!gathers) {
      gathers = true;
      socket.cork();
      setImmediate(() => {
        gathers = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
}

/** Makes messages of the channel carry their contents as bytes, in fields of their own. Larger ones are skipped. */
export function collectContents(channel: Channel, connection: Connection, maxBytes: number): void {
  const raw = channel as unknown as RawChannel;
  raw._state.maxFrameSize = (connection as unknown as RawConnection)._state.frameMax - frameEnds;
  const onHeader = raw._onHeader.bind(raw);
  const onBody = raw._onBody.bind(raw);
  let incoming: { readonly frame: HeaderFrame; readonly content: Uint8Array | undefined; at: number } | undefined;
  const finish = (): void => {
    if (incoming === undefined || incoming.at < incoming.frame.bodySize) return;
    const { frame, content } = incoming;
    incoming = undefined;
    const more: Content = { content, size: frame.bodySize };
    // To the library it is a message without a body.
    onHeader({ ...frame, bodySize: 0, fields: { ...frame.fields, ...more } });
  };
  raw._onHeader = (frame) => {
    if (incoming !== undefined) throw new Error("the server has begun a message before the one before it was complete");
    incoming = { frame, content: frame.bodySize > maxBytes ? undefined : new Uint8Array(frame.bodySize), at: 0 };
    finish();
  };
  raw._onBody = (frame) => {
    if (frame === undefined) return onBody();
    if (incoming === undefined || incoming.at + frame.payload.length > incoming.frame.bodySize)
      throw new Error("the server has sent more of a message than it had announced");
    incoming.content?.set(frame.payload, incoming.at);
    incoming.at += frame.payload.length;
    finish();
  };
}

/** Collects what the server says of itself ahead of the login; `version` reads it. */
export function readGreeting(socket: Socket): { version(): string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > 16_384) socket.off("data", take);
  };
  socket.on("data", take);
  return {
    version() {
      socket.off("data", take);
      const greeting = Buffer.concat(chunks);
      return `${propertyOf(greeting, "product") || "AMQP"} ${propertyOf(greeting, "version")}`.trim();
    },
  };
}

/** A long text in the table of the server's properties: its name, `S`, its length in four bytes. */
function propertyOf(greeting: Buffer, name: string): string {
  const key = Buffer.from(`${String.fromCharCode(name.length)}${name}S`, "latin1");
  const at = greeting.indexOf(key);
  const from = at + key.length + 4;
  if (at < 0 || from > greeting.length) return "";
  const length = greeting.readUInt32BE(from - 4);
  return greeting.toString("utf8", from, Math.min(from + Math.min(length, 100), greeting.length));
}
