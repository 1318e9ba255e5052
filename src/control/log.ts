/** Standard output: one line of JSON per log event. The only import of pino. */
import { writeSync } from "node:fs";
import type { pino as Pino } from "pino";
import { escapeControls } from "../shared/escape-controls.ts";
import { levels } from "../shared/protocol.ts";
import type { LogEvent } from "../shared/trace-event.ts";

/** The output of log events. A line is the event itself, so that the log stream and standard output show the same objects. */
export interface LogSink {
  write(event: LogEvent): void;
  /** Returns when the operating system has what was written. */
  flush(): void;
}

/** Lines are collected into writes of this many characters, for at most `flushMs` (ms). */
const flushLength = 4096;
const flushMs = 100;
/** The most characters that wait when nobody reads standard output; further lines are lost, and counted. */
const mostWaiting = 8 * 1024 * 1024;
/** The pause (ms) after a failed write, such as on a full disk. */
const pauseMs = 1000;
/** The exit does not wait for a write that takes longer than this (ms), since its reader does not read. */
const stalledMs = 1000;

/** Writes events of `level` and above to the file descriptor, 1 by default, in blocks; flushes when the process ends. */
export function createLogger(level: LogEvent["level"], descriptor = 1): LogSink {
  const logger = new Logger(new Set(levels.slice(levels.indexOf(level))), descriptor);
  process.once("exit", () => logger.flush());
  return logger;
}

type Output = ReturnType<typeof Pino.destination>;

/** undefined before the first block is written, which is a moment after the first line: a start does not wait for the loading. */
let pino: typeof Pino | undefined;

/**
 * Passes one block at a time to the output and keeps the rest: flushSync of the output repeats a failed write for ever, and a
 * process whose reader is gone must be able to end.
 */
class Logger implements LogSink {
  readonly #levels: ReadonlySet<string>;
  readonly #descriptor: number;
  #output: Output | undefined;
  #waiting = "";
  /** When the current block was passed to the output; 0: no write is under way. */
  #busySince = 0;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #loading = false;
  #lost = 0;

  constructor(levelsWritten: ReadonlySet<string>, descriptor: number) {
    this.#levels = levelsWritten;
    this.#descriptor = descriptor;
  }

  write(event: LogEvent): void {
    if (!this.#levels.has(event.level)) return;
    if (this.#waiting.length > mostWaiting) {
      this.#lost++;
      return;
    }
    this.#waiting += line(event);
    this.#sendInTime();
  }

  flush(): void {
    if (this.#busySince > 0) {
      if (performance.now() - this.#busySince > stalledMs) return;
      // The thread of the output writes while this one sleeps.
      sleep(20);
    }
    this.#reportLoss();
    let rest = Buffer.from(this.#waiting);
    this.#waiting = "";
    for (let tries = 0; tries < 10 && rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(this.#descriptor, rest));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
        tries++;
        sleep(50);
      }
    }
  }

  #sendInTime(): void {
    if (this.#waiting.length >= flushLength) this.#send();
    else this.#timer ??= setTimeout(this.#sendSoon, flushMs).unref();
  }

  readonly #sendSoon = (): void => {
    this.#timer = undefined;
    this.#send();
  };

  #send(): void {
    if (this.#busySince > 0 || this.#waiting === "") return;
    if (pino === undefined) {
      void this.#load();
      return;
    }
    const now = performance.now();
    if (now < this.#pausedUntil) {
      this.#timer ??= setTimeout(this.#sendSoon, this.#pausedUntil - now).unref();
      return;
    }
    this.#reportLoss();
    const block = this.#waiting;
    this.#waiting = "";
    this.#busySince = now;
    this.#output ??= this.#open(pino);
    this.#output.write(block);
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    // The default export: a bundle has no other of a CommonJS module.
    ({ default: pino } = await import("pino"));
    this.#send();
  }

  #open({ destination }: typeof Pino): Output {
    const output = destination({ dest: this.#descriptor, sync: false });
    output.on("drain", () => {
      this.#busySince = 0;
      this.#sendInTime();
    });
    // A log that cannot be written must not stop the flows: the block is lost, and the next write waits.
    output.on("error", () => {
      if (this.#output !== output) return;
      this.#output = undefined;
      output.destroy();
      this.#lost++;
      this.#busySince = 0;
      this.#pausedUntil = performance.now() + pauseMs;
      this.#sendInTime();
    });
    return output;
  }

  #reportLoss(): void {
    if (this.#lost === 0) return;
    const message = `${this.#lost} log lines or more were lost, because standard output did not take them`;
    this.#lost = 0;
    this.#waiting += line({ ts: new Date().toISOString(), level: "WARN", message, logger: "runtime" });
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function line(event: LogEvent): string {
  return `${escapeControls(JSON.stringify(event))}\n`;
}
