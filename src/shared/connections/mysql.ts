import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const oneStatement = "a query is one statement: write a step for each";
const noFiles = "the server cannot read files of this machine: send the rows as messages";

export const mysql: ConnectionKind = {
  name: "mysql",
  title: "MySQL and MariaDB",
  docs: "A MySQL or MariaDB database.",
  port: 3306,
  fields: ["database", "username", "passwordRef", "tls"],
  required: ["database", "username"],
  options: {
    charset: {
      type: "text",
      default: "utf8mb4",
      values: ["utf8mb4", "latin1", "ascii"],
      words: "The character set in which texts are sent and received.",
    },
    timeZone: {
      type: "text",
      default: "Z",
      words:
        "What dates and times without a zone are taken for: `Z`, `local` of the runtime, or an offset such as `+02:00`.",
    },
  },
  refused: {
    ssl: tls,
    useSSL: tls,
    sslMode: tls,
    requireSSL: tls,
    verifyServerCertificate: tls,
    trustServerCertificate: tls,
    allowMultiQueries: oneStatement,
    multipleStatements: oneStatement,
    allowLoadLocalInfile: noFiles,
    allowLocalInfile: noFiles,
    infileStreamFactory: noFiles,
    serverTimezone: "write timeZone",
    characterEncoding: "write charset",
  },
  maxConnections: 10,
  example:
    '{"kind": "mysql", "host": "db.example.org", "port": 3306, "database": "shop", "username": "shop", "passwordRef": "SHOP_DB", "tls": {}}',
};
