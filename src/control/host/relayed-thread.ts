/**
 * A thread as its host process sees it: its messages are passed to control without being parsed, and control's requests are carried out.
 */
import { figureWords } from "../../shared/figures.ts";
import { manyFields } from "../../shared/outbox.ts";
import { type Packed, textMark } from "../../shared/packed.ts";
import { effectSlots, Word } from "../../shared/protocol.ts";
import type { ReportedWords } from "../threads/hosts/host-messages.ts";
import type { HostSocket } from "../threads/hosts/host-socket.ts";
import { messagesOfRun } from "../threads/line/flood-breaker.ts";
import type { LocalThread } from "../threads/local/local-thread.ts";

/** The most bytes of a thread's messages that may wait for control. */
const mostWaitingBytes = 128 * 1024 * 1024;
/** From this size on bytes are transferred and not copied. */
const transferredBytes = 16 * 1024;

/**
 * Messages are counted for so much CPU time of this process's main thread, in which an honest thread sends far fewer
 * than a flood: where the CPU is short a flood is slow, too, and by the clock it would not show. Their bytes are
 * counted by the clock, since passing large messages takes little CPU time.
 */
const countMs = 100;
/**
 * The most runs in a message to the thread. It may answer each of them: an honest thread sends in proportion to what it
 * receives.
 */
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
  #reportedWords: ReportedWords | undefined;
  /** The figures that were sent last. */
  readonly #reportedFigures = new Int32Array(figureWords);
  #cutOff = false;

  constructor(number: number, thread: LocalThread, socket: HostSocket, floodMessages: number) {
    this.#number = number;
    this.#thread = thread;
    this.#socket = socket;
    this.#floodMessages = floodMessages;
    thread.port.listen({
      message: (bytes) => this.#relay(bytes),
      unreadable: () => socket.sendLast(["unreadable", number]),
      stray: () => socket.sendLast(["stray", number]),
      room() {},
      leave() {},
      flooded() {},
      busy: () => false,
    });
    // One turn later: messages that the thread posted before its end are still on their way.
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

  /** Gives the thread the memory that its next message needs. */
  share(memory: number, words: SharedArrayBuffer): void {
    this.#thread.port.give([memory, words], []);
  }

  async sample(): Promise<void> {
    const sample = await this.#thread.sample();
    const { cpuMs, heapBytes, externalBytes, idleMs, activeMs } = sample ?? {};
    const figures = [cpuMs, heapBytes, externalBytes, idleMs, activeMs];
    // Node answers -1, or nothing, for some of them when the thread is ending.
    const whole = figures.every((figure) => figure !== undefined && Number.isFinite(figure) && figure >= 0);
    this.#socket.send(["sampled", this.#number, ...(whole ? [this.#words(), this.#figures(), ...figures] : [])]);
  }

  async terminate(): Promise<void> {
    this.#cutOff = true;
    const gone = this.#thread.terminate();
    this.#socket.send(["last", this.#number, this.#words(), this.#effects(), this.#figures()]);
    await gone;
    this.#socket.sendLast(["gone", this.#number]);
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

  /** Reports the thread's words, if they have changed. */
  reportWords(): void {
    const words = this.#words();
    const reported = this.#reportedWords;
    if (reported !== undefined && words.every((word, i) => word === reported[i])) return;
    this.#reportedWords = words;
    this.#socket.send(["words", this.#number, words]);
  }

  /** Called when control has taken what was sent. `cpuMs`: CPU time of this process's main thread. */
  noteTaken(now: number, cpuMs: number): void {
    // Passing a message on takes as long as sending it, so within one turn a flood would not show.
    if (cpuMs - this.#countedFrom >= countMs) {
      this.#countedFrom = cpuMs;
      this.#messages = 0;
    }
    if (now - this.#weighedFrom >= countMs) {
      this.#weighedFrom = now;
      this.#bytes = 0;
    }
  }

  /**
   * Passes a message on, within the same limits as for a thread in control's process: so many messages at a time, which here
   * means until control has read them.
   */
  #relay(message: unknown): void {
    if (this.#cutOff) return;
    if (typeof message !== "string" && !(message instanceof Uint8Array)) {
      this.#socket.sendLast(["unreadable", this.#number]);
      return;
    }
    this.#messages += 1;
    this.#bytes += message.length;
    if (this.#messages > this.#floodMessages || this.#bytes > mostWaitingBytes) {
      this.#cutOff = true;
      this.#thread.port.close();
      void this.#thread.terminate();
      this.#socket.send(["flood", this.#number]);
      return;
    }
    this.#socket.post(this.#number, message as Packed);
  }

  #ended(error: (Error & { readonly code?: unknown }) | undefined): void {
    const why = error === undefined ? [] : [error.message.slice(0, 4000), String(error.code ?? "")];
    this.#socket.sendLast(["ended", this.#number, this.#words(), this.#effects(), this.#figures(), ...why]);
  }

  #words(): ReportedWords {
    const { heartbeat, logs, traces, turns, calls, collected } = this.#thread.words;
    return [heartbeat, logs, traces, turns, calls, this.#collections, collected ? 1 : 0];
  }

  #figures(): number[] {
    const { figures } = this.#thread.words;
    const changed: number[] = [];
    for (let index = 0; index < figures.length; index += 1) {
      const figure = Atomics.load(figures, index);
      if (figure === this.#reportedFigures[index]) continue;
      this.#reportedFigures[index] = figure;
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
