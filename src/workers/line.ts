/** This thread's end of the port to control: frames in and out, credits for events, calls to other flows. */
import type { MessagePort } from "node:worker_threads";
import { Outbox } from "../shared/outbox.ts";
import type { BodyKind, InvokeExtra, ResultExtra, StepTraceType } from "../shared/protocol.ts";
import { ToControl, Word } from "../shared/protocol.ts";
import { decodeBody, encodeBody, encodeExchange, receiveExchange, toJson } from "./bodies.ts";
import { FlowException } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import type { RunSink } from "./engine/run.ts";

interface PendingCall {
  readonly exchange: Exchange;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Line implements RunSink {
  readonly outbox: Outbox;
  logLevel = 0;
  recordSteps = true;
  maxEvent = 0;
  readonly #words: Int32Array;
  readonly #interest: Int32Array;
  readonly #calls = new Map<number, PendingCall>();
  #lastCall = 0;
  #droppedLogs = 0;
  #droppedTraces = 0;

  constructor(port: MessagePort, words: SharedArrayBuffer, interest: SharedArrayBuffer) {
    this.#words = new Int32Array(words);
    this.#interest = new Int32Array(interest);
    this.outbox = new Outbox((frames) => port.postMessage(frames));
  }

  get interest(): number {
    return this.#interest[0] as number;
  }

  /** Leaves word which run is on: when the thread hangs, control reads it. */
  enter(slot: number): void {
    this.#words[Word.heartbeat] = slot + 1;
  }

  log(slot: number, step: number, level: number, logger: string, message: string): void {
    if (!this.#takeCredit()) {
      this.#droppedLogs += 1;
      return;
    }
    this.#open().push(ToControl.log, slot, step, level, logger, this.#cut(message));
  }

  trace(slot: number, type: StepTraceType, step: number, durationMs: number, extra: string): void {
    if (extra.length > this.maxEvent || !this.#takeCredit()) {
      this.#droppedTraces += 1;
      return;
    }
    this.#open().push(ToControl.trace, slot, type, step, Date.now(), durationMs, extra);
  }

  call(slot: number, name: string, exchange: Exchange): Promise<void> {
    const { kind, body } = encodeBody(exchange.message.body);
    const extra: InvokeExtra & { hops: number } = { ...encodeExchange(exchange), hops: exchange.run.depth };
    const id = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { exchange, resolve, reject });
      this.#open().push(ToControl.call, id, slot, name, kind, body, toJson(extra));
    });
  }

  /** Control's answer to a call: the child's exchange becomes the caller's, or its failure does. */
  reply(id: number, kind: BodyKind, body: string | Uint8Array | null, extraText: string): void {
    const pending = this.#calls.get(id);
    if (pending === undefined) return;
    this.#calls.delete(id);
    const { exchange, resolve, reject } = pending;
    try {
      const extra: ResultExtra = extraText === "" ? {} : (JSON.parse(extraText) as ResultExtra);
      if (extra.error !== undefined) throw new FlowException(extra.error.type, extra.error.message);
      receiveExchange(exchange, extra, true);
      exchange.message.body = decodeBody(kind, body);
      if (extra.stopped === true) exchange.stopped = true;
      resolve();
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #open(): unknown[] {
    const frames = this.outbox.open();
    if (this.#droppedLogs + this.#droppedTraces > 0) {
      frames.push(ToControl.dropped, this.#droppedLogs, this.#droppedTraces);
      this.#droppedLogs = 0;
      this.#droppedTraces = 0;
    }
    return frames;
  }

  #takeCredit(): boolean {
    if (Atomics.sub(this.#words, Word.credits, 1) > 0) return true;
    Atomics.add(this.#words, Word.credits, 1);
    return false;
  }

  #cut(text: string): string {
    return text.length <= this.maxEvent ? text : `${text.slice(0, this.maxEvent)}... (${text.length} characters)`;
  }
}
