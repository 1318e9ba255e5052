/**
 * Records the messages before and after each step of a run, for the run's record and for tests that are made from it.
 */

import type { StepManifest } from "../../shared/manifest.ts";
import type { RecordedError, RecordedMessage, WireStep, WireSteps } from "../../shared/mock.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import { EndpointCalls, type Entry, isReplaced, leaves } from "./recorded-entry.ts";
import { recordedError, recordedMessage } from "./recorded-message.ts";
import type { Run } from "./run.ts";
import type { RunRecording } from "./run-observers.ts";

/**
 * The messages of a recorded run. A message that several steps saw is kept once, and all have a bound in characters of
 * JSON.
 */
export class KeptMessages {
  readonly texts: string[] = [];
  readonly #places = new Map<string, number>();
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether there is room for more than this. */
  room(characters: number): boolean {
    return this.#left > characters;
  }

  /** Reserves room for other data; returns false without enough. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }

  /** Returns the message's index among the texts; undefined if less than `reserved` characters would be left. */
  keep(message: RecordedMessage, reserved: number): number | undefined {
    const text = JSON.stringify(message);
    const place = this.#places.get(text);
    if (place !== undefined) return place;
    if (text.length + reserved > this.#left) return undefined;
    this.#left -= text.length;
    this.#places.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** The characters of an error's JSON that are always kept. */
const shortError = 600;
/** Steps that end without a timing are not recorded, and a run has fewer timings than this. */
const mostEntries = 2000;

export class StepRecording implements RunRecording<Exchange> {
  readonly #run: Run<Exchange>;
  readonly #steps: readonly StepManifest[];
  readonly #messages: KeptMessages;
  /** Characters that are reserved for the run's last message. */
  readonly #reserved: number;
  readonly #entries: Entry[] = [];
  /** The step that an exchange is in. */
  readonly #current = new WeakMap<Exchange, Entry>();
  /** Open entries by step, the newest last. A branch's new exchange only has the index of its step. */
  readonly #open = new Map<number, Entry[]>();
  readonly #endpoints: EndpointCalls;
  #whole: WireStep = { timing: -1 };
  #omitted = false;

  /** `steps`: the flow's step table. */
  constructor(run: Run<Exchange>, steps: readonly StepManifest[]) {
    this.#run = run;
    this.#steps = steps;
    const { runRecordBytes, recordedBytes } = run.limits;
    this.#messages = new KeptMessages(runRecordBytes);
    this.#reserved = Math.min(recordedBytes, Math.floor(runRecordBytes / 4));
    this.#endpoints = new EndpointCalls(run, {
      message: (exchange) => this.#keep(exchange, this.#reserved),
      error: (thrown) => this.#errorOf(thrown),
    });
  }

  began(exchange: Exchange): void {
    const message = this.#keep(exchange, 0);
    if (message !== undefined) this.#whole = { ...this.#whole, in: message };
  }

  ended(exchange: Exchange, error: unknown): void {
    const message = this.#keep(exchange, 0);
    this.#whole = {
      ...this.#whole,
      ...(message !== undefined && { out: message }),
      ...(error !== undefined && { error: this.#errorOf(error) }),
    };
  }

  entered(exchange: Exchange, step: number): number {
    const around = this.#entryOf(exchange);
    if (around !== undefined) around.holdsSteps = true;
    if (this.#entries.length === mostEntries) {
      this.#omitted = true;
      return -1;
    }
    const message = this.#keep(exchange, this.#reserved);
    const entry: Entry = {
      step,
      around,
      in: message,
      out: undefined,
      body: exchange.message.body,
      sameBody: false,
      timing: -1,
      error: undefined,
      omitted: message === undefined,
      mocked: false,
      callsOut: false,
      answersVariable: false,
      holdsSteps: false,
    };
    this.#current.set(exchange, entry);
    const open = this.#open.get(step);
    if (open === undefined) this.#open.set(step, [entry]);
    else open.push(entry);
    return this.#entries.push(entry) - 1;
  }

  mocked(exchange: Exchange): void {
    const entry = this.#entryOf(exchange);
    if (entry !== undefined) entry.mocked = true;
  }

  callOut(exchange: Exchange, uri: string, step: number, send: Processor): void | Promise<void> {
    const entry = this.#entryOf(exchange);
    if (step >= 0 && entry !== undefined) {
      entry.callsOut = true;
      if (this.#steps[step]?.receivesVariable !== true) return send(exchange);
      entry.answersVariable = true;
    }
    return this.#endpoints.call(exchange, uri, entry, send);
  }

  left(index: number, exchange: Exchange, timing: number): void {
    const entry = this.#end(index, exchange, timing);
    if (entry === undefined) return;
    // Records of large bodies are cut where headers leave room: they would differ where the bodies do not.
    entry.sameBody = entry.body === exchange.message.body;
    entry.body = undefined;
    entry.out = this.#keep(exchange, this.#reserved);
    entry.omitted ||= entry.out === undefined;
  }

  failed(index: number, exchange: Exchange, timing: number, error: unknown): void {
    const entry = this.#end(index, exchange, timing);
    if (entry === undefined) return;
    entry.body = undefined;
    entry.error = this.#errorOf(error);
  }

  get steps(): WireSteps {
    const timed = this.#entries.filter(({ timing }) => timing >= 0);
    const omitted = this.#omitted || timed.length < this.#entries.length || timed.some((entry) => entry.omitted);
    const whole: WireStep = {
      ...this.#whole,
      ...(omitted && { omitted }),
      ...(this.#endpoints.missing && { outbound: true }),
    };
    const calls = this.#endpoints.steps((within) => !isReplaced(within, this.#steps));
    return {
      messages: this.#messages.texts,
      steps: [whole, ...timed.map((entry) => this.#wireStep(entry)), ...calls],
    };
  }

  #keep({ message }: Exchange, reserved: number): number | undefined {
    // Checks for room first, since recording a message is more expensive.
    if (!this.#messages.room(reserved)) return undefined;
    return this.#messages.keep(recordedMessage(message, this.#run), reserved);
  }

  /** Records a long error like a message; without room, only its beginning is kept. */
  #errorOf(thrown: unknown): RecordedError {
    const error = recordedError(thrown, this.#run);
    const { length } = JSON.stringify(error);
    if (length <= shortError || this.#messages.take(length)) return error;
    this.#omitted = true;
    return { type: error.type.slice(0, 100), message: error.message.slice(0, 100) };
  }

  #entryOf(exchange: Exchange): Entry | undefined {
    return this.#current.get(exchange) ?? this.#open.get(exchange.step)?.at(-1);
  }

  #end(index: number, exchange: Exchange, timing: number): Entry | undefined {
    const entry = this.#entries[index];
    if (entry === undefined) return undefined;
    entry.timing = timing;
    if (entry.around === undefined) this.#current.delete(exchange);
    else this.#current.set(exchange, entry.around);
    const open = this.#open.get(entry.step);
    open?.splice(open.lastIndexOf(entry), 1);
    return entry;
  }

  #wireStep(entry: Entry): WireStep {
    const { timing, around, in: received, out, error, mocked, omitted, sameBody } = entry;
    return {
      timing,
      ...(mocked && { mocked }),
      ...(leaves(entry, this.#steps) && !isReplaced(around, this.#steps) && { outbound: true }),
      ...(omitted && { omitted }),
      ...(sameBody && { sameBody }),
      ...(received !== undefined && { in: received }),
      ...(out !== undefined && { out }),
      ...(error !== undefined && { error }),
    };
  }
}
