/** A thread of a host process, at control's end. */
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import type { BootedThread, ThreadSample } from "../booted-thread.ts";
import { within } from "../within.ts";
import type { HostLine } from "./host-line.ts";
import type { HostMessage } from "./host-messages.ts";
import { RemotePort } from "./remote-port.ts";
import { RemoteWords } from "./remote-words.ts";

/** So long a run that was lost waits to hear whether it has had an effect. */
const lastWordsMs = 250;
/** A thread that has not ended by then is in native code, which nothing but the end of its process ends. */
const terminateMs = 2000;
/** Without a sign of life for so long a busy thread may be the one that its process died of. */
const silentMs = 60;

interface Parts {
  readonly number: number;
  /** Of the operating system; 0: unknown. */
  readonly systemId: number;
  readonly line: HostLine;
}

export class RemoteThread implements BootedThread {
  readonly number: number;
  readonly port: RemotePort;
  readonly words: RemoteWords;
  readonly ended: Promise<Error | undefined>;
  readonly #line: HostLine;
  readonly #systemId: number;
  #end: (error: Error | undefined) => void = () => {};
  /** Its attachment is over. */
  #over = false;
  readonly #gone = Promise.withResolvers<void>();
  readonly #last = Promise.withResolvers<void>();
  #sampling: PromiseWithResolvers<ThreadSample | undefined> | undefined;
  #heardAt = performance.now();

  constructor({ number, systemId, line }: Parts) {
    this.number = number;
    this.#line = line;
    this.#systemId = systemId;
    this.words = new RemoteWords(number, (message) => line.tell(message));
    this.port = new RemotePort(number, line);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** It has runs, and has not been heard of since they came. */
  get stuck(): boolean {
    return this.busy && performance.now() - this.#heardAt > silentMs;
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
      this.#line.tell(["sample", this.number]);
    }
    return this.#sampling.promise;
  }

  setNice(nice: number): boolean {
    // The process has told the id: only one of its own threads is meant.
    if (this.#systemId === 0 || this.#systemId === this.#line.pid || this.#line.over) return false;
    try {
      if (!existsSync(`/proc/${this.#line.pid}/task/${this.#systemId}`)) return false;
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
    this.#line.tell(["terminate", this.number]);
    if (await within(terminateMs, this.#gone.promise)) return;
    this.#line.leave(`a thread of it did not end within ${terminateMs} ms`);
    await this.#gone.promise;
  }

  release(): void {
    this.#line.tell(["release", this.number]);
    this.#forget();
  }

  received(bytes: Uint8Array): void {
    this.#heardAt = performance.now();
    this.port.received(bytes);
  }

  /** Throws for a message that the protocol does not have. */
  told([kind, , ...fields]: HostMessage) {
    switch (kind) {
      case "words":
        this.#heardAt = performance.now();
        return this.words.told(fields[0]);
      case "sampled":
        return this.#sampled(fields);
      case "last":
        this.words.toldLast(fields[0], fields[1]);
        return this.#last.resolve();
      case "ended":
        this.words.toldLast(fields[0], fields[1]);
        return this.#ended(fields[2] === undefined ? undefined : errorOf(fields[2], fields[3]));
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

  /** The process is gone. */
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
  }

  #sampled([words, ...figures]: readonly unknown[]) {
    const sampling = this.#sampling;
    this.#sampling = undefined;
    if (words === undefined) return sampling?.resolve(undefined);
    this.words.told(words);
    const [cpuMs, heapBytes, externalBytes, idleMs, activeMs] = figures.map(figure);
    if (activeMs === undefined) throw new Error("a sample lacks figures");
    const sample = { cpuMs, heapBytes, externalBytes, idleMs, activeMs } as ThreadSample;
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
