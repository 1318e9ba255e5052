import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const limits = "the runtime's limits outboundConnectMs and outboundTotalMs hold: leave it out";

export const smtp: ConnectionKind = {
  name: "smtp",
  title: "Mail server (SMTP)",
  docs: "A server that takes mails over SMTP, such as the submission service of a mail provider.",
  port: 587,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    encryption: {
      type: "text",
      values: ["starttls", "implicit"],
      words:
        "How `tls` begins: `starttls` begins in clear and changes to TLS before the login, `implicit` is TLS from the first byte. Without it `implicit` on port 465, and `starttls` on others.",
    },
    localName: {
      type: "text",
      words: "The name with which the runtime greets the server (EHLO); by default that of the machine.",
    },
  },
  refused: {
    ssl: tls,
    secure: tls,
    starttls: 'write "tls": {}, and encryption',
    requireTLS: "with tls a connection that cannot be encrypted fails: leave it out",
    ignoreTLS: "without tls the connection is not encrypted: leave it out",
    opportunisticTLS: "with tls a connection that cannot be encrypted fails: leave it out",
    trust: tls,
    auth: "write username and passwordRef",
    name: "write localName",
    connectionTimeout: limits,
    socketTimeout: limits,
    pool: "the pool is the runtime's: write maxConnections",
    proxy: "connections go to the server itself, whose address is checked: leave it out",
  },
  maxConnections: 5,
  example:
    '{"kind": "smtp", "servers": ["mail.example.org:587"], "username": "shop", "passwordRef": "SHOP_MAIL", "tls": {}}',
};
