/** The mappings on the disk of the designer's server: its own API, with ETag and If-Match. */
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import type { MappingConflict, MappingEntry, MappingFile, MappingRecord, MappingWrite } from "../../../shared/wire.ts";
import { call } from "./designer.ts";
import { DesignerError } from "./errors.ts";

function pathOf(kind: MappingKind, id: string): string {
  return `/designer/mappings/${kind}/${encodeURIComponent(id)}`;
}

export async function listMappings(signal?: AbortSignal): Promise<readonly MappingEntry[]> {
  return (await call<readonly MappingEntry[]>("/designer/mappings", { signal })).data;
}

export async function readMappingFile(kind: MappingKind, id: string, signal?: AbortSignal): Promise<MappingFile> {
  return (await call<MappingFile>(pathOf(kind, id), { signal })).data;
}

/** Writes a mapping over the version `over`; undefined: where there is none. Rejects with a conflict when there is another one. */
export async function writeMappingFile(
  kind: MappingKind,
  id: string,
  mapping: MappingWrite,
  over: string | undefined,
): Promise<MappingFile> {
  const headers: Record<string, string> = over === undefined ? { "If-None-Match": "*" } : { "If-Match": over };
  return (await call<MappingFile>(pathOf(kind, id), { method: "PUT", body: mapping, headers })).data;
}

export async function deleteMappingFile(kind: MappingKind, id: string, etag: string): Promise<void> {
  await call(pathOf(kind, id), { method: "DELETE", headers: { "If-Match": etag } });
}

/** Notes what was installed from here, so that later changes on either side are seen. */
export async function recordInstalled(kind: MappingKind, id: string, record: MappingRecord): Promise<MappingEntry> {
  return (await call<MappingEntry>(`${pathOf(kind, id)}/deployed`, { method: "POST", body: record })).data;
}

/** What the disk has in place of the version that a write was meant for; undefined: the error is another one. */
export function mappingConflictOf(error: unknown): MappingConflict | undefined {
  return error instanceof DesignerError && error.status === 412 ? (error.body as MappingConflict) : undefined;
}
