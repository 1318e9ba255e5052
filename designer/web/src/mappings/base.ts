/** The version of a mapping that is edited, and where it lives: in the workspace, or on the runtime alone. */
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import { refreshMappings, workspaceMappings } from "../api/cache.ts";
import { install, isConflict, readInstalled } from "../api/runtime-mappings.ts";
import {
  listMappings,
  mappingConflictOf,
  readMappingFile,
  recordInstalled,
  writeMappingFile,
} from "../api/workspace-mappings.ts";

export interface MappingRef {
  readonly kind: MappingKind;
  readonly id: string;
  /** The name of the runtime. */
  readonly target: string;
}

export type Home = "workspace" | "runtime";

export interface Base {
  readonly home: Home;
  readonly text: string;
  /** The value of `If-Match` for this version; undefined: its home has no mapping of the id any more. */
  readonly etag: string | undefined;
}

export interface Written {
  readonly base: Base;
  /** What the runtime has answered; undefined: the mapping was written to the disk. */
  readonly answer: Awaited<ReturnType<typeof install>> | undefined;
}

/** Reads a mapping where it is edited: in the workspace, if that has it. Rejects with DesignerError and ApiError. */
export async function readBase({ kind, id, target }: MappingRef, signal?: AbortSignal): Promise<Base> {
  // What is asked for is there: browsers report a 404 as an error of the page.
  const files = await listMappings(signal);
  const isKept = files.some((file) => file.kind === kind && file.id === id);
  return readAt({ kind, id, target }, isKept ? "workspace" : "runtime", signal);
}

/** Reads what one of the two has by now. */
export async function readAt({ kind, id, target }: MappingRef, home: Home, signal?: AbortSignal): Promise<Base> {
  const { text, etag } =
    home === "workspace" ? await readMappingFile(kind, id, signal) : await readInstalled(target, kind, id, signal);
  return { home, text, etag };
}

/** Writes over a version, or anew when it has no `etag`. Rejects with an error that `isOvertaken` knows when there is another one by now. */
export async function writeBase(ref: MappingRef, over: Omit<Base, "text">, text: string): Promise<Written> {
  const { kind, id, target } = ref;
  const { home } = over;
  if (home === "workspace") {
    const file = await writeMappingFile(kind, id, { text }, over.etag);
    void workspaceMappings().refresh();
    return { base: { home, text, etag: file.etag }, answer: undefined };
  }
  const answer = await install(target, kind, id, text, over.etag);
  refreshMappings(target);
  return { base: { home, text, etag: answer.etag }, answer };
}

/** Makes a mapping: in the workspace it is a draft. Rejects with an error that `isOvertaken` knows when there is one of the id. */
export async function writeNew({ kind, id, target }: MappingRef, home: Home, text: string): Promise<void> {
  if (home === "workspace") await writeMappingFile(kind, id, { text, draft: true }, undefined);
  else await install(target, kind, id, text, undefined);
  refreshMappings(target);
}

export function isOvertaken(error: unknown): boolean {
  return isConflict(error) || mappingConflictOf(error) !== undefined;
}

/** Puts what the runtime has into the workspace, where it is edited from then on. Rejects with a conflict when the workspace has one. */
export async function copyToWorkspace({ kind, id, target }: MappingRef): Promise<Base> {
  const { text } = await readInstalled(target, kind, id);
  const file = await writeMappingFile(kind, id, { text }, undefined);
  await recordInstalled(kind, id, { target, hash: file.hash, revision: 0 });
  refreshMappings(target);
  return { home: "workspace", text, etag: file.etag };
}
