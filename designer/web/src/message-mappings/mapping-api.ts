/** Message mappings on a runtime. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";

export type MappingSummary = Schemas["MessageMappingSummary"];
export type PutAnswer = Schemas["MessageMappingPutAnswer"];
export type TrialAnswer = Schemas["MappingTrialAnswer"];

export interface MappingFile {
  readonly text: string;
  /** The value of `If-Match` for this version. */
  readonly etag: string;
}

const path = "/_api/message-mappings/{id}";

const lists = new Map<string, Polled<readonly MappingSummary[]>>();

/** The mappings of a runtime, for all who look. */
export function mappingsOf(target: string): Polled<readonly MappingSummary[]> {
  const list =
    lists.get(target) ??
    polled<readonly MappingSummary[]>({
      load: (signal) => orThrow(runtimeOf(target).GET("/_api/message-mappings", { signal })),
      everyMs: 4000,
      isVisible: () => !document.hidden,
    });
  lists.set(target, list);
  return list;
}

const tables = new Map<string, Polled<readonly Schemas["ValueMappingSummary"][]>>();

/** The value mappings that lookups may name. */
export function tablesOf(target: string): Polled<readonly Schemas["ValueMappingSummary"][]> {
  const list =
    tables.get(target) ??
    polled<readonly Schemas["ValueMappingSummary"][]>({
      load: (signal) => orThrow(runtimeOf(target).GET("/_api/value-mappings", { signal })),
      everyMs: 15_000,
      isVisible: () => !document.hidden,
    });
  tables.set(target, list);
  return list;
}

/** The document as it was installed, character by character. Rejects with ApiError. */
export async function readMapping(target: string, id: string, signal?: AbortSignal): Promise<MappingFile> {
  const init = { params: { path: { id } }, parseAs: "text", cache: "no-store", ...(signal && { signal }) } as const;
  const result = await runtimeOf(target).GET(path, init);
  if (result.error !== undefined) throw result.error;
  return { text: result.data as unknown as string, etag: result.response.headers.get("etag") ?? "" };
}

/** `over`: the version that is replaced; undefined: the mapping is a new one. Rejects with ApiError. */
export async function putMapping(
  target: string,
  id: string,
  text: string,
  over: string | undefined,
): Promise<{ readonly answer: PutAnswer; readonly etag: string }> {
  const headers = over === undefined ? { "If-None-Match": "*" } : { "If-Match": over };
  const body = text as unknown as Schemas["MessageMappingInput"];
  const result = await runtimeOf(target).PUT(path, { params: { path: { id } }, headers, body });
  if (result.error !== undefined) throw result.error;
  return { answer: result.data, etag: result.response.headers.get("etag") ?? "" };
}

export async function deleteMapping(target: string, id: string): Promise<void> {
  await orThrow(runtimeOf(target).DELETE(path, { params: { path: { id } } }));
}

/** `body`: the trial as JSON text. */
export async function tryMapping(target: string, id: string, body: string, signal: AbortSignal): Promise<TrialAnswer> {
  return orThrow(
    runtimeOf(target).POST("/_api/message-mappings/{id}/test", {
      params: { path: { id } },
      body: body as unknown as Schemas["MappingTrialInput"],
      signal,
    }),
  );
}

/** Whether the runtime has another version than a change was meant for, or has one already. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
