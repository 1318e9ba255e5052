import { UsageError } from "../errors.ts";
import { followEvents } from "../follow.ts";
import { logLine } from "../log-line.ts";
import { oneOf, wholeNumber, withFlowFilter } from "../options.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] as const;

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly flow?: string;
  readonly route?: string;
  readonly run?: string;
  readonly level?: string;
  readonly last?: number;
  readonly follow?: boolean;
}

export const addLogs: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "logs", {
    summary: "follows the log of the runtime and its flows, until Ctrl-C",
    details: "A line each. The runtime keeps the last events only while it runs.",
    examples: ["bulkhead logs --follow", "bulkhead logs -f --flow orders --level WARN --last 50"],
  });
  withJson(withTarget(withFlowFilter(command)), "prints each event as a line of JSON")
    .option(
      "-f, --follow",
      "goes on with what is logged from now on (the log is a stream: without it nothing is shown)",
    )
    .option("--run <id>", "only lines of this run")
    .addOption(oneOf("--level <level>", "the least severe level", levels))
    .option("--last <number>", "begins with so many of the last lines", wholeNumber("--last"))
    .action(async (options: Options) => {
      if (options.follow !== true) throw new UsageError("logs follows the log: write bulkhead logs --follow");
      const { flow, route, run, level, last } = options;
      const query = {
        ...(flow !== undefined && { flowId: flow }),
        ...(route !== undefined && { routeId: route }),
        ...(run !== undefined && { runId: run }),
        ...(level !== undefined && { level }),
        ...(last !== undefined && { replay: String(last) }),
      };
      const api = await connect(options);
      await followEvents(
        terminal,
        (stream) => api.logs(query, stream),
        (event) => terminal.say(options.json === true ? JSON.stringify(event) : logLine(terminal, event)),
      );
    });
};
