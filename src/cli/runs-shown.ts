/** Runs as people read them. */
import type { components, TraceEvent } from "../client/index.ts";
import { indented, sayFacts, sayFailure, triggerText } from "./facts.ts";
import { sayTable } from "./table.ts";
import { plainLine, type Style, type Terminal } from "./terminal.ts";
import { shortDuration, shortTime } from "./times.ts";

type RunDetail = components["schemas"]["RunDetail"];

export function statusStyle(status: string): Style {
  if (status === "completed") return "green";
  return status === "running" ? "cyan" : "red";
}

/** A run that is over, in a line of the same columns each. */
export function runLine(terminal: Terminal, event: TraceEvent): string {
  const { ts, type, runId = "", flowId, routeId = "", durationMs, error } = event;
  const status = event.status ?? type.replace(/^run\./, "");
  return [
    terminal.paint("dim", shortTime(ts)),
    plainLine(runId),
    terminal.paint("bold", plainLine(`${flowId}/${routeId}`).padEnd(24)),
    terminal.paint(statusStyle(status), status.padEnd(9)),
    durationMs === undefined ? "" : shortDuration(durationMs).padStart(8),
    plainLine(error?.message ?? event.message ?? ""),
  ]
    .join("  ")
    .trimEnd();
}

/** Prints a whole run. */
export function sayRun(terminal: Terminal, run: RunDetail): void {
  sayFacts(terminal, [
    ["run", run.id],
    ["flow", `${run.flowId}, revision ${run.revision}`],
    ["route", run.routeId],
    ["trigger", triggerText(run.trigger)],
    ["status", run.status, statusStyle(run.status)],
    ["outcome", run.outcome],
    ["answer", run.httpStatus],
    ["started", `${run.startedAt} (${shortTime(run.startedAt)})`],
    ["took", `${shortDuration(run.durationMs)}, CPU ${shortDuration(run.cpuMs)}, queued ${shortDuration(run.queueMs)}`],
    ["parent", run.parentRunId],
    ["lost with", run.lostWith],
    ["split", run.split === null ? null : `${run.split.done} of ${run.split.of ?? "an unknown number of"} parts`],
    ["children", run.children.started === 0 ? null : `${run.children.started}, failed ${run.children.failed}`],
    ["session", run.testSessionId],
    ["trace", run.traceId],
  ]);
  sayError(terminal, run);
  saySteps(terminal, run);
}

function sayError(terminal: Terminal, { error, flowId, limit, handled }: RunDetail): void {
  if (error !== null) {
    sayFailure(terminal, flowId, error);
    if (error.detail !== undefined) {
      terminal.say(indented(`answered ${error.detail.status}`));
      terminal.say(indented(error.detail.body));
    }
  }
  if (limit !== null) terminal.say(indented(`limit ${limit.name}: used ${limit.used} of ${limit.allowed}`));
  for (const one of handled)
    terminal.say(`${terminal.paint("yellow", "handled")}   ${plainLine(`${one.type}: ${one.message} (by ${one.by})`)}`);
}

function saySteps(terminal: Terminal, { stepRuns, steps }: RunDetail): void {
  terminal.say("");
  if (stepRuns.length === 0) {
    terminal.say(`${steps.executed} steps, none recorded (record: all in the flow's options records each)`);
    return;
  }
  sayTable(
    terminal,
    stepRuns,
    [
      { title: "STEP", text: ({ id }) => id, style: () => "bold" },
      { title: "TYPE", text: ({ type }) => type },
      { title: "STATUS", text: ({ status }) => status, style: ({ status }) => statusStyle(status) },
      { title: "TOOK", text: ({ duration }) => shortDuration(duration), right: true },
      { title: "MESSAGE", text: ({ error, out, in: before }) => error?.message ?? (out ?? before)?.body ?? "" },
    ],
    "There are no steps.",
  );
}
