import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';

export const postgres: ConnectionKind = {
  name: "postgres",
  title: "PostgreSQL",
  docs: "A PostgreSQL database, or a server that speaks its protocol.",
  port: 5432,
  fields: ["database", "username", "passwordRef", "tls"],
  required: ["database", "username"],
  options: {
    applicationName: {
      type: "text",
      default: "bulkhead",
      words: "The name that the server shows for the connection in pg_stat_activity and in its log.",
    },
    clearPassword: {
      type: "flag",
      default: false,
      words:
        "Sends the password in clear over a connection without `tls` when the server asks for it so. Without this option the connection fails.",
    },
    searchPath: { type: "text", words: "Schemas, with commas, in which names without a schema are looked up." },
    timeZone: {
      type: "text",
      default: "UTC",
      words: "The time zone of the session: what the server takes dates and times without a zone for.",
    },
  },
  refused: {
    ssl: tls,
    sslmode: tls,
    sslMode: tls,
    currentSchema: "write searchPath",
    ApplicationName: "write applicationName",
    options: "write searchPath or timeZone: other settings of a session are set in the database",
  },
  maxConnections: 10,
  example:
    '{"kind": "postgres", "servers": ["db.example.org:5432"], "database": "orders", "username": "orders", "passwordRef": "ORDERS_DB", "tls": {}}',
};
