/**
 * The messages to one thread, and what it has been sent so far: which messages it has read, which test sessions are armed in it, and
 * which mappings it has.
 */

import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { MappingData, MappingKey, MappingVersion } from "../../../shared/mapping.ts";
import type { ArmTask } from "../../../shared/mock.ts";
import { Outbox } from "../../../shared/outbox.ts";
import type { BootedThread } from "../booted-thread.ts";
import type { ArmedMocks, MockHolder } from "../invocation.ts";

/** Collects frames and posts them together as one message. Messages are counted, so that it is known which of them the thread has read. */
export class ThreadLine {
  readonly outbox: Outbox<FrameToThread>;
  readonly #booted: Pick<BootedThread, "port" | "words">;
  #posted = 0;

  constructor(booted: Pick<BootedThread, "port" | "words">) {
    this.#booted = booted;
    this.outbox = new Outbox((frames) => this.post(frames));
  }

  /** The number of the message with the frames that are being collected. */
  get next(): number {
    return this.#posted + 1;
  }

  /** Posts frames at once, as one message. */
  post(frames: readonly unknown[]): void {
    this.#posted = (this.#posted + 1) | 0;
    this.#booted.port.post(frames);
  }

  /** Posts an empty message, which the thread reads when its loop turns. Returns the message's number. */
  nudge(): number {
    this.post([]);
    return this.#posted;
  }

  /** Whether the thread has begun to read the message of this number, as far as is known. */
  hasRead(message: number): boolean {
    return ((this.#booted.words.turns - message) | 0) >= 0;
  }
}

/** The test sessions that one thread has been sent: each is armed ahead of its first run there, and disarmed when it is over. */
export class SentSessions implements MockHolder {
  /** The PooledFlow that the thread belongs to. */
  readonly #here: object;
  readonly #outbox: Outbox<FrameToThread>;
  readonly #armed = new Map<number, ArmedMocks>();

  constructor(here: object, outbox: Outbox<FrameToThread>) {
    this.#here = here;
    this.#outbox = outbox;
  }

  /** Sends what the thread needs ahead of the invoke frame of a run that is in these sessions. */
  precede(sessions: readonly ArmedMocks[]): void {
    for (const session of sessions) if (!this.#armed.has(session.number)) this.#arm(session);
    const numbers = sessions.map(({ number }) => number);
    this.#outbox.open().push(ToThread.test, numbers);
  }

  /** Finds the session of this number; undefined: it is over, or the thread never had it. */
  find(number: number): ArmedMocks | undefined {
    return this.#armed.get(number);
  }

  disarm(number: number): void {
    if (this.#armed.delete(number)) this.#outbox.open().push(ToThread.disarm, number);
  }

  /** Call it when the thread is gone. */
  end(): void {
    for (const { holders } of this.#armed.values()) holders.delete(this);
    this.#armed.clear();
  }

  #arm(session: ArmedMocks): void {
    const { number, set, words, mostRecorded, pool } = session;
    const task: ArmTask = { set, words, mostRecorded, own: pool === this.#here };
    this.#armed.set(number, session);
    session.holders.add(this);
    this.#outbox.open().push(ToThread.arm, number, task);
  }
}

/** The mappings that one thread has: which updates it needs, and whether it has taken those that it was sent. */
export interface MappingsUpdate {
  readonly sequence: number;
  readonly changed: readonly MappingData[];
  readonly gone: readonly MappingKey[];
}

export class ThreadMappings {
  /** The versions that were sent last: one list for all runs that begin until the next update. */
  versions: readonly MappingVersion[] = [];
  #sequence = 0;
  #taken = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void }[] = [];

  /** Sets the mappings that the thread gets with its flow. */
  given(mappings: readonly MappingData[]): void {
    this.versions = mappings.map(versionOf);
  }

  /** Returns the update to send; undefined: the thread was sent these mappings already. */
  update(mappings: readonly MappingData[]): MappingsUpdate | undefined {
    const before = new Map(this.versions.map((version) => [nameOf(version), version.revision]));
    const changed = mappings.filter((mapping) => before.get(nameOf(mapping)) !== mapping.revision);
    for (const mapping of mappings) before.delete(nameOf(mapping));
    const gone = this.versions.filter((version) => before.has(nameOf(version))).map(({ kind, id }) => ({ kind, id }));
    if (changed.length + gone.length === 0) return undefined;
    this.given(mappings);
    this.#sequence += 1;
    return { sequence: this.#sequence, changed, gone };
  }

  /** Resolves when the thread has taken the last update, or is gone; undefined: it has already. */
  pending(): Promise<void> | undefined {
    const sequence = this.#sequence;
    if (this.#taken === sequence) return undefined;
    return new Promise((resolve) => this.#waiting.push({ sequence, resolve }));
  }

  /** Call it when the thread has taken this update, and so all before it. */
  taken(sequence: number): void {
    if (sequence > this.#sequence) throw new Error("it has taken mappings that it was not sent");
    this.#taken = Math.max(sequence, this.#taken);
    for (const one of this.#waiting) if (one.sequence <= sequence) one.resolve();
    this.#waiting = this.#waiting.filter((one) => one.sequence > sequence);
  }

  /** Settles all pending updates: the thread is gone. */
  end(): void {
    this.taken(this.#sequence);
  }
}

function nameOf({ kind, id }: MappingKey): string {
  return `${kind} ${id}`;
}

function versionOf({ kind, id, revision, hash }: MappingVersion): MappingVersion {
  return { kind, id, revision, hash };
}
