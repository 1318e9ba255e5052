/** Polls for files of the flow's directory, and offers each (Camel: GenericFileConsumer). */
import { polledSource } from "../../engine/attended/polled-source.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { flowFiles } from "./flow-files.ts";
import { FileInbox } from "./inbox.ts";
import type { FileOptions } from "./options.ts";

/** Throws for invalid options. */
export function fileSource(options: FileOptions, context: SourceContext): Source {
  const files = flowFiles(options.directoryName, context);
  const inbox = new FileInbox({ ...options, usualMove: ".camel" }, files, `file:${context.routeId}`, context);
  return polledSource(
    {
      ...{ scheme: "file", word: "file" },
      options: { ...options, steady: true },
      // A flow whose threads are lost one after another rests.
      uncounted: true,
      failure: `files cannot be looked for in '${options.directoryName}'`,
      poll: () => inbox.poll(),
      settle: (ended) => inbox.settle(ended),
    },
    context,
  );
}
