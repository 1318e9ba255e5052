/** Bounds the packets that a broker may send: one without an end would fill the thread's memory. */
import type { Socket } from "node:net";

/** The most bytes that state the length of a packet. */
const mostLengthBytes = 4;

/** Calls `fail` as soon as a packet begins that is larger than `mostBytes`. */
export function boundPackets(socket: Socket, mostBytes: number, fail: (error: Error) => void): void {
  const frames = new Frames();
  socket.on("data", (chunk: Uint8Array) => {
    const size = frames.read(chunk, mostBytes);
    if (size !== undefined) fail(tooLarge(size, mostBytes));
  });
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

function tooLarge(size: number, mostBytes: number): Error {
  return new Error(
    size === Number.POSITIVE_INFINITY
      ? "the server does not speak MQTT: it has sent a packet without a length"
      : `the broker sends a packet of ${size} bytes, and at most ${mostBytes} are read: raise the limit messageBodyBytes, or remove the message at the broker`,
  );
}

/** Follows the packets of a stream by their lengths. */
export class Frames {
  /** Bytes of the present packet that are still to come. */
  #left = 0;
  /** The length as far as it was read; undefined: the next byte is the first of a packet. */
  #length: number | undefined;
  #lengthBytes = 0;

  /** Returns the size of a packet that is too large; Infinity: its length does not end. */
  read(chunk: Uint8Array, mostBytes: number): number | undefined {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const part = Math.min(this.#left, chunk.length - at);
        this.#left -= part;
        at += part;
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#length === undefined) {
        this.#length = 0;
        this.#lengthBytes = 0;
        continue;
      }
      this.#length += (byte & 127) * 128 ** this.#lengthBytes;
      this.#lengthBytes += 1;
      if (byte < 128) {
        if (this.#length > mostBytes) return this.#length;
        this.#left = this.#length;
        this.#length = undefined;
      } else if (this.#lengthBytes >= mostLengthBytes) return Number.POSITIVE_INFINITY;
    }
    return undefined;
  }
}
