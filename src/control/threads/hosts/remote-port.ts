/** The port of a thread in a host process: its messages are packed here and there, and travel on the socket of the host. */
import { pack, unpack } from "../../../shared/packed.ts";
import type { ThreadListener, ThreadPort } from "../booted-thread.ts";
import type { HostLine } from "./host-line.ts";

export class RemotePort implements ThreadPort {
  listener: ThreadListener | undefined;
  readonly #thread: number;
  readonly #line: HostLine;
  readonly #share: (memory: SharedArrayBuffer) => number;
  readonly #sent: () => void;
  #wasChoked = false;

  /** `sent`: something is on its way to the thread. */
  constructor(thread: number, line: HostLine, sent: () => void) {
    this.#thread = thread;
    this.#sent = sent;
    this.#line = line;
    this.#share = (memory) => line.share(thread, memory);
  }

  get choked(): boolean {
    this.#wasChoked = this.#line.choked;
    return this.#wasChoked;
  }

  listen(listener: ThreadListener): void {
    this.listener = listener;
  }

  post(frames: readonly unknown[]): void {
    this.#sent();
    this.#line.post(this.#thread, pack(frames, this.#share));
  }

  close(): void {
    this.listener = undefined;
  }

  /** Its process has taken what waited. */
  drained(): void {
    if (!this.#wasChoked) return;
    this.#wasChoked = false;
    this.listener?.room();
  }

  received(bytes: Uint8Array): void {
    if (this.listener === undefined) return;
    let frames: unknown;
    try {
      frames = unpack(bytes);
    } catch {
      this.listener.unreadable();
      return;
    }
    this.listener.message(frames);
  }
}
