/**
 * The messages about threads between control and a host process: lists `[kind, field, field, ...]` of JSON values. `thread` and `pool` are
 * numbers that control assigns; `words` are `[heartbeat, logs, traces, turns, calls, collections asked for, 1: the last of them is done]`,
 * `effects` are `[index, word, index, word, ...]` for the words of `Word.effects` that are not 0, `figures` the same for the figures
 * (shared/figures.ts) that have changed since the last message.
 *
 * To the host:
 * - pool: pool, options (a HostPoolOptions)
 * - boot: pool, thread; answered by `booted` or `notBooted`
 * - destroy: pool; answered by `destroyed`
 * - sample: thread; answered by `sampled`, once the thread responds
 * - terminate: thread; answered by `last` at once, and by `gone` when the thread has ended
 * - release: thread; it has ended by itself, and the process drops it
 * - credits: thread, count
 * - stop: thread, slot
 * - collect: thread
 * - interest: the bits of `Interest`, the events that subscribers need
 * - share: thread, memory number, its current words: the thread gets that memory before its next message
 * - shut: memory number; its session is over
 * - ping: answered by `pong`
 *
 * From the host:
 * - ready: the process accepts messages
 * - booted: thread, the operating system's id of the thread
 * - notBooted: thread, message, the code if the error is an AppError
 * - destroyed: pool
 * - sampled: thread, words, figures, then cpuMs, heapBytes, externalBytes, idleMs, activeMs; or only thread: it is gone
 * - words: thread, words; sent a few times in a second when they have changed
 * - last: thread, words, effects, figures
 * - ended: thread, words, effects, figures, then the message and the code of its error, if it ended with one
 * - gone: thread
 * - flood: thread; it sent more than can be passed on, and was cut off
 * - stray: thread; it sent a message beside its port
 * - unreadable: thread; it sent what cannot be passed on
 * - counted: memory number, [index, increment, ...]; sent ahead of the messages of the threads that have counted
 * - pong
 */
export type HostMessage = readonly unknown[];

export interface HostPoolOptions {
  readonly eventCredits: number;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly network: boolean;
  readonly files?: string | undefined;
  readonly bootMs: number;
  /** The URL of the module that its threads run. */
  readonly entry: string;
  /** The most messages of one thread in one turn. */
  readonly floodMessages: number;
}

/** See `words` above. */
export type ReportedWords = readonly [
  heartbeat: number,
  logs: number,
  traces: number,
  turns: number,
  calls: number,
  asked: number,
  collected: number,
];
