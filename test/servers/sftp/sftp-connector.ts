/** OpenSSH in the suite of connectors: a directory that is polled, and one that is written. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { remoteFolders, writtenName } from "../remote-folders.ts";
import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { type SftpServer, startSftpServer } from "./sftp-server.ts";

export const sftpConnectors: readonly Connector[] = [
  { name: "OpenSSH", exactlyOnce: false, isWhole: true, start: async () => rigOf(await startSftpServer()) },
];

/** The document of a connection to the server. */
export function connectionTo(
  { host, port, username, knownHosts }: SftpServer,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    kind: "sftp",
    servers: [`${host}:${port}`],
    username,
    privateKeyRef: "SFTP",
    options: { knownHosts },
    flows: ["*"],
    maxConnections: 24,
    ...more,
  };
}

function rigOf(server: SftpServer): Rig {
  const folders = remoteFolders(server.files, async (path) => {
    await mkdir(join(server.files, path), { recursive: true });
  });
  const fromBy = (more: string): string =>
    `{ uri: sftp, parameters: { directoryName: inbox, delete: true, initialDelay: 10, delay: 50, ${more} } }`;
  return {
    ...folders,
    secrets: { "_connections/SFTP": server.privateKey, "_connections/WRONG": server.otherKey },
    async connect(app) {
      await putConnection(app, "sftp", connectionTo(server, { default: true }));
      await putConnection(app, "wrong", connectionTo(server, { privateKeyRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(server, { servers: ["host.invalid:22"] }));
      await putConnection(app, "untrusted", connectionTo(server, { options: { knownHosts: server.wrongHosts } }));
    },
    from: fromBy(`connection: "#sftp"`),
    sources: (underWay) =>
      Array.from({ length: underWay }, (_, at) =>
        fromBy(`connection: "#sftp", include: "${folders.share(at, underWay)}"`),
      ),
    text: "${body}",
    to: () =>
      `{ to: { uri: sftp, parameters: { connection: "#sftp", directoryName: sink, fileName: "${writtenName}", tempPrefix: part- } } }`,
    connection: "sftp",
    wrong: [
      ["password", fromBy(`connection: "#wrong"`), /authentication methods failed/],
      ["host", fromBy(`connection: "#nowhere"`), /host\.invalid/],
      [
        "certificate",
        fromBy(`connection: "#untrusted"`),
        /the host key SHA256:\S+ \(ssh-ed25519\) of the server is none of those/,
      ],
      [
        "directory",
        fromBy(`connection: "#sftp", autoCreate: false`).replace("directoryName: inbox", "directoryName: missing"),
        /Directory does not exist: missing/,
      ],
    ],
    server: {
      elsewhere: (address) => connectionTo(server, { servers: [address] }),
      fromElsewhere: (connection) => fromBy(`connection: "#${connection}"`),
      // SFTP has no message that names another server.
      sendsAway: undefined,
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    close: () => server.close(),
  };
}
