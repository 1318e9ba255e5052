/** An event of the trace as people read it: aligned, in colours. */
import type { TraceEvent } from "../client/index.ts";
import { plainLine, plainText, type Style, type Terminal } from "./terminal.ts";
import { shortDuration, shortTime } from "./times.ts";

/** A line, and below it the bodies that were asked for. */
export function traceLines(terminal: Terminal, event: TraceEvent): string {
  const { ts, type, flowId, routeId, runId = "" } = event;
  const line = [
    terminal.paint("dim", shortTime(ts)),
    terminal.paint(styleOf(type), type.padEnd(16)),
    terminal.paint("bold", plainLine(routeId === undefined ? flowId : `${flowId}/${routeId}`).padEnd(20)),
    terminal.paint("dim", plainLine(runId).padEnd(12)),
    plainLine(factsOf(event).join("  ")),
  ].join(" ");
  const bodies = (["in", "out"] as const).flatMap((side) => {
    const shown = event[side];
    return shown === undefined ? [] : [indented(terminal, side, shown.body)];
  });
  return [line.trimEnd(), ...bodies].join("\n");
}

function styleOf(type: TraceEvent["type"]): Style {
  if (/failed|killed|shed|quarantined/.test(type)) return "red";
  if (/retry|handled|restarted|mocked/.test(type)) return "yellow";
  return type.endsWith("completed") ? "green" : "cyan";
}

function factsOf(event: TraceEvent): string[] {
  const { stepId, stepType, branch, attempt, delayMs, by, action, limit, durationMs, error, message } = event;
  return [
    stepId === undefined ? undefined : `${stepId}${stepType === undefined ? "" : ` (${stepType})`}`,
    branch === undefined ? undefined : branch < 0 ? "otherwise" : `when ${branch + 1}`,
    attempt === undefined ? undefined : `attempt ${attempt}, after ${shortDuration(delayMs ?? 0)}`,
    by === undefined ? undefined : `by ${by}`,
    action,
    limit === undefined ? undefined : `limit ${limit.name}: used ${limit.used} of ${limit.allowed}`,
    durationMs === undefined ? undefined : shortDuration(durationMs),
    error?.message ?? message,
  ].filter((fact) => fact !== undefined);
}

function indented(terminal: Terminal, side: string, body: string): string {
  const [first = "", ...rest] = plainText(body).split("\n");
  return [
    `         ${terminal.paint("dim", side.padEnd(3))} ${first}`,
    ...rest.map((line) => `             ${line}`),
  ].join("\n");
}
