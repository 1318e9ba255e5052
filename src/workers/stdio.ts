/**
 * Redirects `console` and the standard streams of a thread to log events, which need credits. A worker's own standard
 * output has no back-pressure, so a library that prints in a loop could end the process.
 */
import type { Level } from "../shared/protocol.ts";
import { levels } from "../shared/protocol.ts";
import { shownText } from "../shared/redact.ts";
import type { Line } from "./line.ts";

export interface Output {
  /** Sends output to this line from now on. Earlier output is dropped, because it belongs to no flow. */
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
  // The other methods (table, dir, assert, ...) call these or write to the streams.
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
    // At the lowest level of the stream, so that piped data and the argument of `end` are included.
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
