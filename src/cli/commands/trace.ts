import type { TraceEvent } from "../../client/index.ts";
import { UsageError } from "../errors.ts";
import { followEvents } from "../follow.ts";
import { oneOf, wholeNumber, withFlowFilter } from "../options.ts";
import { plainLine, plainText, type Style, type Terminal } from "../terminal.ts";
import { shortDuration, shortTime } from "../times.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly flow?: string;
  readonly route?: string;
  readonly run?: string;
  readonly step?: string;
  readonly type?: string;
  readonly status?: string;
  readonly last?: number;
  readonly body?: "preview" | "full";
  readonly follow?: boolean;
}

export const addTrace: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "trace", {
    summary: "follows what flows do, an aligned line for each event, until Ctrl-C",
    examples: ["bulkhead trace --follow --flow orders", "bulkhead trace -f --type 'step.*' --body preview"],
  });
  withJson(withTarget(withFlowFilter(command)), "prints each event as a line of JSON")
    .option(
      "-f, --follow",
      "goes on with what happens from now on (the trace is a stream: without it nothing is shown)",
    )
    .option("--run <id>", "only events of this run")
    .option("--step <id>", "only events of this step")
    .option("--type <type>", "only events of this type; * stands for any characters, as in 'step.*'")
    .option("--status <status>", "only events of runs with this status")
    .addOption(oneOf("--body <how>", "shows bodies, too", ["preview", "full"]))
    .option("--last <number>", "begins with so many of the last events", wholeNumber("--last"))
    .action(async (options: Options) => {
      if (options.follow !== true) throw new UsageError("trace follows what happens: write bulkhead trace --follow");
      const { flow, route, run, step, type, status, last, body } = options;
      const query = {
        ...(flow !== undefined && { flowId: flow }),
        ...(route !== undefined && { routeId: route }),
        ...(run !== undefined && { runId: run }),
        ...(step !== undefined && { stepId: step }),
        ...(type !== undefined && { type }),
        ...(status !== undefined && { status }),
        ...(body !== undefined && { body }),
        ...(last !== undefined && { replay: String(last) }),
      };
      const api = await connect(options);
      await followEvents(
        terminal,
        (stream) => api.trace(query, stream),
        (event) => terminal.say(options.json === true ? JSON.stringify(event) : traceLines(terminal, event)),
      );
    });
};

function styleOf(type: TraceEvent["type"]): Style {
  if (/failed|killed|shed|quarantined/.test(type)) return "red";
  if (/retry|handled|restarted|mocked/.test(type)) return "yellow";
  return type.endsWith("completed") ? "green" : "cyan";
}

/** A line, and below it the bodies that were asked for. */
function traceLines(terminal: Terminal, event: TraceEvent): string {
  const { ts, type, flowId, routeId, runId = "", stepId, stepType, durationMs, error, message } = event;
  const what = [
    stepId === undefined ? "" : `${stepId}${stepType === undefined ? "" : ` (${stepType})`}`,
    durationMs === undefined ? "" : shortDuration(durationMs),
    plainLine(error?.message ?? message ?? ""),
  ].filter((part) => part !== "");
  const line = [
    terminal.paint("dim", shortTime(ts)),
    terminal.paint(styleOf(type), type.padEnd(16)),
    terminal.paint("bold", (routeId === undefined ? flowId : `${flowId}/${routeId}`).padEnd(20)),
    terminal.paint("dim", runId.padEnd(12)),
    what.join("  "),
  ].join(" ");
  const bodies = (["in", "out"] as const).flatMap((side) => {
    const shown = event[side];
    return shown === undefined ? [] : [indented(terminal, side, shown.body)];
  });
  return [line.trimEnd(), ...bodies].join("\n");
}

function indented(terminal: Terminal, side: string, body: string): string {
  const [first = "", ...rest] = plainText(body).split("\n");
  return [
    `         ${terminal.paint("dim", side.padEnd(3))} ${first}`,
    ...rest.map((line) => `             ${line}`),
  ].join("\n");
}
