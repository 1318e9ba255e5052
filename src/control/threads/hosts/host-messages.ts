/**
 * What control and a host process send each other about threads: lists `[kind, field, field, ...]` of JSON values. `thread` and `pool` are
 * numbers that control gives; `words` are `[heartbeat, logs, traces, turns, calls, collections asked for, 1: the last of them is done]`,
 * `effects` `[index, word, index, word, ...]` of those words of `Word.effects` that are not 0, `figures` the same of those figures
 * (shared/figures.ts) that have changed since they were sent last.
 *
 * To the host:
 * - pool: pool, options (a HostPoolOptions)
 * - boot: pool, thread; answered by `booted` or `notBooted`
 * - destroy: pool; answered by `destroyed`
 * - sample: thread; answered by `sampled`, when the thread can be asked
 * - terminate: thread; answered by `last` at once, and by `gone` when it is
 * - release: thread; it has ended by itself and is not looked at any more
 * - credits: thread, count
 * - stop: thread, slot
 * - collect: thread
 * - interest: the word of what somebody watches
 * - share: thread, memory number, the words as they are: it is there before the thread's next message
 * - shut: memory number: its session is over
 * - ping: answered by `pong`
 *
 * From the host:
 * - ready: it takes messages
 * - booted: thread, the operating system's id of the thread
 * - notBooted: thread, why, the code of an AppError if it was one
 * - destroyed: pool
 * - sampled: thread, words, figures, then cpuMs, heapBytes, externalBytes, idleMs, activeMs; or thread alone: it is gone
 * - words: thread, words; whenever they have changed, a few times in a second
 * - last: thread, words, effects, figures
 * - ended: thread, words, effects, figures, then the message and the code of its error, if it ended with one
 * - gone: thread
 * - flood: thread
 * - stray: thread
 * - unreadable: thread
 * - counted: memory number, [index, by how much, ...]; ahead of the messages of whoever has counted
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
  /** URL of the module that its threads run. */
  readonly entry: string;
  /** Messages of one thread in one turn. */
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
