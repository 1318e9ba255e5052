import { logLine } from "../log-line.ts";
import { given, oneOf } from "../options.ts";
import { queryOf, type StreamChoice, sayEvents, withStream } from "../stream-options.ts";
import { type AddCommand, addCommand } from "../tree.ts";

const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] as const;

interface Options extends StreamChoice {
  readonly level?: (typeof levels)[number];
}

export const addLogs: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "logs", {
    summary: "follows the log of the runtime and its flows, until Ctrl-C",
    details: "A line each. The runtime keeps the last events only while it runs.",
    examples: ["bulkhead logs --follow", "bulkhead logs -f --flow orders --level WARN --last 50"],
  });
  withStream(command, "lines")
    .addOption(oneOf("--level <level>", "the least severe level", levels))
    .action(async (options: Options) => {
      const query = { ...queryOf(command, options), ...given({ level: options.level }) };
      const api = await connect(options);
      await sayEvents(terminal, api, options, (stream) => api.logs(query, stream), logLine);
    });
};
