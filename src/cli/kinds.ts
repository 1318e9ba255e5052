/** The kinds of documents that `list`, `get` and `delete` know. */
import { type BulkheadClient, type components, orThrow } from "../client/index.ts";
import { type Column, sayTable } from "./table.ts";
import type { Style, Terminal } from "./terminal.ts";
import { shortTime } from "./times.ts";

export interface Kind {
  readonly name: string;
  /** One of them, as sentences name it. */
  readonly one: string;
  /** Fetches all of them. */
  list(api: BulkheadClient): Promise<Listing>;
  /** Resolves with the document. */
  get(api: BulkheadClient, id: string): Promise<unknown>;
  /** Resolves with the answer. */
  delete(api: BulkheadClient, id: string, options: DeleteOptions): Promise<unknown>;
  /** Whether `force` has an effect. */
  readonly forced?: boolean;
}

interface DeleteOptions {
  /** One that is in use, too, where the runtime allows that. */
  readonly force: boolean;
  /** The file of a flow stays in the runtime's folder. */
  readonly keepFile: boolean;
}

export interface Listing {
  /** What `--json` prints. */
  readonly document: unknown;
  print(terminal: Terminal): void;
}

function listing<Row>(kind: string, rows: readonly Row[], columns: readonly Column<Row>[]): Listing {
  return { document: rows, print: (terminal) => sayTable(terminal, rows, columns, `There are no ${kind}.`) };
}

/** Flows and mappings, each once. */
function users(usedBy: readonly ({ readonly flowId: string } | { readonly mapping: string })[]): string {
  return [...new Set(usedBy.map((user) => ("flowId" in user ? user.flowId : `mapping ${user.mapping}`)))].join(", ");
}

const stateStyles: Readonly<Record<string, Style>> = {
  Started: "green",
  Failed: "red",
  Quarantined: "red",
  Changed: "yellow",
  Gone: "yellow",
};

function aboutFlow({ id, state, error, description = "" }: components["schemas"]["FlowSummary"]): string {
  if (error !== undefined) return error;
  return state === "Changed" ? `its file waits: bulkhead reload ${id} deploys it` : description;
}

const flows: Kind = {
  name: "flows",
  one: "flow",
  async list(api) {
    return listing("flows", await orThrow(api.GET("/_api/flows")), [
      { title: "ID", text: ({ id }) => id, style: () => "bold", whole: true },
      { title: "STATE", text: ({ state }) => state, style: ({ state }) => stateStyles[state] },
      { title: "REVISION", text: ({ revision }) => String(revision ?? "-"), right: true },
      { title: "ROUTES", text: ({ routeCount }) => String(routeCount), right: true },
      { title: "MODIFIED", text: ({ lastModified }) => shortTime(lastModified) },
      { title: "ABOUT", text: aboutFlow },
    ]);
  },
  get: (api, id) => orThrow(api.GET("/_api/flows/{id}", { params: { path: { id } } })),
  delete: (api, id, { keepFile }) =>
    orThrow(
      api.DELETE("/_api/flows/{id}", { params: { path: { id }, query: keepFile ? { keep: "file" as const } : {} } }),
    ),
};

const valueMappings: Kind = {
  name: "value-mappings",
  one: "value mapping",
  async list(api) {
    return listing("value mappings", await orThrow(api.GET("/_api/value-mappings")), [
      { title: "ID", text: ({ id }) => id, style: () => "bold", whole: true },
      { title: "NAME", text: ({ name }) => name },
      { title: "ROWS", text: ({ rows }) => String(rows), right: true },
      { title: "COLUMNS", text: ({ columns }) => columns.join(", ") },
      { title: "USED BY", text: ({ usedBy }) => users(usedBy) },
      { title: "MODIFIED", text: ({ lastModified }) => shortTime(lastModified) },
      { title: "ERROR", text: ({ error }) => error ?? "", style: () => "red" },
    ]);
  },
  get: (api, id) => orThrow(api.GET("/_api/value-mappings/{id}", { params: { path: { id } } })),
  delete: (api, id, { force }) =>
    orThrow(api.DELETE("/_api/value-mappings/{id}", { params: { path: { id }, query: { force } } })),
  forced: true,
};

