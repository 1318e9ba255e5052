/** The `sftp` component (Camel: SftpEndpoint 4.22): the files of a server over SSH. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { remoteEnds, sharedFolderAdvice } from "./remote-file/options.ts";
import { type SftpOptions, sftpOptions, sftpScheme, sftpSecrets } from "./remote-file/sftp.ts";

const ends = new LateModule(() => import("./remote-file/ends.ts"));

export const sftp = defineComponent({
  scheme: "sftp",
  docs: "Reads files from a directory of a server over SSH, each in a run of its own, or writes messages as files there.",
  path: "host",
  options: sftpOptions,
  connects: { kinds: ["sftp"], option: "connection", unless: ["host"], path: "server" },
  ends: { ...remoteEnds, producer: [...remoteEnds.producer, "chmodDirectory"] },
  exclusive: true,
  once: true,
  sourceAdvice: sharedFolderAdvice,
  polls: true,
  secrets: sftpSecrets,
  network: ends,
  example: `from:
  uri: sftp
  parameters: { connection: "#files", directoryName: in/orders, include: ".*[.]csv", move: done, moveFailed: failed }
  steps:
    - log:
        message: "\${file:name} has \${file:size} bytes"`,
  source: (options: SftpOptions, context) => ends.module().remoteSource("sftp", sftpScheme(options), options, context),
  effect: "writes",
  producer: (options: SftpOptions, context) =>
    ends.module().remoteProducer(sftpScheme(options), options, context, options.chmodDirectory),
});
