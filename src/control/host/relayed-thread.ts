/** A thread as its host process has it: its messages go on to control unread, and what control asks of it is done. */
import { figureWords } from "../../shared/figures.ts";
import { manyFields } from "../../shared/outbox.ts";
import { type Packed, textMark } from "../../shared/packed.ts";
import { effectSlots, Word } from "../../shared/protocol.ts";
import { messagesOfRun } from "../threads/flood-breaker.ts";
import type { ToldWords } from "../threads/hosts/host-messages.ts";
import type { HostSocket } from "../threads/hosts/host-socket.ts";
import type { LocalThread } from "../threads/local-thread.ts";

/** What control has not taken of a thread's messages. */
const mostWaitingBytes = 128 * 1024 * 1024;
/** From here on bytes are handed over in place of being copied. */
const transferredBytes = 16 * 1024;

/**
 * Messages are counted for so much CPU time of this process's main thread, in which an honest thread sends far fewer than a flood's:
 * where the CPU is short a flood is slow, too, and by the clock it would be none. Their bytes are counted by the clock: to hand on what
 * is large takes little CPU time.
 */
const countMs = 100;
/** A message to the thread has so many runs at the most, which it may answer one by one: an honest thread sends in proportion to what it is sent. */
const mostRuns = manyFields / 8;

export class RelayedThread {
  readonly #number: number;
  readonly #thread: LocalThread;
  readonly #socket: HostSocket;
  readonly #floodMessages: number;
  #countedFrom = 0;
  #weighedFrom = 0;
  #messages = 0;
  #bytes = 0;
  #collections = 0;
  #told: ToldWords | undefined;
  /** The figures as they were sent last. */
  readonly #toldFigures = new Int32Array(figureWords);
  #cutOff = false;

  /** `counted`: it may have counted something of a session. */
  constructor(number: number, thread: LocalThread, socket: HostSocket, floodMessages: number, counted: () => void) {
    this.#number = number;
    this.#thread = thread;
    this.#socket = socket;
    this.#floodMessages = floodMessages;
    thread.port.listen({
      message: (bytes) => {
        counted();
        this.#relay(bytes);
      },
      unreadable: () => socket.tellLast(["unreadable", number]),
      stray: () => socket.tellLast(["stray", number]),
      room() {},
      leave() {},
      flooded() {},
      busy: () => false,
    });
    // What it posted before its end is on its way still.
    void thread.ended.then((error) => setImmediate(() => this.#ended(error)));
  }

  post(bytes: Buffer): void {
    this.#messages = Math.max(0, this.#messages - mostRuns * messagesOfRun);
    const { port } = this.#thread;
    if (bytes[0] === textMark) port.give(bytes.toString(), []);
    else {
      const own = new Uint8Array(bytes);
      port.give(own, own.length >= transferredBytes ? [own.buffer] : []);
    }
  }

  /** Its next message needs this memory. */
  share(memory: number, words: SharedArrayBuffer): void {
    this.#thread.port.give([memory, words], []);
  }

  async sample(): Promise<void> {
    const sample = await this.#thread.sample();
    const { cpuMs, heapBytes, externalBytes, idleMs, activeMs } = sample ?? {};
    const figures = [cpuMs, heapBytes, externalBytes, idleMs, activeMs];
    // Of a thread that is ending Node answers -1, or nothing, for some of them.
    const whole = figures.every((figure) => figure !== undefined && Number.isFinite(figure) && figure >= 0);
    this.#socket.tell(["sampled", this.#number, ...(whole ? [this.#words(), this.#figures(), ...figures] : [])]);
  }

  async terminate(): Promise<void> {
    this.#cutOff = true;
    const gone = this.#thread.terminate();
    this.#socket.tell(["last", this.#number, this.#words(), this.#effects(), this.#figures()]);
    await gone;
    this.#socket.tellLast(["gone", this.#number]);
  }

  release(): void {
    this.#cutOff = true;
    this.#thread.release();
  }

  giveCredits(count: number): void {
    this.#thread.words.giveCredits(count);
  }

  stop(slot: number): void {
    this.#thread.words.stop(slot);
  }

  collect(): void {
    this.#collections += 1;
    this.#thread.words.collect();
  }

  /** Its words, if they have changed. */
  tellWords(): void {
    const words = this.#words();
    const told = this.#told;
    if (told !== undefined && words.every((word, i) => word === told[i])) return;
    this.#told = words;
    this.#socket.tell(["words", this.#number, words]);
  }

  /** Control has taken what was sent. `cpuMs`: of this process's main thread. */
  taken(now: number, cpuMs: number): void {
    // To hand a message on takes as long as to send it: within a turn they may never be too many.
    if (cpuMs - this.#countedFrom >= countMs) {
      this.#countedFrom = cpuMs;
      this.#messages = 0;
    }
    if (now - this.#weighedFrom >= countMs) {
      this.#weighedFrom = now;
      this.#bytes = 0;
    }
  }

  /** Much as of a thread in control's own process: so many messages at a time, which lasts here until control has read them. */
  #relay(message: unknown): void {
    if (this.#cutOff) return;
    if (typeof message !== "string" && !(message instanceof Uint8Array)) {
      this.#socket.tellLast(["unreadable", this.#number]);
      return;
    }
    this.#messages += 1;
    this.#bytes += message.length;
    if (this.#messages > this.#floodMessages || this.#bytes > mostWaitingBytes) {
      this.#cutOff = true;
      this.#thread.port.close();
      void this.#thread.terminate();
      this.#socket.tell(["flood", this.#number]);
      return;
    }
    this.#socket.post(this.#number, message as Packed);
  }

  #ended(error: (Error & { readonly code?: unknown }) | undefined): void {
    const why = error === undefined ? [] : [error.message.slice(0, 4000), String(error.code ?? "")];
    this.#socket.tellLast(["ended", this.#number, this.#words(), this.#effects(), this.#figures(), ...why]);
  }

  #words(): ToldWords {
    const { heartbeat, logs, traces, turns, calls, collected } = this.#thread.words;
    return [heartbeat, logs, traces, turns, calls, this.#collections, collected ? 1 : 0];
  }

  #figures(): number[] {
    const { figures } = this.#thread.words;
    const changed: number[] = [];
    for (let index = 0; index < figures.length; index += 1) {
      const figure = Atomics.load(figures, index);
      if (figure === this.#toldFigures[index]) continue;
      this.#toldFigures[index] = figure;
      changed.push(index, figure);
    }
    return changed;
  }

  #effects(): number[] {
    const words = new Int32Array(
      this.#thread.words.memory,
      Word.effects * Int32Array.BYTES_PER_ELEMENT,
      effectSlots / 32,
    );
    return [...words.entries()].flatMap(([index, word]) => (word === 0 ? [] : [index, word]));
  }
}
