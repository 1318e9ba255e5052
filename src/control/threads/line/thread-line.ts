/** The messages to one thread: frames that are collected and posted together, each message with a number by which it is known to have been read. */
import type { FrameToThread } from "../../../shared/frames-to-thread.ts";
import { Outbox } from "../../../shared/outbox.ts";
import type { BootedThread } from "../booted-thread.ts";

export class ThreadLine {
  readonly outbox: Outbox<FrameToThread>;
  readonly #booted: Pick<BootedThread, "port" | "words">;
  #posted = 0;

  constructor(booted: Pick<BootedThread, "port" | "words">) {
    this.#booted = booted;
    this.outbox = new Outbox((frames) => this.post(frames));
  }

  /** The number of the message that the frames go with which are collected now. */
  get next(): number {
    return this.#posted + 1;
  }

  /** A message of its own, at once. */
  post(frames: readonly unknown[]): void {
    this.#posted = (this.#posted + 1) | 0;
    this.#booted.port.post(frames);
  }

  /** An empty message: when it has been read, the thread's loop has turned. Answers the message's number. */
  nudge(): number {
    this.post([]);
    return this.#posted;
  }

  /** Whether it has begun to read the message of this number, as far as is known. */
  hasRead(message: number): boolean {
    return ((this.#booted.words.turns - message) | 0) >= 0;
  }
}
