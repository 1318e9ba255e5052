/**
 * This thread's end of the port to control: sends and receives frames, unchanged or as bytes in a host process, takes
 * credits for events, and makes calls to other flows.
 */

import type { MessagePort } from "node:worker_threads";
import type { Frames } from "../shared/frame-shape.ts";
import type { Body } from "../shared/frame-values.ts";
import { type FrameToControl, ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { MockedCall } from "../shared/mock.ts";
import { Outbox } from "../shared/outbox.ts";
import { pack, unpack } from "../shared/packed.ts";
import type { BodyKind, ResultExtra, RouteAction, StepTraceType } from "../shared/protocol.ts";
import { figuresOf, packedThread, Word } from "../shared/protocol.ts";
import { type Mask, noMask, secretMask } from "../shared/secret-mask.ts";
import { decodeBody, encodeExchange, encodeOwnBody, exchangeJson, receiveExchange } from "./bodies.ts";
import { ConnectionLine } from "./connection-line.ts";
import { FlowException } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import { parseJson } from "./engine/parse-json.ts";
import type { RunSink } from "./engine/run-sink.ts";
import { EffectBits, ProgressWords, Requests } from "./shared-words.ts";
import { StateLine } from "./state-line.ts";

const { reply } = threadFields;

interface Sender {
  /** `moved`: memory that is transferred with the frames. */
  postMessage(frames: readonly unknown[], moved: ArrayBuffer[]): void;
}

export interface ThreadPort extends Sender {
  postMessage(frames: readonly unknown[], moved?: ArrayBuffer[]): void;
  listen(read: (frames: unknown[]) => void): void;
  close(): void;
}

/** The thread's arguments select the kind of port. */
export function threadPort(port: MessagePort): ThreadPort {
  return process.argv.includes(packedThread, 2) ? packedPort(port) : plainPort(port);
}

function plainPort(port: MessagePort): ThreadPort {
  return {
    postMessage: (frames, moved = []) => port.postMessage(frames, moved),
    listen: (read) => void port.on("message", read),
    close: () => port.close(),
  };
}

function packedPort(port: MessagePort): ThreadPort {
  /** Memories for the next message, which refers to them by number. */
  const memories = new Map<number, SharedArrayBuffer>();
  return {
    postMessage(frames) {
      const bytes = pack(frames);
      port.postMessage(bytes, typeof bytes === "string" ? [] : [bytes.buffer]);
    },
    listen(read) {
      port.on("message", (message: string | Uint8Array | [number, SharedArrayBuffer]) => {
        if (Array.isArray(message)) {
          memories.set(...message);
          return;
        }
        const frames = unpack(message, memories) as unknown[];
        memories.clear();
        read(frames);
      });
    },
    close: () => port.close(),
  };
}

interface PendingCall {
  /** A throw fails the call. */
  readonly take: (kind: BodyKind, body: Body, extra: ResultExtra) => void;
  readonly reject: (error: Error) => void;
}

export class Line implements RunSink<Exchange> {
  readonly outbox: Outbox<FrameToControl>;
  readonly effects: EffectBits;
  readonly requests: Requests;
  /** The memory of figures, which control reads on request (shared/figures.ts). */
  readonly figures: Int32Array;
  readonly progress: ProgressWords;
  readonly state: StateLine;
  readonly connections: ConnectionLine;
  logLevel = 0;
  recordSteps = true;
  /** true: messages of runs that fail are kept. */
  keepFailed = false;
  /** true: the flow records the messages of all steps of all its runs. */
  recordAll = false;
  maxEvent = 0;
  mask: Mask = noMask;
  #secrets = new Set<string>();
  readonly #words: Int32Array;
  readonly #interest: Int32Array;
  readonly #calls = new Map<number, PendingCall>();
  #lastCall = 0;
  /** The frame in the present message that counts the events without credit since the message was begun. */
  #lost: { readonly frames: unknown[]; readonly at: number } | undefined;

  constructor(port: Sender, words: SharedArrayBuffer, interest: SharedArrayBuffer) {
    this.#words = new Int32Array(words);
    this.#interest = new Int32Array(interest);
    this.effects = new EffectBits(this.#words);
    this.requests = new Requests(this.#words);
    this.figures = figuresOf(words);
    this.progress = new ProgressWords(this.figures);
    this.outbox = new Outbox((frames, moved) => {
      this.#lost = undefined;
      port.postMessage(frames, moved);
    });
    this.state = new StateLine(this.outbox, (text) => this.mask(text));
    this.connections = new ConnectionLine({
      outbox: this.outbox,
      mask: (text) => this.mask(text),
      confide: (secrets) => this.#confide(secrets),
    });
  }

  /** Sets the values that nothing that the thread sends may hold. */
  confidential(values: readonly string[]): void {
    this.#secrets = new Set(values);
    this.mask = secretMask(this.#secrets);
  }

  #confide(values: readonly string[]): void {
    const known = this.#secrets.size;
    for (const value of values) this.#secrets.add(value);
    if (this.#secrets.size > known) this.mask = secretMask(this.#secrets);
  }

  get interest(): number {
    return this.#interest[0] as number;
  }

  /**
   * Publishes which run is active, so that control can read it when the thread hangs. A run that never waits reads
   * control's requests here.
   */
  enter(slot: number): void {
    this.#words[Word.heartbeat] = slot + 1;
    if (this.#words[Word.asked] !== 0) this.requests.beforeStep(slot);
  }

  /** A message of control is about to be read. */
  turn(): void {
    this.#made(Word.turns);
    if (this.#words[Word.asked] !== 0) this.requests.betweenSteps();
  }

  touch(slot: number): void {
    this.effects.set(slot);
  }

  calledOut(): void {
    this.#made(Word.calls);
  }

  /** Logger, message and marker without secrets and cut to their bounds (shared/redact.ts). */
  log(slot: number, step: number, level: number, logger: string, message: string, marker = ""): void {
    this.#made(Word.logs);
    if (this.#takeCredit()) {
      this.outbox.open().push(ToControl.log, slot, step, level, logger, message, marker);
    } else this.#drop(1);
  }

  handled(slot: number, step: number, type: string, message: string, by: string, answer: string): void {
    this.outbox.open().push(ToControl.handled, slot, step, type, message, by, answer);
  }

  trace(slot: number, type: StepTraceType, step: number, durationMs: number, extra: string): void {
    this.#made(Word.traces);
    if (extra.length <= this.maxEvent && this.#takeCredit()) {
      this.outbox.open().push(ToControl.trace, slot, type, step, Date.now(), durationMs, extra);
    } else this.#drop(2);
  }

  /** Reports a call that a test session's mock has answered or observed. */
  mocked(session: number, slot: number, call: MockedCall): void {
    this.outbox.open().push(ToControl.mocked, session, slot, JSON.stringify(call));
  }

  call(slot: number, name: string, exchange: Exchange): Promise<void> {
    const { limits } = exchange.run;
    const { kind, body } = encodeOwnBody(exchange);
    const sent = exchangeJson(encodeExchange(exchange), limits);
    const frame = (id: number): FrameToControl => [ToControl.call, id, slot, name, kind, body, exchange.depth, sent];
    // Makes the child's exchange the caller's.
    return this.#ask(frame, (replied, answer, extra) => {
      receiveExchange(exchange, extra, true);
      exchange.message.body = decodeBody(replied, answer);
      if (extra.stopped === true) exchange.stopped = true;
    });
  }

  route(slot: number, routeIndex: number, action: RouteAction, delayMs: number): Promise<string> {
    const frame = (id: number): FrameToControl => [ToControl.route, id, slot, routeIndex, action, delayMs];
    return this.#ask(frame, (_kind, state) => String(state));
  }

  /** Handles control's answer to a call, which may be a failure: the `reply` frame that begins at this index. */
  reply(frames: Frames, at: number): void {
    const id = reply.id(frames, at);
    const pending = this.#calls.get(id);
    if (pending === undefined) return;
    this.#calls.delete(id);
    const extraText = reply.extra(frames, at);
    try {
      const extra: ResultExtra = extraText === "" ? {} : (parseJson(extraText) as ResultExtra);
      if (extra.error !== undefined) throw new FlowException(String(extra.error.type), String(extra.error.message));
      pending.take(reply.bodyKind(frames, at), reply.body(frames, at), extra);
    } catch (error) {
      pending.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #ask<T>(
    frame: (id: number) => FrameToControl,
    take: (kind: BodyKind, body: Body, extra: ResultExtra) => T,
  ): Promise<T> {
    const id = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { take: (kind, body, extra) => resolve(take(kind, body, extra)), reject });
      this.outbox.open().push(...frame(id));
    });
  }

  /**
   * Counts the events that were made. Control subtracts those that arrived, and so learns what a killed thread lost.
   */
  #made(word: typeof Word.logs | typeof Word.traces | typeof Word.calls | typeof Word.turns): void {
    this.#words[word] = (this.#words[word] as number) + 1;
  }

  /** Only this thread takes credits, and control only adds them, so a credit cannot vanish between the two calls. */
  #takeCredit(): boolean {
    if (Atomics.load(this.#words, Word.credits) <= 0) return false;
    Atomics.sub(this.#words, Word.credits, 1);
    return true;
  }

  /** The first loss during a message opens a frame, so that the loss is reported even if nothing else is sent. */
  #drop(field: 1 | 2): void {
    if (this.#lost === undefined) {
      const at = this.outbox.open().push(ToControl.dropped, 0, 0) - 3;
      this.#lost = { frames: this.outbox.tail(), at };
    }
    const { frames, at } = this.#lost;
    frames[at + field] = (frames[at + field] as number) + 1;
  }
}
