import type { ConnectionKind } from "./kind.ts";

export const embedded: ConnectionKind = {
  name: "embedded",
  title: "Embedded database",
  docs: "SQLite in a process of the runtime's own, one for each group of flows. It has no server, no user and no password.",
  fields: [],
  required: [],
  options: {},
  refused: {
    file: "each group of flows has a database of its own, whose file the runtime chooses: leave it out",
    path: "each group of flows has a database of its own, whose file the runtime chooses: leave it out",
  },
  maxConnections: 4,
  example: '{"kind": "embedded", "default": true}',
};
