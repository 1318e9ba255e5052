/**
 * Reads the packets of a broker ahead of the library. A message that is too large reaches it without its payload: it would fill the
 * thread's memory, and a broker sends it again with each connection that ends because of it.
 */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { CutMessage } from "./cut-message.ts";

export interface PacketBounds {
  readonly version: 4 | 5;
  /** Of a whole packet. */
  readonly mostBytes: number;
  /** Of a message's topic and properties. */
  readonly mostHeadBytes: number;
}

/**
 * Cuts the messages that are too large. Calls `fail` for another packet that is too large, and for what is no packet. Returns a function
 * that returns how many bytes a payload had that was cut; undefined: it was not cut.
 */
export function cutPackets(
  socket: Socket,
  bounds: PacketBounds,
  fail: (error: Error) => void,
): (payload: Uint8Array) => number | undefined {
  // No payload that a broker sends begins with it.
  const mark = randomBytes(16);
  const packets = new Packets(bounds, mark);
  const push = socket.push.bind(socket);
  // All that the socket reads passes here, before anybody sees it.
  socket.push = (chunk: unknown, encoding) => {
    if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
    try {
      let wantsMore = true;
      for (const part of packets.pass(chunk)) wantsMore = push(part);
      return wantsMore;
    } catch (error) {
      fail(error as Error);
      return false;
    }
  };
  return (payload) => CutMessage.bytesOf(payload, mark);
}

/** The first byte of CONNACK, with which a broker begins. */
const connack = 0x20;

/** Calls `fail` when the server begins with something else. */
export function expectBroker(socket: Socket, fail: (error: Error) => void): void {
  socket.once("data", (chunk: Uint8Array) => {
    if (chunk[0] !== connack)
      fail(new Error("the server does not speak MQTT: it does not begin with the answer to the login"));
  });
}

const publish = 3;
/** The most bytes that state the length of a packet. */
const mostLengthBytes = 4;

/** Follows the packets of a stream by their lengths. */
export class Packets {
  readonly #bounds: PacketBounds;
  readonly #mark: Uint8Array;
  /** The beginning of a packet whose length is not there yet. */
  #held = new Uint8Array();
  /** Bytes of the present packet that are still to come. */
  #left = 0;
  #cut: CutMessage | undefined;

  constructor(bounds: PacketBounds, mark: Uint8Array) {
    this.#bounds = bounds;
    this.#mark = mark;
  }

  /** Returns what goes on of the next part of the stream. Throws an Error that says why the connection cannot go on. */
  pass(read: Uint8Array): readonly Uint8Array[] {
    const chunk = this.#held.length === 0 ? read : Buffer.concat([this.#held, read]);
    this.#held = new Uint8Array();
    const parts: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    const passUntil = (end: number): void => {
      if (end > from) parts.push(chunk.subarray(from, end));
    };
    while (at < chunk.length) {
      if (this.#cut !== undefined) {
        at = this.#cut.take(chunk, at);
        from = at;
        if (!this.#cut.isWhole) continue;
        parts.push(this.#cut.packet);
        this.#cut = undefined;
      } else if (this.#left > 0) {
        const part = Math.min(this.#left, chunk.length - at);
        this.#left -= part;
        at += part;
      } else {
        const begun = beginningAt(chunk, at);
        if (begun === undefined) {
          this.#held = Uint8Array.from(chunk.subarray(at));
          passUntil(at);
          return parts;
        }
        if (begun.size <= this.#bounds.mostBytes) this.#left = begun.size;
        else {
          passUntil(at);
          this.#cut = this.#cutOf(chunk[at] as number, begun.size);
          from = begun.end;
        }
        at = begun.end;
      }
    }
    passUntil(at);
    return parts;
  }

  #cutOf(first: number, size: number): CutMessage {
    const { mostBytes, ...bounds } = this.#bounds;
    if (size === Number.POSITIVE_INFINITY)
      throw new Error("the server does not speak MQTT: it has sent a packet without a length");
    if (first >> 4 === publish) return new CutMessage(first, size, bounds, this.#mark);
    throw new Error(
      `the broker sends a packet of ${size} bytes that is not a message, and at most ${mostBytes} are read: raise the limit messageBodyBytes`,
    );
  }
}

/** Returns the length of a packet behind its first bytes, and where these end; undefined: they are not all there. Infinity: no length is stated. */
function beginningAt(chunk: Uint8Array, start: number): { readonly size: number; readonly end: number } | undefined {
  let size = 0;
  for (let bytes = 0; bytes < mostLengthBytes; bytes += 1) {
    const byte = chunk[start + 1 + bytes];
    if (byte === undefined) return undefined;
    size += (byte & 127) * 128 ** bytes;
    if (byte < 128) return { size, end: start + 2 + bytes };
  }
  return { size: Number.POSITIVE_INFINITY, end: start + 1 + mostLengthBytes };
}
