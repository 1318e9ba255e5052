import type { ConnectionKind } from "../../../../../src/shared/connections/kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';

export const postBox: ConnectionKind = {
  name: "post-box",
  title: "Post box",
  docs: "A server of Post box, which keeps messages in queues.",
  port: 7000,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    clientName: {
      type: "text",
      default: "bulkhead",
      words: "The name that the server shows for the connection.",
    },
  },
  refused: {
    ssl: tls,
    rejectUnauthorized: tls,
  },
  maxConnections: 10,
  example:
    '{"kind": "post-box", "servers": ["queues-1.example.org:7000", "queues-2.example.org:7000"], "username": "shop", "passwordRef": "SHOP", "tls": {}}',
};
