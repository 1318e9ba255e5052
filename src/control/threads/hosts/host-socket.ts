/**
 * One end of the connection between control and a host process. A frame is a length and a channel, four bytes each, and as many bytes as the
 * length says. Channel 0 has the messages about threads (host-messages.ts) as JSON, channel n the messages of thread n, which are not parsed
 * on the way. Everything that is sent in one turn of the event loop is one write.
 */
import type { Socket } from "node:net";
import type { Packed } from "../../../shared/packed.ts";
import type { HostMessage } from "./host-messages.ts";

/** The longest frame. A message of a thread would have to contain dozens of the longest bodies to be longer. */
const mostFrameBytes = 256 * 1024 * 1024;
/** From this many waiting bytes on the line counts as choked: whatever can wait should. */
export const chokedBytes = 4 * 1024 * 1024;
const headBytes = 8;
/** Up to this size the frames of a write are copied into one buffer. */
const copiedBytes = 128 * 1024;

export interface HostSocketListener {
  /** `bytes` are valid during the call only. */
  frame(channel: number, bytes: Buffer): void;
  message(message: HostMessage): void;
  /** Called when the other end has taken the bytes that waited. */
  drained(): void;
  /** Called when the connection is closed. `why`: the other end has sent what cannot be read; undefined: it has not. */
  closed(why: string | undefined): void;
}

export class HostSocket {
  readonly #socket: Socket;
  readonly #listener: HostSocketListener;
  readonly #soon: (leave: () => void) => void;
  /** What is sent in this turn: channel, bytes, channel, bytes, ... */
  #frames: (number | Packed)[] = [];
  #frameBytes = 0;
  #first: HostMessage[] = [];
  #last: HostMessage[] = [];
  #scheduled = false;
  /** The parts of a frame that has not arrived as a whole. */
  #parts: Buffer[] = [];
  #missing = 0;
  #closed = false;
  readonly #endTurn = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  /** `soon` schedules the write. In control the next tick is late enough, since the outboxes of threads collect what a turn of the loop sends. */
  constructor(socket: Socket, listener: HostSocketListener, soon: (leave: () => void) => void = process.nextTick) {
    this.#socket = socket;
    this.#listener = listener;
    this.#soon = soon;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("drain", () => listener.drained());
    socket.on("error", () => this.#end(undefined));
    socket.on("close", () => this.#end(undefined));
  }

  get choked(): boolean {
    return this.waiting > chokedBytes;
  }

  /** The bytes that the other end has not taken yet. */
  get waiting(): number {
    return this.#socket.writableLength + this.#frameBytes;
  }

  /** Sends a thread's message, whose bytes must not change from now on. */
  post(channel: number, packed: Packed): void {
    if (this.#closed) return;
    this.#frames.push(channel, packed);
    this.#frameBytes += headBytes + Buffer.byteLength(packed);
    this.#schedule();
  }

  /** Sends a message ahead of all threads' messages of this turn. */
  send(message: HostMessage): void {
    if (this.#closed) return;
    this.#first.push(message);
    this.#schedule();
  }

  /** Sends a message after all threads' messages of this turn. */
  sendLast(message: HostMessage): void {
    if (this.#closed) return;
    this.#last.push(message);
    this.#schedule();
  }

  flush(): void {
    if (this.#closed) return;
    const frames: (number | Packed)[] = [];
    let bytes = this.#frameBytes;
    const add = (messages: readonly HostMessage[]): void => {
      if (messages.length === 0) return;
      const text = JSON.stringify(messages);
      frames.push(0, text);
      bytes += headBytes + Buffer.byteLength(text);
    };
    add(this.#first);
    frames.push(...this.#frames);
    add(this.#last);
    this.#first = [];
    this.#frames = [];
    this.#frameBytes = 0;
    this.#last = [];
    if (frames.length > 0) this.#write(frames, bytes);
  }

  close(): void {
    this.#end(undefined);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#soon(this.#endTurn);
  }

  #write(frames: readonly (number | Packed)[], bytes: number): void {
    if (bytes <= copiedBytes) {
      const whole = Buffer.allocUnsafe(bytes);
      let at = 0;
      for (let i = 0; i < frames.length; i += 2) {
        const body = frames[i + 1] as Packed;
        const from = at + headBytes;
        if (typeof body !== "string") whole.set(body, from);
        const length = typeof body === "string" ? whole.write(body, from) : body.length;
        whole.writeUInt32LE(length, at);
        whole.writeUInt32LE(frames[i] as number, at + 4);
        at = from + length;
      }
      this.#socket.write(whole);
      return;
    }
    this.#socket.cork();
    for (let i = 0; i < frames.length; i += 2) {
      const packed = frames[i + 1] as Packed;
      const body = typeof packed === "string" ? Buffer.from(packed) : packed;
      const head = Buffer.allocUnsafe(headBytes);
      head.writeUInt32LE(body.length, 0);
      head.writeUInt32LE(frames[i] as number, 4);
      this.#socket.write(head);
      this.#socket.write(body);
    }
    this.#socket.uncork();
  }

  #receive(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#missing > 0) {
      this.#parts.push(chunk);
      this.#missing -= chunk.length;
      if (this.#missing > 0) return;
      bytes = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#missing = 0;
    }
    try {
      this.#read(bytes);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  #read(bytes: Buffer): void {
    let at = 0;
    while (!this.#closed) {
      const left = bytes.length - at;
      if (left === 0) return;
      const body = left < headBytes ? 0 : bytes.readUInt32LE(at);
      if (body > mostFrameBytes) throw new Error(`a frame of ${body} bytes`);
      if (left < headBytes + body) {
        this.#parts = [bytes.subarray(at)];
        this.#missing = headBytes + body - left;
        return;
      }
      const channel = bytes.readUInt32LE(at + 4);
      const frame = bytes.subarray(at + headBytes, at + headBytes + body);
      at += headBytes + body;
      if (channel > 0) this.#listener.frame(channel, frame);
      else this.#messages(JSON.parse(frame.toString()));
    }
  }

  #messages(messages: unknown): void {
    if (!Array.isArray(messages)) throw new Error("messages that are no list");
    for (const message of messages) {
      if (this.#closed) return;
      if (!Array.isArray(message)) throw new Error("a message that is no list");
      this.#listener.message(message);
    }
  }

  #end(why: string | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts = [];
    this.#frames = [];
    this.#socket.destroy();
    this.#listener.closed(why);
  }
}
