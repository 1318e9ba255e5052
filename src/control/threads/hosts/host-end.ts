/** The end of a host process: why it has ended, which threads may have caused it, and what it printed last. */

import type { Readable } from "node:stream";
import type { RemoteThread } from "./remote-thread.ts";

const keptLines = 8;
const lineCharacters = 500;
/** The most lines that are logged in a second; the others are counted. */
const linesPerSecond = 20;

/** The error of a thread whose host process has ended. */
export class HostEnded extends Error {
  readonly #suspects: ReadonlySet<number>;

  /** `suspects`: the numbers of the threads that may have caused the end of the process; the others have not. */
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
  /** The signal or the exit code. */
  readonly how: string;
  /** Its resident memory when that was last measured; 0: it never was. */
  readonly memoryBytes: number;
  /** Why control killed it; undefined: control did not. */
  readonly why: string | undefined;
  /** The last lines that it printed; "": none. */
  readonly last: string;
}

/** Returns a sentence for the log and for the records of the runs that were lost with the process. */
export function describeEnd({ pid, how, memoryBytes, why, last }: End): string {
  const memory = memoryBytes === 0 ? "" : `, ${Math.round(memoryBytes / 2 ** 20)} MiB when it was last looked at`;
  const reason = why === undefined ? "" : `: ${why}`;
  return `process ${pid} ended with ${how}${memory}${reason}${last === "" ? "" : `; it printed: ${last}`}`;
}

/**
 * Returns the numbers of the threads that may have caused the end of their process. Only threads with runs are suspects. Of these, threads that
 * have stopped answering come first, since they were at work on something; if there are none, those that were busy at their last answer, or were
 * sent something after it. On a busy machine a thread that only waits is late to answer, too, and its loop seems busy: the share of the time in
 * which each thread had the CPU distinguishes them. Not the CPU time itself, since busy threads are sampled more often than others.
 */
export function suspects(threads: readonly RemoteThread[]): ReadonlySet<number> {
  const busy = threads.filter((thread) => thread.busy);
  const silent = busy.filter((thread) => thread.silent && !thread.waits);
  const longest = Math.max(0, ...silent.map(({ silentForMs }) => silentForMs));
  const hot = busy.filter((thread) => thread.hot);
  const most = Math.max(0, ...hot.map(({ cpuShare }) => cpuShare));
  const found = [
    silent.filter(({ silentForMs }) => silentForMs >= longest / 2),
    busy.filter((thread) => wasSent(thread) || (thread.hot && thread.cpuShare >= most / 2)),
    busy,
  ];
  return new Set(found.find(({ length }) => length > 0)?.map(({ number }) => number));
}

/** Whether the thread may have read what it was sent after the last request of a sample: not if it is silent and has not used the CPU since. */
function wasSent(thread: RemoteThread): boolean {
  return thread.sentSince && !(thread.silent && thread.waits);
}

/** What a host process prints. The runtime prints nothing there, so the lines are of Node or V8, often about the reason of the end. */
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

  /** The last lines of the process, joined into one; "": it printed nothing. */
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
