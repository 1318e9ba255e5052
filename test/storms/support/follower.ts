/** One reader of an event stream over a raw socket, which checks that every number comes once, in order, or is told to be missing. */
import { connect, type Socket } from "node:net";
import type { RecordableHistogram } from "node:perf_hooks";
import { epochMs, pause } from "../../support/clock.ts";

export interface FollowerOptions {
  readonly port: number;
  readonly token: string;
  /** Path and query under `/_api`. */
  readonly path: string;
  /** Stops reading as soon as the stream has begun. */
  readonly stalls: boolean;
  /** Milliseconds from an event's making to its arrival. */
  readonly delays: RecordableHistogram;
}

export class Follower {
  readonly stalls: boolean;
  readonly trace: boolean;
  received = 0;
  /** Events told to be missing because this reader was too slow, and because a thread lost them. */
  dropped = 0;
  lost = 0;
  /** Numbers that came twice, out of order, or not at all without a word. */
  wrong = 0;

  first: number | undefined;
  /** The first number that is neither received nor told, once `ready` has come. */
  next: number | undefined;
  closedByServer = false;
  resumed = false;
  readonly opened: Promise<void>;
  readonly #options: FollowerOptions;
  #socket: Socket;
  #open: () => void = () => {};
  #fail: (error: Error) => void = () => {};
  #epoch = "";
  #inHead = true;
  #leaving = false;
  /** Of the HTTP message, what has not been understood yet, and of the events. */
  #rest = "";
  #text = "";

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.stalls = options.stalls;
    this.trace = options.path.startsWith("/trace");
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    this.#socket = this.#connect();
  }

  /** Breaks the connection and comes back with the last id after some time. */
  async reconnect(afterMs: number): Promise<void> {
    this.#leaving = true;
    this.#socket.destroy();
    await pause(afterMs);
    this.#rest = this.#text = "";
    this.#inHead = true;
    this.#leaving = false;
    this.#socket = this.#connect();
  }

  /** A stalled one reads on. */
  resume(): void {
    this.resumed = true;
    this.#socket.resume();
  }

  #connect(): Socket {
    const { port, token, path } = this.#options;
    const socket = connect(port, "127.0.0.1");
    const last = this.next === undefined ? "" : `Last-Event-ID: ${this.#epoch}-${this.next - 1}\r\n`;
    socket.write(`GET /_api${path} HTTP/1.1\r\nHost: storm\r\nAuthorization: Bearer ${token}\r\n${last}\r\n`);
    socket.on("data", (chunk) => this.#read(chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (this.#leaving || socket !== this.#socket) return;
      this.closedByServer = true;
      this.#fail(new Error("the stream ended before it began"));
    });
    return socket;
  }

  /** An HTTP/1.1 answer in chunks. */
  #read(text: string): void {
    this.#rest += text;
    if (this.#inHead) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!this.#rest.startsWith("HTTP/1.1 200 ")) this.#fail(new Error(this.#rest));
      this.#rest = this.#rest.slice(end + 4);
      this.#inHead = false;
    }
    for (;;) {
      const line = this.#rest.indexOf("\r\n");
      const size = line < 0 ? 0 : Number.parseInt(this.#rest.slice(0, line), 16);
      if (size === 0 || this.#rest.length < line + 2 + size + 2) return;
      this.#events(this.#rest.slice(line + 2, line + 2 + size));
      this.#rest = this.#rest.slice(line + 2 + size + 2);
    }
  }

  #events(chunk: string): void {
    const blocks = (this.#text + chunk).split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) this.#event(block);
    const newest = blocks.at(-1) ?? "";
    const at = newest.indexOf('"ts":"');
    if (at >= 0 && !this.stalls) {
      this.#options.delays.record(Math.max(1, epochMs() - Date.parse(newest.slice(at + 6, at + 30))));
    }
  }

  #event(block: string): void {
    if (block.startsWith("id: ")) {
      const seq = Number(block.slice(block.indexOf("-") + 1, block.indexOf("\n")));
      this.#covers(seq, seq);
      if (!block.includes("\nevent: dropped\n")) this.received += 1;
      else this.lost += dataOf(block)["count"] as number;
    } else if (block.startsWith("event: dropped")) {
      const { from, to, count } = dataOf(block) as Record<string, number>;
      this.#covers(from as number, to as number);
      this.dropped += count as number;
    } else if (block.startsWith("event: ready")) {
      const { epoch, seq } = dataOf(block);
      if (this.#epoch !== "" && epoch !== this.#epoch) this.wrong += 1;
      this.#epoch = String(epoch);
      this.first ??= (seq as number) + 1;
      this.next ??= this.first;
      if (this.stalls) this.#socket.pause();
      this.#open();
    }
  }

  #covers(from: number, to: number): void {
    if (from !== this.next) this.wrong += 1;
    this.next = to + 1;
  }
}

function dataOf(block: string): Readonly<Record<string, unknown>> {
  return JSON.parse(block.slice(block.indexOf("\ndata: ") + 7)) as Record<string, unknown>;
}
