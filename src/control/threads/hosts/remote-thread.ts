/** A thread of a host process, as control sees it. */
import { setPriority } from "node:os";
import type { BootedThread, ThreadSample } from "../booted-thread.ts";
import { within } from "../waiting.ts";
import type { HostMessage } from "./host-messages.ts";
import { cpuMsOf, hasThread } from "./proc.ts";
import { type HostLine, RemotePort, RemoteWords } from "./remote-line.ts";

/** How long a lost run waits for the report whether it has had an effect. */
const lastWordsMs = 250;
/**
 * The evidence that a thread which is being ended is in native code, so that only the end of its process can end it: it uses CPU time, or the memory
 * of its process grows. A thread that gets no CPU time is only slow. Where the CPU time is not known, `blindMs` is the limit, elsewhere `mostMs`.
 */
const stuck = { cpuMs: 800, bytes: 64 * 1024 * 1024, blindMs: 2000, mostMs: 10_000 };
const endLookMs = 100;
/** After this time without its sample a thread is silent: one that waits, or runs JavaScript, answers at once. */
const silentMs = 60;
/** A silent thread that has used less CPU time than this was waiting for the CPU. */
const silentCpuMs = 50;
/** The share of the time between two samples from which on a thread's loop counts as busy. */
const hotShare = 0.5;

interface Parts {
  readonly number: number;
  /** The operating system's id of the thread; 0: unknown. */
  readonly systemId: number;
  readonly line: HostLine;
}

/** A sample that was requested and has not arrived. */
interface Asked {
  readonly at: number;
  readonly bytes: number;
  readonly cpuMs: number | undefined;
  /** true: the process was dead by then, since the system no longer had figures of the thread. */
  readonly tooLate: boolean;
  /** CPU time that the thread had used since then when it was last measured. */
  usedMs: number;
}

export class RemoteThread implements BootedThread {
  readonly number: number;
  readonly port: RemotePort;
  readonly words: RemoteWords;
  readonly ended: Promise<Error | undefined>;
  readonly #line: HostLine;
  readonly #systemId: number;
  #end: (error: Error | undefined) => void = () => {};
  /** true: its attachment is over. */
  #over = false;
  readonly #gone = Promise.withResolvers<void>();
  readonly #last = Promise.withResolvers<void>();
  #sampling: PromiseWithResolvers<ThreadSample | undefined> | undefined;
  #asked: Asked | undefined;
  /** true: the system has reported its CPU time before. */
  #hadFigures = false;
  /** true: its loop was busy between the last two samples. */
  hot = false;
  /** true: it was sent something after the last sample was requested. */
  sentSince = false;
  /** The share of the time between the last two samples in which it had the CPU; 0 before the second one, since the first counts the thread's boot. */
  cpuShare = 0;
  #loop = { idleMs: 0, activeMs: 0, cpuMs: 0 };
  #hasLast = false;
  /** true: it is being ended. */
  ending = false;

