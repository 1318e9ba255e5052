/** The mappings that go along with the deployment of a flow: those of the workspace that it uses and that the runtime has otherwise. */
import type { MappingKind, MappingUse } from "../../../shared/mapping-uses.ts";
import { messageMappings, valueMappings, workspaceMappings } from "../api/cache.ts";
import { type InstalledText, readInstalled } from "../api/runtime-mappings.ts";
import { readMappingFile, recordInstalled } from "../api/workspace-mappings.ts";
import type { OpenMapping } from "../mappings/open-mapping.ts";
import { unsavedMapping } from "../mappings/open-mappings.ts";
import { saveMapping } from "../mappings/save.tsx";
import { involved, type Mappings, otherUsers } from "../mappings/state.ts";

export interface Travelling extends MappingUse {
  /** As it is installed, unsaved changes included. */
  readonly text: string;
  /** Of the file; undefined: of what `session` writes. */
  readonly hash: string | undefined;
  /** What the runtime has; undefined: it does not have it. */
  readonly before: InstalledText | undefined;
  /** The flows and message mappings that use it beside this flow: they have it at once, too. */
  readonly others: readonly string[];
  /** It is open with changes that are saved first. */
  readonly session: OpenMapping | undefined;
}

interface Asked {
  readonly flowId: string;
  readonly uses: readonly MappingUse[];
  readonly target: string;
  /** Whether changes of open mappings that are not saved go along. */
  readonly withUnsaved: boolean;
}

/** Value mappings come first. Rejects when one of both sides does not answer. */
export async function travelling({ flowId, uses, target, withUnsaved }: Asked): Promise<readonly Travelling[]> {
  if (uses.length === 0) return [];
  const mappings = await bothSides(target);
  const found = involved(mappings, uses).map(async ({ kind, id }): Promise<Travelling | undefined> => {
    const entry = mappings.entries?.find((one) => one.kind === kind && one.id === id);
    if (entry === undefined || entry.hash === "") return undefined;
    const summary = mappings.installed[kind]?.find((one) => one.id === id);
    const open = withUnsaved ? unsavedMapping({ kind, id, target }) : undefined;
    const session = open?.now().base.home === "workspace" ? open : undefined;
    if (session === undefined && summary?.hash === entry.hash) return undefined;
    const file = session === undefined ? await readMappingFile(kind, id) : undefined;
    const text = session?.now().text ?? file?.text ?? "";
    const before = summary && (await readInstalled(target, kind, id));
    if (before?.text === text) return undefined;
    return { kind, id, text, hash: file?.hash, before, others: otherUsers(summary?.usedBy ?? [], flowId), session };
  });
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

async function bothSides(target: string): Promise<Mappings> {
  const lists = [workspaceMappings(), valueMappings(target), messageMappings(target)] as const;
  await Promise.all(lists.map((list) => list.refresh()));
  const error = lists.map((list) => list.get().error).find((one) => one !== undefined);
  if (error !== undefined) throw error;
  return {
    target,
    entries: lists[0].get().value,
    installed: { value: lists[1].get().value, message: lists[2].get().value },
  };
}

/** Writes the changes of open mappings that are not on the disk. @returns whether all are there; the user knows why not */
export async function saveTravelling(mappings: readonly Travelling[]): Promise<boolean> {
  for (const { session } of mappings) if (session !== undefined && !(await saveMapping(session))) return false;
  return true;
}

/** A mapping as a part of a deployment: over the version that was compared, and no other. */
export function partOf({ kind, id, text, before }: Travelling) {
  return { kind, id, text, ...(before === undefined ? { ifNoneMatch: "*" as const } : { ifMatch: before.etag }) };
}

/** Notes what was installed. The installation stands, whether it could be noted or not. */
export async function noteTravelled(
  installed: readonly { readonly kind: MappingKind; readonly id: string; readonly revision: number }[],
  mappings: readonly Travelling[],
  target: string,
): Promise<void> {
  for (const { kind, id, revision } of installed) {
    const sent = mappings.find((one) => one.kind === kind && one.id === id);
    if (sent === undefined) continue;
    await recordInstalled(kind, id, { target, hash: hashOf(sent), revision }).catch(() => undefined);
  }
}

/** Of what was sent: of the file that was read, or of the one that the open mapping has written. */
function hashOf({ hash, session }: Travelling): string {
  return hash ?? session?.now().base.etag?.replaceAll('"', "") ?? "";
}
