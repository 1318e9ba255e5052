/**
 * Takes over `console` and the standard streams of a thread: a worker's own standard output has no back-pressure
 * (a loop of writes can end the process), so what a library prints becomes log events, which need credits.
 */
import type { Level } from "../shared/protocol.ts";
import { levels } from "../shared/protocol.ts";
import { shownText } from "../shared/redact.ts";
import type { Line } from "./line.ts";

export interface Output {
  /** From here on output goes to this line; before, it is dropped: nobody owns it. */
  to(line: Line): void;
}

export function takeOverOutput(): Output {
  let line: Line | undefined;
  const write = (level: Level, output: string): void => {
    const text = output.trimEnd();
    if (line !== undefined && text !== "" && levels.indexOf(level) >= line.logLevel)
      line.log(-1, -1, levels.indexOf(level), "console", shownText(text, line.mask, line.maxEvent));
  };
  const { format } = process.getBuiltinModule("node:util");
  const method =
    (level: Level) =>
    (...parts: unknown[]) =>
      write(level, format(...parts));
  // Its other methods (table, dir, assert, ...) end in these or in the streams.
  Object.assign(console, {
    debug: method("DEBUG"),
    log: method("INFO"),
    info: method("INFO"),
    warn: method("WARN"),
    error: method("ERROR"),
    trace: method("DEBUG"),
  });
  for (const [stream, level] of [
    [process.stdout, "INFO"],
    [process.stderr, "WARN"],
  ] as const) {
    // At their far end: what is piped into them or given to `end` arrives here as well.
    Object.assign(stream, {
      _write(chunk: string | Uint8Array, _encoding: string, done: () => void) {
        write(level, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
        done();
      },
      _writev: null,
      _final: (done: () => void) => done(),
    });
  }
  Object.assign(process, { _rawDebug: method("WARN") });
  return {
    to(next) {
      line = next;
    },
  };
}