const messageMappings: Kind = {
  name: "message-mappings",
  one: "message mapping",
  async list(api) {
    return listing("message mappings", await orThrow(api.GET("/_api/message-mappings")), [
      { title: "ID", text: ({ id }) => id, style: () => "bold", whole: true },
      { title: "NAME", text: ({ name }) => name },
      { title: "USED BY", text: ({ usedBy }) => users(usedBy) },
      { title: "MODIFIED", text: ({ lastModified }) => shortTime(lastModified) },
      { title: "ERROR", text: ({ error }) => error ?? "", style: () => "red" },
    ]);
  },
  get: (api, id) => orThrow(api.GET("/_api/message-mappings/{id}", { params: { path: { id } } })),
  delete: (api, id, { force }) =>
    orThrow(api.DELETE("/_api/message-mappings/{id}", { params: { path: { id }, query: { force } } })),
  forced: true,
};

const policies: Kind = {
  name: "policies",
  one: "access policy",
  async list(api) {
    return listing("access policies", await orThrow(api.GET("/_api/auth")), [
      { title: "FLOW", text: ({ flowId }) => flowId, style: () => "bold" },
      { title: "REVISION", text: ({ revision }) => String(revision), right: true },
      { title: "MODE", text: ({ mode }) => mode },
      {
        title: "ENFORCED",
        text: ({ enforced }) => (enforced ? "yes" : "no"),
        style: ({ enforced }) => (enforced ? "green" : "yellow"),
      },
      { title: "WRITTEN", text: ({ writtenBy }) => (writtenBy === null ? "" : shortTime(writtenBy.at)) },
    ]);
  },
  get: (api, flowId) => orThrow(api.GET("/_api/auth/{flowId}", { params: { path: { flowId } } })),
  delete: (api, flowId) => orThrow(api.DELETE("/_api/auth/{flowId}", { params: { path: { flowId } } })),
};

const connections: Kind = {
  name: "connections",
  one: "connection",
  async list(api) {
    return listing("connections", await orThrow(api.GET("/_api/connections")), [
      { title: "NAME", text: ({ name }) => name, style: () => "bold" },
      { title: "KIND", text: ({ kind }) => kind },
      { title: "SERVERS", text: ({ servers }) => servers.map(({ host, port }) => `${host}:${port}`).join(", ") },
      { title: "DEFAULT", text: (row) => (row.default ? "yes" : "") },
      { title: "USED BY", text: ({ usedBy }) => users(usedBy) },
      { title: "ERROR", text: ({ error }) => error ?? "", style: () => "red" },
    ]);
  },
  get: (api, name) => orThrow(api.GET("/_api/connections/{name}", { params: { path: { name } } })),
  delete: (api, name, { force }) =>
    orThrow(api.DELETE("/_api/connections/{name}", { params: { path: { name }, query: { force } } })),
  forced: true,
};

type Session = components["schemas"]["TestSessionSummary"];

function stateOf({ closed, expired, stale, passed }: Session): string {
  if (!closed) return stale ? "stale" : "open";
  if (passed !== null) return passed ? "passed" : "failed";
  return expired ? "expired" : "closed";
}

const sessions: Kind = {
  name: "test-sessions",
  one: "test session",
  async list(api) {
    return listing("test sessions", await orThrow(api.GET("/_api/test/session")), [
      { title: "ID", text: ({ sessionId }) => sessionId, style: () => "bold" },
      { title: "NAME", text: ({ name }) => name ?? "" },
      { title: "FLOW", text: ({ flowId }) => flowId },
      { title: "SCOPE", text: ({ scope }) => scope },
      { title: "STATE", text: stateOf, style: (row) => (row.closed ? "dim" : "green") },
      { title: "EXPIRES", text: ({ expiresAt }) => shortTime(expiresAt) },
    ]);
  },
  get: (api, id) => orThrow(api.GET("/_api/test/session/{id}", { params: { path: { id } } })),
  delete: (api, id) => orThrow(api.DELETE("/_api/test/session/{id}", { params: { path: { id } } })),
};

export const kinds: readonly Kind[] = [flows, valueMappings, messageMappings, policies, connections, sessions];
