/**
 * A host process: boots the threads that control asks for, passes messages between their ports and the one connection to
 * control, and reports what test sessions have counted.
 */

import type { Socket } from "node:net";
import { AppError } from "../../shared/errors.ts";
import { MockWord } from "../../shared/mock.ts";
import type { HostMessage, HostPoolOptions } from "../threads/hosts/host-messages.ts";
import { HostSocket, type HostSocketListener } from "../threads/hosts/host-socket.ts";
import { WorkerPool } from "../threads/local/worker-pool.ts";
import { RelayedThread } from "./relayed-thread.ts";

/** Time between two looks at the shared words of all threads, in milliseconds. */
const lookMs = 50;

interface RelayedPool {
  readonly pool: WorkerPool;
  readonly floodMessages: number;
}

export class Relay {
  readonly #socket: HostSocket;
  readonly #memories: CountedMemories;
  readonly #pools = new Map<number, RelayedPool>();
  readonly #threads = new Map<number, RelayedThread>();
  readonly #interest = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  /** `closed` is called when control has closed the connection, or violates the protocol. */
  constructor(line: Socket, closed: (why: string | undefined) => void) {
    const listener: HostSocketListener = {
      frame: (thread, bytes) => this.#threads.get(thread)?.post(bytes),
      message: (message) => this.#receive(message),
      drained: () => this.#noteTaken(),
      closed,
    };
    // Each message of a thread arrives in a separate tick: those of a turn are sent together, whatever has begun the turn, after the counts of that turn.
    this.#socket = new HostSocket(line, listener, (leave) => {
      setImmediate(() => {
        this.#memories.report();
        leave();
        this.#noteTaken();
      });
    });
    this.#memories = new CountedMemories(this.#socket);
    setInterval(() => this.#look(), lookMs);
    this.#socket.send(["ready"]);
  }

  #receive(message: HostMessage): void {
    const [kind, number, ...fields] = message as [string, number, ...unknown[]];
    switch (kind) {
      case "pool":
        this.#makePool(number, fields[0] as HostPoolOptions);
        return;
      case "boot":
        void this.#boot(number, fields[0] as number);
        return;
      case "destroy":
        void this.#destroy(number);
        return;
      case "ping":
        this.#socket.send(["pong"]);
        return;
      case "interest":
        Atomics.store(new Int32Array(this.#interest), 0, number);
        return;
      case "share": {
        const [memory, words] = fields as [number, number[]];
        this.#threads.get(number)?.share(memory, this.#memories.get(memory, words));
        return;
      }
      case "shut":
        this.#memories.shut(number);
        return;
      default:
        this.#receiveFor(kind, number, fields);
    }
  }

  #receiveFor(kind: string, number: number, fields: readonly unknown[]): void {
    const thread = this.#threads.get(number);
    if (thread === undefined) {
      // The thread ended while this message was on its way.
      if (kind === "sample") this.#socket.send(["sampled", number]);
      if (kind === "terminate") this.#socket.sendLast(["gone", number]);
      return;
    }
    switch (kind) {
      case "sample":
        void thread.sample();
        return;
      case "terminate":
        void thread.terminate().finally(() => this.#threads.delete(number));
        return;
      case "release":
        thread.release();
        this.#threads.delete(number);
        return;
      case "credits":
        thread.giveCredits(fields[0] as number);
        return;
      case "stop":
        thread.stop(fields[0] as number);
        return;
      case "collect":
        thread.collect();
        return;
      default:
        throw new Error(`there is no message '${kind}'`);
    }
  }

  #makePool(number: number, { entry, floodMessages, ...options }: HostPoolOptions): void {
    const pool = new WorkerPool({ ...options, entry: new URL(entry), interest: this.#interest, packed: true });
    this.#pools.set(number, { pool, floodMessages });
  }

  async #boot(number: number, thread: number): Promise<void> {
    try {
      const relayed = this.#pools.get(number);
      if (relayed === undefined) throw new Error("the pool has been ended");
      const booted = await relayed.pool.boot();
      this.#threads.set(thread, new RelayedThread(thread, booted, this.#socket, relayed.floodMessages));
      this.#socket.send(["booted", thread, booted.systemId]);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#socket.send(["notBooted", thread, why, error instanceof AppError ? error.code : ""]);
    }
  }

  async #destroy(number: number): Promise<void> {
    const relayed = this.#pools.get(number);
    this.#pools.delete(number);
    await relayed?.pool.destroy();
    this.#socket.send(["destroyed", number]);
  }

  #noteTaken(): void {
    if (this.#socket.choked) return;
    const { user, system } = process.threadCpuUsage();
    const now = performance.now();
    for (const thread of this.#threads.values()) thread.noteTaken(now, (user + system) / 1000);
  }

  #look(): void {
    this.#memories.report();
    for (const thread of this.#threads.values()) thread.reportWords();
  }
}

/** A session that is over counts for a moment longer; control forgets it after the same time. */
const keptMs = 10_000;

interface Counted {
  readonly memory: SharedArrayBuffer;
  readonly words: Int32Array;
  /** The counts that were reported last. */
  readonly reported: Int32Array;
}

/**
 * The counters of test sessions in this process. What threads have counted is reported to control ahead of the messages that they sent
 * meanwhile.
 */
class CountedMemories {
  readonly #socket: HostSocket;
  readonly #memories = new Map<number, Counted>();

  constructor(socket: HostSocket) {
    this.#socket = socket;
  }

  /** Returns the memory of a session. `words`: control's counts, for a session that is not here yet. */
  get(number: number, words: readonly number[]): SharedArrayBuffer {
    const found = this.#memories.get(number);
    if (found !== undefined) return found.memory;
    const memory = new SharedArrayBuffer(words.length * Int32Array.BYTES_PER_ELEMENT);
    const counted = { memory, words: new Int32Array(memory), reported: Int32Array.from(words) };
    counted.words.set(words);
    this.#memories.set(number, counted);
    return memory;
  }

  /** Closes a session: its mocks answer no more calls. */
  shut(number: number): void {
    const counted = this.#memories.get(number);
    if (counted === undefined) return;
    Atomics.store(counted.words, MockWord.open, 0);
    setTimeout(() => this.#memories.delete(number), keptMs).unref();
  }

  /** Reports what was counted since the last report. */
  report(): void {
    for (const [number, { words, reported }] of this.#memories) {
      const counts: number[] = [];
      for (let i = MockWord.open + 1; i < words.length; i += 1) {
        const now = Atomics.load(words, i);
        const by = now - (reported[i] as number);
        if (by <= 0) continue;
        reported[i] = now;
        counts.push(i, by);
      }
      if (counts.length > 0) this.#socket.send(["counted", number, counts]);
    }
  }
}
