/** The `file` component (Camel: FileEndpoint 4.22), inside of a directory of the flow's own, out of which no path leads. */
import { defineComponent } from "../engine/component.ts";
import { fileConsumer } from "./file/consumer.ts";
import { fileOptions } from "./file/options.ts";
import { fileProducer } from "./file/producer.ts";

export const file = defineComponent({
  scheme: "file",
  docs: "Reads files from a directory, each in a run of its own, or writes messages as files; all paths lie in the flow's own directory under FILES_DIR.",
  path: "directoryName",
  options: fileOptions,
  files: true,
  stateful: true,
  example: `from:
  uri: file:inbox
  parameters: { include: ".*[.]csv", moveFailed: "failed/\${date:now:yyyyMMdd}-\${file:onlyname}" }
  steps:
    - log: "\${file:name} has \${file:size} bytes"`,
  consumer: ({ directoryName }) => ({ kind: "file", name: directoryName }),
  listen: fileConsumer,
  producer: fileProducer,
});
