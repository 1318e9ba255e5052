/** Named connections of a runtime. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { ConnectionDocument } from "../../../shared/connection-document.ts";
import { call } from "../api/designer.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import type { Document } from "./document.ts";

export type ConnectionEntry = Schemas["ConnectionSummary"];
export type ConnectionUser = ConnectionEntry["usedBy"][number];
export type TestAnswer = Schemas["ConnectionTestAnswer"];
export type ConnectionKind = Schemas["Catalog"]["connections"][number];

/** The kinds of connections that a runtime has, and the words for the fields of documents. */
export interface Kinds {
  readonly kinds: readonly ConnectionKind[];
  readonly words: ReadonlyMap<string, string>;
}

/** A version as the runtime has it. */
export interface Installed {
  readonly document: Document;
  readonly etag: string;
}

const lists = new Map<string, Polled<readonly ConnectionEntry[]>>();

/** The connections of a runtime with their states, for all who look. */
export function connectionsOf(target: string): Polled<readonly ConnectionEntry[]> {
  const list =
    lists.get(target) ??
    polled<readonly ConnectionEntry[]>({
      load: (signal) => orThrow(runtimeOf(target).GET("/_api/connections", { signal })),
      everyMs: 3000,
      isVisible: () => !document.hidden,
    });
  lists.set(target, list);
  return list;
}

const known = new Map<string, Polled<Kinds>>();

/** They change with a restart of the runtime only. */
export function kindsOf(target: string): Polled<Kinds> {
  const one =
    known.get(target) ??
    polled<Kinds>({
      async load(signal) {
        const catalog = await orThrow(runtimeOf(target).GET("/_api/catalog", { signal }));
        const texts = catalog.connectionFields.map(({ name, words }) => [name, words] as const);
        return { kinds: catalog.connections, words: new Map(texts) };
      },
      everyMs: 0,
      isVisible: () => true,
    });
  known.set(target, one);
  return one;
}

/** Documents of the workspace, from which connections of a runtime can be made. */
export const workspaceConnections = polled<readonly ConnectionDocument[]>({
  load: async (signal) => (await call<readonly ConnectionDocument[]>("/designer/connections", { signal })).data,
  everyMs: 0,
  isVisible: () => true,
});

const secrets = new Map<string, Polled<readonly string[]>>();

/** The names of the secrets that connections may refer to; values are never answered. For operators. */
export function secretsOf(target: string): Polled<readonly string[]> {
  const one =
    secrets.get(target) ??
    polled<readonly string[]>({
      load: (signal) => orThrow(runtimeOf(target).GET("/_api/connection-secrets", { signal })),
      everyMs: 15_000,
      isVisible: () => !document.hidden,
    });
  secrets.set(target, one);
  return one;
}

/** Rejects with ApiError (404). */
export async function readConnection(target: string, name: string, signal?: AbortSignal): Promise<Installed> {
  const { data, error, response } = await runtimeOf(target).GET("/_api/connections/{name}", {
    params: { path: { name } },
    ...(signal !== undefined && { signal }),
  });
  if (error !== undefined) throw error;
  const { state: _, usedBy: __, ...sent } = data;
  return { document: sent, etag: response.headers.get("etag") ?? "" };
}

/** Installs a document over the version `etag`; null: where there is none. Rejects with ApiError: 412 when the runtime has another one. */
export async function writeConnection(
  target: string,
  name: string,
  sent: Document,
  etag: string | null,
): Promise<{ readonly answer: Schemas["ConnectionPutAnswer"]; readonly installed: Installed }> {
  const { data, error, response } = await runtimeOf(target).PUT("/_api/connections/{name}", {
    params: { path: { name } },
    body: sent as Schemas["ConnectionInput"],
    headers: etag === null ? { "If-None-Match": "*" } : { "If-Match": etag },
  });
  if (error !== undefined) throw error;
  void connectionsOf(target).refresh();
  return { answer: data, installed: { document: sent, etag: response.headers.get("etag") ?? "" } };
}

/** Rejects with ApiError: 409 when it is in use, unless it is forced. */
export async function deleteConnection(
  target: string,
  name: string,
  force: boolean,
): Promise<Schemas["ConnectionDeleteAnswer"]> {
  return orThrow(
    runtimeOf(target).DELETE("/_api/connections/{name}", { params: { path: { name }, query: { force } } }),
  ).finally(() => void connectionsOf(target).refresh());
}

/** Connects from a thread of the runtime. `sent`: a document that is tried in place of the one that is kept. */
export function testConnection(target: string, name: string, sent?: Document): Promise<TestAnswer> {
  const body = sent === undefined ? {} : { document: sent as Schemas["ConnectionInput"] };
  return orThrow(runtimeOf(target).POST("/_api/connections/{name}/test", { params: { path: { name } }, body }));
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
