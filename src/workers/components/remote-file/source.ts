/** Polls a directory of a server, and offers each file (Camel: RemoteFileConsumer 4.22). */
import { polledSource } from "../../engine/attended/polled-source.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { FileArea } from "../file/area.ts";
import { FileInbox } from "../file/inbox.ts";
import { endpointOf, type RemoteScheme } from "./connection.ts";
import { type RemoteOptions, takingOptionsOf } from "./file-options.ts";
import { RemoteFiles } from "./remote-files.ts";

/** Throws for invalid options. */
export function remoteSource(
  scheme: string,
  how: RemoteScheme,
  options: RemoteOptions,
  context: SourceContext,
): Source {
  const { connection, directory, host = connection.name } = endpointOf(options, how, context);
  const { limits, report } = context;
  /** Of the last poll. */
  let stop: AbortSignal | undefined;
  const area = new FileArea(".", directory);
  const system = new RemoteFiles(connection, {
    limits,
    disconnects: options.disconnect,
    ignoresDenied: options.ignoreFileNotFoundOrPermissionError,
    persists(error) {
      report.failed(error, limits.connectionRetryMs);
      return stop?.aborted !== true;
    },
    late: (error) => report.failed(error, 0),
  });
  const taken = `${scheme}-taken:${context.routeId}`;
  const inbox = new FileInbox(takingOptionsOf(options, directory), () => ({ area, system }), taken, context);
  const headers = () => [["CamelFileHost", host] as const, ...system.replyHeaders];
  return polledSource(
    {
      ...{ scheme, word: "file", options },
      failure: `files cannot be looked for in ${area.name === "" ? "the login's directory" : `'${area.name}'`}`,
      async poll(signal) {
        stop = signal;
        return await inbox.poll(headers);
      },
      settle: (ended) => inbox.settle(ended),
    },
    context,
  );
}
