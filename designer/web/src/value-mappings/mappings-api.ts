/** Value mappings of a runtime. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";

export type MappingEntry = Schemas["ValueMappingSummary"];
export type MappingUser = MappingEntry["usedBy"][number];

/** A version as the runtime has it. */
export interface Installed {
  readonly text: string;
  readonly etag: string;
}

const lists = new Map<string, Polled<readonly MappingEntry[]>>();

export function mappingsOf(target: string): Polled<readonly MappingEntry[]> {
  const list =
    lists.get(target) ??
    polled({
      load: (signal) => orThrow(runtimeOf(target).GET("/_api/value-mappings", { signal })),
      everyMs: 4000,
      isVisible: () => !document.hidden,
    });
  lists.set(target, list);
  return list;
}

/** Rejects with ApiError (404). */
export async function readMapping(target: string, id: string, signal?: AbortSignal): Promise<Installed> {
  const { data, error, response } = await runtimeOf(target).GET("/_api/value-mappings/{id}", {
    params: { path: { id } },
    parseAs: "text",
    headers: { Accept: "application/json" },
    ...(signal !== undefined && { signal }),
  });
  if (error !== undefined) throw error;
  return { text: String(data), etag: response.headers.get("etag") ?? "" };
}

/** Installs a document over the version `etag`; `null`: where there is none. Rejects with ApiError: 412 when the runtime has another one. */
export async function writeMapping(
  target: string,
  id: string,
  text: string,
  etag: string | null,
): Promise<{ readonly answer: Schemas["ValueMappingPutAnswer"]; readonly installed: Installed }> {
  const { data, error, response } = await runtimeOf(target).PUT("/_api/value-mappings/{id}", {
    params: { path: { id } },
    // The text as it is: reading and writing it again would cost a long document twice.
    body: text as never,
    headers: {
      "Content-Type": "application/json",
      ...(etag === null ? { "If-None-Match": "*" } : { "If-Match": etag }),
    },
  });
  if (error !== undefined) throw error;
  void mappingsOf(target).refresh();
  return { answer: data, installed: { text, etag: response.headers.get("etag") ?? "" } };
}

/** Rejects with ApiError: 409 when it is in use, unless it is forced. */
export async function deleteMapping(target: string, id: string, force: boolean): Promise<void> {
  await orThrow(
    runtimeOf(target).DELETE("/_api/value-mappings/{id}", { params: { path: { id }, query: { force } } }),
  ).finally(() => void mappingsOf(target).refresh());
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