  constructor({ number, systemId, line }: Parts) {
    this.number = number;
    this.#line = line;
    this.#systemId = systemId;
    this.words = new RemoteWords(number, (message) => line.send(message));
    this.port = new RemotePort(number, line, () => {
      this.sentSince = true;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Whether a requested sample is missing for longer than `silentMs`. */
  get silent(): boolean {
    return this.silentForMs > silentMs;
  }

  /** Milliseconds since the request of a sample that has not arrived; 0: none is missing. */
  get silentForMs(): number {
    return this.#asked === undefined ? 0 : performance.now() - this.#asked.at;
  }

  /** Whether a missing sample is not the thread's fault, as far as is known: it was waiting for the CPU, or its process was dead. */
  get waits(): boolean {
    if (this.#asked === undefined) return false;
    const { tooLate, cpuMs, usedMs } = this.#asked;
    return tooLate || (cpuMs !== undefined && usedMs < silentCpuMs);
  }

  get busy(): boolean {
    return this.port.listener?.busy() === true;
  }

  loop(): undefined {
    return undefined;
  }

  sample(): Promise<ThreadSample | undefined> {
    if (this.#line.over) return Promise.resolve(undefined);
    if (this.#sampling === undefined) {
      this.#sampling = Promise.withResolvers();
      const cpuMs = this.#cpuMs;
      const tooLate = this.#hadFigures && cpuMs === undefined;
      this.#hadFigures ||= cpuMs !== undefined;
      this.#asked = { at: performance.now(), bytes: this.#line.memoryBytes, cpuMs, tooLate, usedMs: 0 };
      this.sentSince = false;
      this.#line.send(["sample", this.number]);
    }
    return this.#sampling.promise;
  }

  /** Measures the CPU time since the request of a sample that is missing: once its process has died, it can no longer be read. */
  look(): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    const now = this.#cpuMs;
    if (now !== undefined) asked.usedMs = now - (asked.cpuMs ?? 0);
  }

  grownBytes(): number {
    const asked = this.#asked;
    if (asked === undefined || this.#line.silent) return 0;
    this.look();
    return asked.bytes === 0 || asked.usedMs < silentCpuMs ? 0 : Math.max(0, this.#line.memoryBytes - asked.bytes);
  }

  setNice(nice: number): boolean {
    // The id was sent by the process, so only an id of one of its threads is accepted.
    if (this.#systemId === 0 || this.#systemId === this.#line.pid || this.#line.over) return false;
    try {
      if (!hasThread(this.#line.pid, this.#systemId)) return false;
      setPriority(this.#systemId, nice);
      return true;
    } catch {
      return false;
    }
  }

  lastWords(): Promise<void> | undefined {
    if (this.#line.over || this.#over) return undefined;
    return within(lastWordsMs, this.#last.promise).then(() => undefined);
  }

  async terminate(): Promise<void> {
    if (this.#line.over) return;
    this.ending = true;
    this.#line.send(["terminate", this.number]);
    const why = await this.#seemsStuck();
    if (why !== undefined) this.#line.leave(`a thread of it cannot be ended: ${why}`);
    await this.#gone.promise;
  }

  /** Resolves when the thread has ended, or with the reason why its process has to end. */
  async #seemsStuck(): Promise<string | undefined> {
    const began = performance.now();
    const { memoryBytes } = this.#line;
    const silent = this.silent;
    let cpuMs: number | undefined;
    while (!(await within(endLookMs, this.#gone.promise))) {
      const waited = performance.now() - began;
      if (silent && this.#line.memoryBytes - memoryBytes > stuck.bytes) return "the memory of the process grows";
      // CPU time counts only from the moment when its process has begun to end it.
      if (this.#over || this.#hasLast) cpuMs ??= this.#cpuMs;
      const used = cpuMs === undefined ? 0 : (this.#cpuMs ?? cpuMs) - cpuMs;
      if (used >= stuck.cpuMs) return `it has used ${used} ms of CPU time since it was to end`;
      if (waited > (this.#cpuMs === undefined ? stuck.blindMs : stuck.mostMs))
        return `${Math.round(waited)} ms have gone`;
    }
    return undefined;
  }

  /** The CPU time that the thread has used; undefined: not known. */
  get #cpuMs(): number | undefined {
    return this.#systemId === 0 ? undefined : cpuMsOf(this.#line.pid, this.#systemId);
  }

  release(): void {
    this.#line.send(["release", this.number]);
    this.#forget();
  }

  received(bytes: Uint8Array): void {
    this.port.received(bytes);
  }

  /** Throws for a message that the protocol does not have. */
  receive([kind, , ...fields]: HostMessage) {
    switch (kind) {
      case "words":
        return this.words.report(fields[0]);
      case "sampled":
        return this.#sampled(fields);
      case "last":
        this.words.reportLast(fields[0], fields[1], fields[2]);
        this.#hasLast = true;
        return this.#last.resolve();
      case "ended":
        this.words.reportLast(fields[0], fields[1], fields[2]);
        return this.#ended(fields[3] === undefined ? undefined : errorOf(fields[3], fields[4]));
      case "gone":
        this.#ended(undefined);
        return this.#forget();
      case "flood":
        return this.port.listener?.flooded();
      case "stray":
        return this.port.listener?.stray();
      case "unreadable":
        return this.port.listener?.unreadable();
      default:
        throw new Error("a message that the protocol does not have");
    }
  }

  /** Ends the thread: its process has ended. */
  lost(error: Error): void {
    this.#ended(error);
    this.#forget();
  }

  #ended(error: Error | undefined): void {
    this.#over = true;
    this.#last.resolve();
    this.#end(error);
  }

  #forget(): void {
    this.#line.forget(this.number);
    this.#gone.resolve();
    this.#sampling?.resolve(undefined);
    this.#sampling = undefined;
    this.#asked = undefined;
  }

  #sampled([words, changed, ...figures]: readonly unknown[]) {
    const sampling = this.#sampling;
    this.#sampling = undefined;
    this.#asked = undefined;
    if (words === undefined) return sampling?.resolve(undefined);
    this.words.report(words);
    this.words.reportFigures(changed);
    const [cpuMs, heapBytes, externalBytes, idleMs, activeMs] = figures.map(figure);
    if (activeMs === undefined) throw new Error("a sample lacks figures");
    const sample = { cpuMs, heapBytes, externalBytes, idleMs, activeMs } as ThreadSample;
    const active = sample.activeMs - this.#loop.activeMs;
    const passed = active + sample.idleMs - this.#loop.idleMs;
    this.hot = active > hotShare * passed;
    this.cpuShare = this.#loop.cpuMs === 0 || passed <= 0 ? 0 : (sample.cpuMs - this.#loop.cpuMs) / passed;
    this.#loop = { idleMs: sample.idleMs, activeMs: sample.activeMs, cpuMs: sample.cpuMs };
    sampling?.resolve(sample);
  }
}

function figure(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw new Error("a sample is of numbers");
  return value;
}

function errorOf(message: unknown, code: unknown): Error {
  const error = new Error(String(message));
  return typeof code === "string" ? Object.assign(error, { code }) : error;
}
