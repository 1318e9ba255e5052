/** The end of a host process: why it has ended, whom that is blamed on, and what it printed last. */

import type { Readable } from "node:stream";
import type { RemoteThread } from "./remote-thread.ts";

const keptLines = 8;
const lineCharacters = 500;
/** Lines that are logged in a second; the others are counted. */
const linesPerSecond = 20;

/** The process that a thread was in has ended, and the thread with it. */
export class HostEnded extends Error {
  readonly #suspects: ReadonlySet<number>;

  /** `suspects`: the numbers of the threads of which one may have ended the process; the others are known not to have. */
  constructor(message: string, suspects: ReadonlySet<number>) {
    super(message);
    this.name = "HostEnded";
    this.#suspects = suspects;
  }

  blames(thread: number): boolean {
    return this.#suspects.has(thread);
  }
}

interface End {
  readonly pid: number;
  /** Its signal or exit code. */
  readonly how: string;
  /** Its resident memory when it was last looked at; 0: it never was. */
  readonly memoryBytes: number;
  /** Why it was killed; undefined: it was not. */
  readonly why: string | undefined;
  /** What it printed last; empty: nothing. */
  readonly last: string;
}

/** Returns a sentence for the log and for the records of the runs that were lost with the process. */
export function describeEnd({ pid, how, memoryBytes, why, last }: End): string {
  const memory = memoryBytes === 0 ? "" : `, ${Math.round(memoryBytes / 2 ** 20)} MiB when it was last looked at`;
  const reason = why === undefined ? "" : `: ${why}`;
  return `process ${pid} ended with ${how}${memory}${reason}${last === "" ? "" : `; it printed: ${last}`}`;
}

/**
 * Returns the numbers of the threads that the end of their process may be the fault of. A suspect has runs. A thread that has stopped
 * answering was in the middle of something; if there is none, the suspects are those that were busy when they last answered, or were sent
 * something after that. On a busy machine a thread that only waits is late to answer, too, and its loop seems busy: the CPU time that
 * each has used parts them. A process that was given up has ended for a thread that is known.
 */
export function suspects(threads: readonly RemoteThread[]): ReadonlySet<number> {
  const busy = threads.filter((thread) => thread.busy);
  const silent = busy.filter((thread) => thread.silent && !thread.waits);
  const longest = Math.max(0, ...silent.map(({ silentForMs }) => silentForMs));
  const hot = busy.filter((thread) => thread.hot);
  const most = Math.max(0, ...hot.map(({ usedMs }) => usedMs));
  const found = [
    silent.filter(({ silentForMs }) => silentForMs >= longest / 2),
    busy.filter((thread) => wasSent(thread) || (thread.hot && thread.usedMs >= most / 2)),
    busy,
  ];
  return new Set(found.find(({ length }) => length > 0)?.map(({ number }) => number));
}

/** Whether it may have read what it was sent since it was asked: one that is silent and has not run since then has not. */
function wasSent(thread: RemoteThread): boolean {
  return thread.sentSince && !(thread.silent && thread.waits);
}

/** What a host process prints: nothing of ours does, so it is Node or V8 that has something to report, often its last words. */
export class HostOutput {
  readonly #log: (line: string) => void;
  readonly #last: string[] = [];
  #second = 0;
  #logged = 0;
  #dropped = 0;

  constructor(streams: readonly (Readable | null)[], log: (line: string) => void) {
    this.#log = log;
    for (const stream of streams) if (stream !== null) this.#read(stream);
  }

  /** What the process printed last, in one line; "" for nothing. */
  get last(): string {
    return this.#last.join(" | ").slice(0, keptLines * lineCharacters);
  }

  #read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8").on("data", (part: string) => {
      const lines = (rest + part).split("\n");
      rest = (lines.pop() ?? "").slice(0, lineCharacters);
      for (const line of lines) this.#line(line);
    });
    stream.on("end", () => this.#line(rest));
    stream.on("error", () => {});
  }

  #line(text: string): void {
    const line = text.trim().slice(0, lineCharacters);
    if (line === "") return;
    this.#last.push(line);
    if (this.#last.length > keptLines) this.#last.shift();
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      if (this.#dropped > 0) this.#log(`${this.#dropped} more lines were not logged`);
      this.#second = second;
      this.#logged = 0;
      this.#dropped = 0;
    }
    if (this.#logged < linesPerSecond) this.#log(line);
    else this.#dropped += 1;
    this.#logged += 1;
  }
}
