/** Bounds the answers of a broker: the library collects an answer until it is whole, so one without an end would fill the memory. */
import type { Socket } from "node:net";

const mostLoginBytes = 1024 * 1024;

/** Destroys the socket with an error when the broker announces an answer above `mostBytes`, or sends too much before the login is over. */
export class FrameGuard {
  readonly #socket: Socket;
  readonly #mostBytes: number;
  readonly #refused: (problem: string) => void;
  #loggedIn = false;
  #isFirst = true;
  #bytes = 0;
  /** Bytes of the answer that are still to come. */
  #rest = 0;
  /** The bytes of a length that has come in part. */
  #head = Buffer.alloc(0);

  /** `refused` is called with the reason, which the library's own error does not have. */
  constructor(socket: Socket, mostBytes: number, refused: (problem: string) => void) {
    this.#socket = socket;
    this.#mostBytes = mostBytes;
    this.#refused = refused;
    // Before the library's own listener, so that it does not keep what is refused.
    socket.prependListener("data", (chunk: Buffer) => this.#read(chunk));
  }

  loggedIn(): void {
    this.#loggedIn = true;
  }

  #read(chunk: Buffer): void {
    const problem = this.#problemOf(chunk);
    if (problem === undefined) return;
    this.#refused(problem);
    this.#socket.destroy(new Error(problem));
  }

  #problemOf(chunk: Buffer): string | undefined {
    if (!this.#loggedIn) {
      this.#bytes += chunk.length;
      if (this.#bytes > mostLoginBytes)
        return `the broker has sent more than ${mostLoginBytes} bytes before the login was over`;
    }
    for (let at = 0; at < chunk.length; ) {
      if (this.#rest > 0) {
        const taken = Math.min(this.#rest, chunk.length - at);
        this.#rest -= taken;
        at += taken;
        continue;
      }
      const missing = 4 - this.#head.length;
      this.#head = Buffer.concat([this.#head, chunk.subarray(at, at + missing)]);
      at += missing;
      if (this.#head.length < 4) return undefined;
      const isFirst = this.#isFirst;
      this.#isFirst = false;
      if (isFirst && isTlsRecord(this.#head)) return 'the broker wants an encrypted connection: write "tls": {}';
      this.#rest = this.#head.readInt32BE(0);
      this.#head = Buffer.alloc(0);
      const most = this.#loggedIn ? this.#mostBytes : mostLoginBytes;
      if (this.#rest < 4 || this.#rest > most)
        return `the broker announces an answer of ${this.#rest} bytes; ${most} are taken`;
    }
    return undefined;
  }
}

function isTlsRecord([type = 0, major, minor = 0]: Uint8Array): boolean {
  return type >= 0x14 && type <= 0x17 && major === 3 && minor <= 4;
}
