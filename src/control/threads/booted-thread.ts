/**
 * A booted thread as control uses it, wherever it runs: in this process (local-thread.ts), or in a host process (remote-thread.ts).
 * Everything that control does to a thread goes through this interface.
 */

/** Receives what a thread sends, and what becomes of it. A listener must not throw. */
export interface ThreadListener {
  /** A message on the port, not validated in any way. */
  message(frames: unknown): void;
  /** A message that cannot be deserialized. */
  unreadable(): void;
  /** A message that did not come by the port. Threads of the runtime send none, so it is the flow's. */
  stray(): void;
  /** Called when `choked` becomes false. */
  room(): void;
  /** Its host process is being given up: another thread should replace this one soon. */
  leave(): void;
  /** Its host process has cut it off, since it sent more than can be read. */
  flooded(): void;
  /** Returns whether it has runs. */
  busy(): boolean;
}

export interface BootedPort {
  listen(listener: ThreadListener): void;
  post(frames: readonly unknown[]): void;
  /** How many messages were posted. */
  readonly posts: number;
  /** true: too many bytes are on their way to the thread. Whatever can wait should wait for `room`. */
  readonly choked: boolean;
  close(): void;
}

/** The memory that a thread shares with control, or with its host process (shared/protocol.ts, `Word`). For a thread in a host process: as of its last report. */
export interface ThreadWords {
  /** The slot of the run whose step was entered last; -1: none yet. */
  readonly heartbeat: number;
  readonly logs: number;
  readonly traces: number;
  readonly turns: number;
  readonly calls: number;
  /** The figures of its runs (shared/figures.ts). */
  readonly figures: Int32Array;
  /** Whether the run in this slot may have had an effect that running it again would repeat. */
  hadEffect(slot: number): boolean;
  /** Clears the effect mark of the slot before a new run gets it. */
  beginSlot(slot: number): void;
  /** Lets the thread send `count` more log and trace events. */
  giveCredits(count: number): void;
  /** Stops the run in this slot before its next step, even if its thread reads no messages; -1: stops none. */
  stop(slot: number): void;
  /** Asks for a garbage collection; `collected` is false until it has been done. */
  collect(): void;
  readonly collected: boolean;
}

/** What a thread has used, measured without its cooperation. */
export interface ThreadSample {
  /** CPU time since its boot. */
  readonly cpuMs: number;
  readonly heapBytes: number;
  /** The bytes of array buffers, WebAssembly memories and long texts outside of the heap. */
  readonly externalBytes: number;
  /** Idle time of the event loop since its boot, in ms: a loop that is stuck has none. */
  readonly idleMs: number;
  readonly activeMs: number;
}

/** The part of a sample that is available at once, without a turn of the thread's event loop. */
export type LoopTimes = Pick<ThreadSample, "idleMs" | "activeMs">;

export interface BootedThread {
  /** The thread's number in run records and trace events; no other thread has it. */
  readonly number: number;
  readonly port: BootedPort;
  readonly words: ThreadWords;
  /** Resolves when the attachment is over, with its error if it had one; never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Returns its event loop's times so far; undefined: they are only in samples, as for a thread in a host process. */
  loop(): LoopTimes | undefined;
  /** Takes a sample. It may never settle while the thread is in native code, so callers need a time limit. Never rejects; undefined: the thread is gone. */
  sample(): Promise<ThreadSample | undefined>;
  /**
   * Returns by how many bytes the memory of its process has grown since the request of a sample that is still missing, if this thread has used
   * the CPU meanwhile; 0 where the growth cannot be ascribed to one thread.
   */
  grownBytes(): number;
  /**
   * Sets its priority in the operating system, from -20 to 19; the main thread has 0. Returns false when it cannot be set, and stays as it
   * was: not on Linux, or raised without the right to.
   */
  setNice(nice: number): boolean;
  /** For a thread that is being killed: resolves when `words` are final. undefined: they are final already, as shared memory is. */
  lastWords(): Promise<void> | undefined;
  /** Ends the thread at once, and its pool with it if that has no other thread. Resolves when it is gone, which native code delays. */
  terminate(): Promise<void>;
  /** Call it when its attachment has ended by itself: ends its pool if that has no other thread. */
  release(): void;
}

/** Threads of one kind, for one flow: one Piscina pool, in this process or in a host process. */
export interface ThreadPool {
  /** Boots a thread. Rejects when its hello does not arrive in time. */
  boot(): Promise<BootedThread>;
  /** Ends all its threads at once. Does not wait for threads in native code, which cannot be interrupted. */
  destroy(): Promise<void>;
}

export interface ThreadPoolOptions {
  readonly eventCredits: number;
  /** The hard limit of V8's heap. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** true: its threads may use the network. */
  readonly network: boolean;
  /** Its threads may read and write in this directory; absent: they have no files. */
  readonly files?: string | undefined;
  /** The time within which a thread's hello has to arrive. */
  readonly bootMs: number;
}

/** Where threads are made: this process, or a host process. */
export interface ThreadPlace {
  pool(options: ThreadPoolOptions): ThreadPool;
}

/** Takes a sample that is requested after the call: one that was requested before may be answered already. */
export async function sampleAfresh(thread: BootedThread): Promise<ThreadSample | undefined> {
  await thread.sample();
  return await thread.sample();
}
