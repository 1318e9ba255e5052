import type { ConnectionKind } from "./kind.ts";

const chosen = "its file is the runtime's, DATA_DIR/databases/<group>/<name of the connection>.sqlite: leave it out";
const settings = "the runtime sets it for all embedded databases: leave it out";

export const embedded: ConnectionKind = {
  name: "embedded",
  title: "Embedded database",
  docs: "A SQLite database of the runtime's own, in a process for each group of connections. It has no server, no user and no password.",
  fields: [],
  required: [],
  options: {
    quotaMiB: {
      type: "whole",
      default: 256,
      least: 1,
      most: 65_536,
      words: "The most MiB that the database may have. A statement that would exceed it fails, and changes nothing.",
    },
    lockWaitMs: {
      type: "whole",
      default: 5000,
      least: 1,
      most: 600_000,
      words:
        "How many milliseconds a statement or a transaction waits for the transaction of another connection to end, since one writes at a time.",
    },
  },
  refused: {
    file: chosen,
    path: chosen,
    filename: chosen,
    journal_mode: settings,
    synchronous: settings,
    cache_size: settings,
    foreign_keys: settings,
    busy_timeout: "write lockWaitMs",
    max_page_count: "write quotaMiB",
  },
  maxConnections: 4,
  example: '{"kind": "embedded", "default": true, "options": {"quotaMiB": 64}}',
};
