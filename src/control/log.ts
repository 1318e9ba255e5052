/** Standard output: one line of JSON per log event. The only import of pino. */
import { writeSync } from "node:fs";
import { pino } from "pino";
import { levels } from "../shared/protocol.ts";
import type { LogEvent } from "../shared/trace-event.ts";

/** Where log events go; a line is the event as it is, so that the log stream and standard output show the same objects. */
export interface LogSink {
  write(event: LogEvent): void;
  /** What was written is with the operating system when it returns. */
  flush(): void;
}

/** Lines wait for one write of this many characters, or for `flushMs` (ms). */
const flushLength = 4096;
const flushMs = 100;
/** Characters that may wait when nobody reads standard output; lines beyond them are lost, and counted. */
const mostWaiting = 8 * 1024 * 1024;
/** After a write that failed, as on a full disk, the next is tried so much later (ms). */
const pauseMs = 1000;
/** A write that takes longer than this (ms) has a reader that does not read, and the exit does not wait for it. */
const stalledMs = 1000;

/** Writes events of `level` and above to the file descriptor, 1 by default, in blocks; flushes when the process ends. */
export function createLogger(level: LogEvent["level"], descriptor = 1): LogSink {
  const logger = new Logger(new Set(levels.slice(levels.indexOf(level))), descriptor);
  process.once("exit", () => logger.flush());
  return logger;
}

type Output = ReturnType<typeof pino.destination>;

/**
 * One block at a time is with the output, and the rest waits here: the output's own flushSync tries a write that
 * failed again for ever, and a process whose reader is gone must be able to end.
 */
class Logger implements LogSink {
  readonly #levels: ReadonlySet<string>;
  readonly #descriptor: number;
  #output: Output | undefined;
  #waiting = "";
  /** When the block that is being written was given away; 0: none is. */
  #busySince = 0;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
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
      // Its thread writes while this one sleeps.
      sleep(20);
    }
    this.#tellLoss();
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
    const now = performance.now();
    if (now < this.#pausedUntil) {
      this.#timer ??= setTimeout(this.#sendSoon, this.#pausedUntil - now).unref();
      return;
    }
    this.#tellLoss();
    const block = this.#waiting;
    this.#waiting = "";
    this.#busySince = now;
    this.#output ??= this.#open();
    this.#output.write(block);
  }

  #open(): Output {
    const output = pino.destination({ dest: this.#descriptor, sync: false });
    output.on("drain", () => {
      this.#busySince = 0;
      this.#sendInTime();
    });
    // A log that cannot be written must not stop the flows: the block is lost, and the next one waits a little.
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

  #tellLoss(): void {
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
  return `${JSON.stringify(event)}\n`;
}
