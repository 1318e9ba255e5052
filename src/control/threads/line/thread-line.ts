/**
 * The messages to one thread, and what it has been sent so far: which messages it has read, which test sessions are armed in it, and
 * which mappings it has.
 */

import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import {
  isMapping,
  type MappingVersion,
  type ResourceData,
  type ResourceKey,
  type ResourceVersion,
} from "../../../shared/mapping.ts";
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

/** The mappings and connections that one thread has: which updates it needs, and whether it has taken those that it was sent. */
export interface MappingsUpdate {
  readonly sequence: number;
  readonly changed: readonly ResourceData[];
  readonly gone: readonly ResourceKey[];
}

export class ThreadMappings {
  /** The versions of the mappings that were sent last: one list for all runs that begin until the next update. */
  versions: readonly MappingVersion[] = [];
  /** Of all that was sent. */
  #sent: readonly ResourceVersion[] = [];
  #sequence = 0;
  #taken = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void }[] = [];

  /** Sets the mappings that the thread gets with its flow. */
  given(given: readonly ResourceData[]): void {
    this.#sent = given.map(versionOf);
    this.versions = this.#sent.filter(isMapping);
  }

  /** Returns the update to send; undefined: the thread was sent these mappings already. */
  update(now: readonly ResourceData[]): MappingsUpdate | undefined {
    const before = new Map(this.#sent.map((version) => [nameOf(version), version]));
    const changed = now.filter((one) => !isSame(one, before.get(nameOf(one))));
    for (const one of now) before.delete(nameOf(one));
    const gone = this.#sent.filter((version) => before.has(nameOf(version))).map(({ kind, id }) => ({ kind, id }));
    if (changed.length + gone.length === 0) return undefined;
    this.given(now);
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

function nameOf({ kind, id }: ResourceKey): string {
  return `${kind} ${id}`;
}

/** Another connection of the same revision may have become the default. */
function isSame(one: ResourceVersion, other: ResourceVersion | undefined): boolean {
  return one.revision === other?.revision && one.hash === other.hash;
}

function versionOf({ kind, id, revision, hash }: ResourceVersion): ResourceVersion {
  return { kind, id, revision, hash };
}
