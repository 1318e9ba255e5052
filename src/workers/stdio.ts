/**
 * Takes over `console` and the standard streams of a thread: a worker's own standard output has no back-pressure
 * (a loop of writes can end the process), so what a library prints becomes log events, which need credits.
 */
import type { Level } from "../shared/protocol.ts";
import { levels } from "../shared/protocol.ts";
import { redact } from "../shared/redact.ts";
import type { Line } from "./line.ts";

export interface Output {
  /** From here on output goes to this line; before, it is dropped: nobody owns it. */
  to(line: Line): void;
}

export function takeOverOutput(): Output {
  let line: Line | undefined;
  const write = (level: Level, text: string): void => {
    if (line !== undefined && levels.indexOf(level) >= line.logLevel)
      line.log(-1, -1, levels.indexOf(level), "console", redact(text.trimEnd()));
  };
  const { format } = process.getBuiltinModule("node:util");
  const method =
    (level: Level) =>
    (...parts: unknown[]) =>
      write(level, format(...parts));
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
    stream.write = (chunk: string | Uint8Array): boolean => {
      write(level, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      return true;
    };
  }
  return {
    to(next) {
      line = next;
    },
  };
}
