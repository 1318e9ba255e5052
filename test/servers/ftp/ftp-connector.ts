/** vsftpd in the suite of connectors: a directory that is polled, and one that is written. */
import { remoteFolders, writtenName } from "../remote-folders.ts";
import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { type FtpServer, startFtpServer } from "./ftp-server.ts";
import { startRedirectingFtp } from "./redirecting-ftp.ts";

export const ftpConnectors: readonly Connector[] = [
  { name: "vsftpd", exactlyOnce: false, isWhole: true, start: async () => rigOf(await startFtpServer()) },
];

/** The document of a connection to the server. */
export function connectionTo(
  { host, port, username }: FtpServer,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    kind: "ftp",
    servers: [`${host}:${port}`],
    username,
    passwordRef: "FTP",
    flows: ["*"],
    maxConnections: 24,
    ...more,
  };
}

function rigOf(server: FtpServer): Rig {
  const folders = remoteFolders(server.files, server.makeDirectory);
  const fromBy = (more: string): string =>
    `{ uri: ftp, parameters: { directoryName: inbox, delete: true, initialDelay: 10, delay: 50, ${more} } }`;
  return {
    ...folders,
    secrets: { "_connections/FTP": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      await putConnection(app, "ftp", connectionTo(server, { default: true }));
      await putConnection(app, "wrong", connectionTo(server, { passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(server, { servers: ["host.invalid:21"] }));
      await putConnection(app, "untrusted", connectionTo(server, { tls: {} }));
    },
    from: fromBy(`connection: "#ftp"`),
    sources: (underWay) =>
      Array.from({ length: underWay }, (_, at) =>
        fromBy(`connection: "#ftp", include: "${folders.share(at, underWay)}"`),
      ),
    text: "${body}",
    to: () =>
      `{ to: { uri: ftp, parameters: { connection: "#ftp", directoryName: sink, fileName: "${writtenName}", tempPrefix: part- } } }`,
    connection: "ftp",
    wrong: [
      ["password", fromBy(`connection: "#wrong"`), /Cannot login: 530/],
      ["host", fromBy(`connection: "#nowhere"`), /host\.invalid/],
      ["certificate", fromBy(`connection: "#untrusted"`), /AUTH TLS|530|500/],
      [
        "directory",
        fromBy(`connection: "#ftp", autoCreate: false`).replace("directoryName: inbox", "directoryName: missing"),
        /Directory does not exist: missing/,
      ],
    ],
    server: {
      elsewhere: (address) => connectionTo(server, { servers: [address] }),
      fromElsewhere: (connection) => fromBy(`connection: "#${connection}"`),
      sendsAway: startRedirectingFtp,
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    close: () => server.close(),
  };
}
