import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const passive =
  "connections for data go to the server: threads cannot wait for one of its own, so there is no active mode";

export const ftp: ConnectionKind = {
  name: "ftp",
  title: "FTP server",
  docs: "A server of files over FTP, or over FTP with TLS (FTPS). Connections for data go to the server's own address, on the ports from 1024 on that it names.",
  port: 21,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    encryption: {
      type: "text",
      values: ["explicit", "implicit"],
      words:
        "How `tls` begins: `explicit` begins in clear and changes to TLS before the login (AUTH TLS), `implicit` is TLS from the first byte. Without it `implicit` on port 990, and `explicit` on others.",
    },
  },
  refused: {
    secure: tls,
    ftps: tls,
    implicit: "write encryption",
    passiveMode: passive,
    active: passive,
    activePortRange: passive,
    timeout: "the runtime's limits outboundConnectMs and outboundTotalMs hold: leave it out",
  },
  maxConnections: 5,
  example:
    '{"kind": "ftp", "servers": ["ftp.example.org:21"], "username": "shop", "passwordRef": "SHOP_FTP", "tls": {}}',
};
