/** The `file` component (Camel: FileEndpoint 4.22), inside the flow's own directory, which no path can leave. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { absolutePathAdvice } from "./file/absolute-path.ts";
import { fileEnds, fileOptions } from "./file/options.ts";

/** Loaded late, because Node's own modules for files take a quarter of a thread's boot. */
const consumers = new LateModule(() => import("./file/source.ts"));
const pollers = new LateModule(() => import("./file/poller.ts"));
const producers = new LateModule(() => import("./file/producer.ts"));

export const file = defineComponent({
  scheme: "file",
  docs: "Reads files from a directory, each in a run of its own, or writes messages as files; all paths lie in the flow's own directory under FILES_DIR.",
  path: "directoryName",
  options: fileOptions,
  ends: fileEnds,
  files: true,
  pathAdvice: absolutePathAdvice,
  stateful: true,
  example: `from:
  uri: file:inbox
  parameters: { include: ".*[.]csv", moveFailed: "failed/\${date:now:yyyyMMdd}-\${file:onlyname}" }
  steps:
    - log:
        message: "\${file:name} has \${file:size} bytes"`,
  exclusive: true,
  once: true,
  polls: true,
  source: (options, context) => consumers.module().fileSource(options, context),
  pollEffect: "writes",
  poller: (options, context) => pollers.module().filePoller(options, context),
  effect: "writes",
  producer: (options, context) => producers.module().fileProducer(options, context),
});
