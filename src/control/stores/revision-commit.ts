/** How a new revision becomes the flow: record, then YAML, then head, each durable before the next. */
import type { Replaced, Undo } from "./atomic-file.ts";
import { contentHash } from "./content-hash.ts";
import type { RevisionFiles } from "./revision-files.ts";
import { ignoreDamage, TornWriteError } from "./store-error.ts";
import type { Kept, RevisionContent } from "./stores.ts";

/**
 * Makes `content` the flow's next revision; `writeYaml` puts the YAML in place, durably.
 * Rejects with the old revision in place, or with TornWriteError, after which a restart finds the old one or the new.
 */
export async function commitRevision(
  revisions: RevisionFiles,
  id: string,
  { yaml, params, limits, state }: RevisionContent,
  writeYaml: (bytes: Uint8Array) => Promise<Replaced>,
): Promise<Kept> {
  const bytes = new TextEncoder().encode(yaml);
  const hash = contentHash(bytes);
  const head = await revisions.head(id).catch(ignoreDamage);
  const last = head?.last ?? (await revisions.numbers(id)).at(-1) ?? 0;
  const revision = last + 1;
  const newHead = { revision, last: revision, state, deleted: false };
  const putBack = await revisions.makeRoom(id);
  let undo: Undo = () => Promise.resolve();
  let modifiedMs: number;
  try {
    const savedAt = new Date().toISOString();
    await revisions.writeRecord(id, { revision, hash, savedAt, state, params, limits, yaml });
    ({ modifiedMs, undo } = await writeYaml(bytes));
    await revisions.writeHead(id, newHead);
  } catch (error) {
    // After a torn write the head may already be the new one: its record and its YAML must stay for the next boot.
    if (error instanceof TornWriteError) throw error;
    await undo();
    await revisions.forget(id, [revision]);
    await putBack();
    throw error;
  }
  // The revision is kept; an old record that stays this time does no harm.
  await revisions.prune(id, newHead).catch(() => undefined);
  return { revision, hash, lastModified: new Date(modifiedMs).toISOString() };
}
