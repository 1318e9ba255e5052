/** The `ftp` and `ftps` components (Camel: FtpEndpoint, FtpsEndpoint 4.22): the files of a server over FTP. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import {
  type FtpOptions,
  type FtpsOptions,
  ftpOptions,
  ftpScheme,
  ftpSecrets,
  ftpsOptions,
  ftpsScheme,
} from "./remote-file/ftp.ts";
import { remoteEnds, sharedFolderAdvice } from "./remote-file/options.ts";

const ends = new LateModule(() => import("./remote-file/ends.ts"));

export const ftp = defineComponent({
  scheme: "ftp",
  docs: "Reads files from a directory of an FTP server, each in a run of its own, or writes messages as files there.",
  path: "host",
  connects: { kinds: ["ftp"], option: "connection", unless: ["host"], path: "server" },
  options: ftpOptions,
  ends: remoteEnds,
  exclusive: true,
  once: true,
  sourceAdvice: sharedFolderAdvice,
  polls: true,
  secrets: ftpSecrets,
  network: ends,
  example: `to:
  uri: ftp
  parameters: { connection: "#files", directoryName: out, fileName: "\${header.orderId}.json", tempPrefix: part- }`,
  source: (options: FtpOptions, context) => ends.module().remoteSource("ftp", ftpScheme(options), options, context),
  effect: "writes",
  producer: (options: FtpOptions, context) => ends.module().remoteProducer(ftpScheme(options), options, context),
});

export const ftps = defineComponent({
  scheme: "ftps",
  docs: "Reads and writes files of an FTP server over connections that are encrypted with TLS, and whose certificates are checked.",
  path: "host",
  connects: { kinds: ["ftp"], option: "connection", unless: ["host"], path: "server" },
  options: ftpsOptions,
  ends: remoteEnds,
  exclusive: true,
  once: true,
  sourceAdvice: sharedFolderAdvice,
  polls: true,
  secrets: ftpSecrets,
  network: ends,
  example: `to:
  uri: ftps
  parameters: { connection: "#files", directoryName: out, fileName: "\${header.orderId}.json" }`,
  source: (options: FtpsOptions, context) => ends.module().remoteSource("ftps", ftpsScheme(options), options, context),
  effect: "writes",
  producer: (options: FtpsOptions, context) => ends.module().remoteProducer(ftpsScheme(options), options, context),
});
