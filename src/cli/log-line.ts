/** An entry of the log as people read it: aligned, in colours. */
import type { LogEvent } from "../client/index.ts";
import { plainLine, plainText, type Style, type Terminal } from "./terminal.ts";
import { shortTime } from "./times.ts";

const styles: Readonly<Record<LogEvent["level"], Style>> = {
  TRACE: "dim",
  DEBUG: "dim",
  INFO: "green",
  WARN: "yellow",
  ERROR: "red",
};

/** Further lines of a message are indented: none of them can pass for an entry of its own. */
export function logLine(terminal: Terminal, { ts, level, flowId, routeId, logger, message, runId }: LogEvent): string {
  const source = flowId === undefined ? logger : routeId === undefined ? flowId : `${flowId}/${routeId}`;
  return [
    terminal.paint("dim", shortTime(ts)),
    terminal.paint(styles[level], level.padEnd(5)),
    terminal.paint("bold", plainLine(source).padEnd(20)),
    `${plainText(message.trimEnd()).replaceAll("\n", "\n    ")}${runId === undefined ? "" : terminal.paint("dim", ` [${plainLine(runId)}]`)}`,
  ].join(" ");
}
