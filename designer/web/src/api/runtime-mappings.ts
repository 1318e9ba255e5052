/** The mappings of a runtime. Their texts are those that were installed, character by character. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import { runtimeOf, type Schemas } from "./runtime.ts";

export type ValueSummary = Schemas["ValueMappingSummary"];
export type MessageSummary = Schemas["MessageMappingSummary"];
export type MappingUser = ValueSummary["usedBy"][number];

export interface InstalledText {
  readonly text: string;
  /** The value of `If-Match` for this version. */
  readonly etag: string;
}

export interface InstallAnswer {
  readonly revision: number;
  readonly hash: string;
  readonly warnings: readonly { readonly message: string }[];
  /** How many of the document's tests have passed. */
  readonly passed: number;
  readonly etag: string;
}

/** Rejects with ApiError (404). */
export async function readInstalled(
  target: string,
  kind: MappingKind,
  id: string,
  signal?: AbortSignal,
): Promise<InstalledText> {
  const init = {
    params: { path: { id } },
    parseAs: "text",
    cache: "no-store",
    headers: { Accept: "application/json" },
    ...(signal !== undefined && { signal }),
  } as const;
  const runtime = runtimeOf(target);
  const { data, error, response } =
    kind === "value"
      ? await runtime.GET("/_api/value-mappings/{id}", init)
      : await runtime.GET("/_api/message-mappings/{id}", init);
  if (error !== undefined) throw error;
  return { text: String(data), etag: response.headers.get("etag") ?? "" };
}

/** Installs a document over the version `over`; undefined: where there is none. Rejects with ApiError: 412 when the runtime has another one. */
export async function install(
  target: string,
  kind: MappingKind,
  id: string,
  text: string,
  over: string | undefined,
): Promise<InstallAnswer> {
  const init = {
    params: { path: { id } },
    // The text as it is: reading and writing it again would cost a long document twice.
    body: text as never,
    headers: {
      "Content-Type": "application/json",
      ...(over === undefined ? { "If-None-Match": "*" } : { "If-Match": over }),
    },
  } as const;
  const runtime = runtimeOf(target);
  const { data, error, response } =
    kind === "value"
      ? await runtime.PUT("/_api/value-mappings/{id}", init)
      : await runtime.PUT("/_api/message-mappings/{id}", init);
  if (error !== undefined) throw error;
  const { revision, hash, warnings, tests } = data;
  return { revision, hash, warnings, passed: tests.passed, etag: response.headers.get("etag") ?? "" };
}

/** Rejects with ApiError: 409 `mapping_in_use`, unless it is forced. */
export async function uninstall(target: string, kind: MappingKind, id: string, force = false): Promise<void> {
  const init = { params: { path: { id }, query: { force } } };
  const runtime = runtimeOf(target);
  if (kind === "value") await orThrow(runtime.DELETE("/_api/value-mappings/{id}", init));
  else await orThrow(runtime.DELETE("/_api/message-mappings/{id}", init));
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
