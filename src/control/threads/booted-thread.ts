/**
 * A booted thread as its flow's end in control meets it, wherever it runs: in this process (local-thread.ts), or in a host process.
 * Everything that control does to a thread goes through here.
 */

/** What arrives of a thread. A listener must not throw. */
export interface ThreadListener {
  /** A message on the port, as from a stranger: nothing of it has been looked at. */
  message(frames: unknown): void;
  /** A message that cannot be received. */
  unreadable(): void;
  /** A message beside the port: no thread of ours sends one. */
  stray(): void;
  /** `choked` was true, and is not any more. */
  room(): void;
  /** The place that it runs in is to be given up: another thread should take over from it soon. */
  leave(): void;
  /** It has sent more than can be read, and was cut off where it runs. */
  flooded(): void;
  /** It has runs. */
  busy(): boolean;
}

export interface BootedPort {
  listen(listener: ThreadListener): void;
  post(frames: readonly unknown[]): void;
  /** More is on its way to the thread than should be: what can wait should wait for `room`. */
  readonly choked: boolean;
  close(): void;
}

/** The memory that a thread shares with control, or with its host process (shared/protocol.ts, `Word`). Of a thread in a host process: as it was told last. */
export interface ThreadWords {
  /** The slot of the run whose step was entered last, -1: none yet. */
  readonly heartbeat: number;
  readonly logs: number;
  readonly traces: number;
  readonly turns: number;
  readonly calls: number;
  /** What it writes about its runs (shared/figures.ts). */
  readonly figures: Int32Array;
  /** The run in this slot has done something that a second run would do again, or it is not known whether it has. */
  hadEffect(slot: number): boolean;
  /** A run is about to be given to the thread in this slot: what the one before did is not its doing. */
  beginSlot(slot: number): void;
  /** So many more log and trace events may be sent. */
  giveCredits(count: number): void;
  /** The run in this slot is to end before its next step, even if its thread reads no messages; -1: none is. */
  stop(slot: number): void;
  /** Asks for a garbage collection; `collected` is false until it has been done. */
  collect(): void;
  readonly collected: boolean;
}

/** What a thread has used, told without its cooperation. */
export interface ThreadSample {
  /** CPU time since its boot. */
  readonly cpuMs: number;
  readonly heapBytes: number;
  /** Array buffers, WebAssembly memories and long texts outside of the heap. */
  readonly externalBytes: number;
  /** Of the event loop since its boot, in ms: a loop that is stuck has no idle time. */
  readonly idleMs: number;
  readonly activeMs: number;
}

/** The cheap part of a sample: it costs no turn of another loop. undefined: not known here (a host process tells whole samples only). */
export type LoopTimes = Pick<ThreadSample, "idleMs" | "activeMs">;

export interface BootedThread {
  /** Told in run records and trace events; no other thread has it. */
  readonly number: number;
  readonly port: BootedPort;
  readonly words: ThreadWords;
  /** Settles when the attachment is over, however it ended; never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Its event loop's times so far; undefined: only a whole sample tells. */
  loop(): LoopTimes | undefined;
  /** May take as long as native code that the thread is in, or for ever: who asks gives up by itself. Never rejects; undefined: it is gone. */
  sample(): Promise<ThreadSample | undefined>;
  /**
   * By how much the memory of its process has grown since a sample was asked for that has not come, while this thread has used the CPU;
   * 0 where a thread is not the only one that it may be.
   */
  grownBytes(): number;
  /**
   * Its priority for the operating system, from -20 to 19, the main thread's being 0. false: it cannot be set (not Linux, or raised
   * without the right to); what it was stays.
   */
  setNice(nice: number): boolean;
  /** Of a thread that is being killed: resolves when `words` are its last, at once if they are shared memory. */
  lastWords(): Promise<void> | undefined;
  /** Ends the thread at once, and its pool with it if that has no other thread. Resolves when it is gone, which native code delays. */
  terminate(): Promise<void>;
  /** To be called when its attachment has ended by itself: ends its pool if that has no other thread. */
  release(): void;
}

/** Threads of one kind, for one flow. One Piscina pool, wherever it is. */
export interface ThreadPool {
  /** Rejects when no thread says hello in time. */
  boot(): Promise<BootedThread>;
  /** Ends all its threads at once; waits for those that can be, not for those in native code. */
  destroy(): Promise<void>;
}

export interface ThreadPoolOptions {
  readonly eventCredits: number;
  /** Hard limit of V8's heap. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** true: its threads have the network. */
  readonly network: boolean;
  /** Present: its threads read and write in this directory. */
  readonly files?: string | undefined;
  /** Time for a thread's hello. */
  readonly bootMs: number;
}

/** Where threads are made: this process, or a host process. */
export interface ThreadPlace {
  pool(options: ThreadPoolOptions): ThreadPool;
}
