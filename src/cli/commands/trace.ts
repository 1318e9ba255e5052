import { given, oneOf } from "../options.ts";
import { queryOf, type StreamChoice, sayEvents, withStream } from "../stream-options.ts";
import { traceLines } from "../trace-line.ts";
import { type AddCommand, addCommand } from "../tree.ts";

interface Options extends StreamChoice {
  readonly step?: string;
  readonly type?: string;
  readonly status?: string;
  readonly body?: "preview" | "full";
}

export const addTrace: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "trace", {
    summary: "follows what flows do, an aligned line for each event, until Ctrl-C",
    examples: ["bulkhead trace --follow --flow orders", "bulkhead trace -f --type 'step.*' --body preview"],
  });
  withStream(command, "events")
    .option("--step <id>", "only events of this step")
    .option("--type <type>", "only events of this type; * stands for any characters, as in 'step.*'")
    .option("--status <status>", "only events of runs with this status")
    .addOption(oneOf("--body <how>", "shows bodies, too", ["preview", "full"]))
    .action(async (options: Options) => {
      const { step, type, status, body } = options;
      const query = { ...queryOf(command, options), ...given({ stepId: step, type, status, body }) };
      const api = await connect(options);
      await sayEvents(terminal, api, options, (stream) => api.trace(query, stream), traceLines);
    });
};
