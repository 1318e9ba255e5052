/**
 * How a new revision becomes the flow: everything is written beside what is there, and two renames then make it the flow. The
 * record is on the disk before the YAML's rename, and the YAML before the head's.
 */
import { type Draft, together, type Undo } from "./durable-files.ts";
import { optionsOf } from "./flow-options.ts";
import type { Head, RevisionFiles } from "./revision-files.ts";
import { ignoreDamage, TornWriteError } from "./store-error.ts";
import { contentHash, incarnationOf, type Kept, type RevisionContent, revisionsKept } from "./stores.ts";

/** Where a revision's YAML goes. */
export interface YamlPlace {
  /** Rejects when the flow may not have this place. */
  mayTake(): Promise<void>;
  draft(bytes: Uint8Array): Promise<Draft>;
}

/** A revision that is on the disk, and no flow yet: a restart forgets it. */
export interface DraftRevision {
  /** Makes it the flow. Rejects with the old revision in place, or with TornWriteError, after which a restart finds the old one or the new. */
  commit(): Promise<Kept>;
  /** Deletes what was written, as far as the disk allows. */
  discard(): Promise<void>;
}

/**
 * Writes `content` as the flow's next revision: record, YAML and head side by side, so that all wait for the disk at the same
 * time. Rejects with everything as it was. Until the result is committed or discarded nothing else may change the flow.
 */
export async function draftRevision(
  revisions: RevisionFiles,
  id: string,
  content: RevisionContent,
  place: YamlPlace,
): Promise<DraftRevision> {
  const { yaml, state } = content;
  const bytes = new TextEncoder().encode(yaml);
  const hash = contentHash(bytes);
  const [, head, numbers] = await together([
    place.mayTake(),
    revisions.head(id).catch(ignoreDamage),
    revisions.numbers(id),
  ]);
  const last = head?.last ?? numbers.at(-1) ?? 0;
  const revision = last + 1;
  const before = head === undefined ? (await revisions.records(id, last > 0 ? [last] : []))[0] : undefined;
  const incarnation = incarnationOf(head, before?.incarnation, revision);
  const newHead: Head = { revision, last: revision, state, deleted: false, incarnation };
  const putBack = await revisions.makeRoom(id);
  const savedAt = new Date().toISOString();
  const [record, newYaml, draftHead] = await Promise.allSettled([
    revisions.addRecord(id, { revision, hash, savedAt, state, ...optionsOf(content), yaml, incarnation }),
    place.draft(bytes),
    revisions.draftHead(id, newHead),
  ]);
  const discard = async (): Promise<void> => {
    const drafts = [newYaml, draftHead].flatMap((one) => (one.status === "fulfilled" ? [one.value.discard()] : []));
    await Promise.all([...drafts, revisions.forget(id, [revision])]);
    await putBack();
  };
  if (record.status === "rejected" || newYaml.status === "rejected" || draftHead.status === "rejected") {
    await discard();
    throw [record, newYaml, draftHead].find((one) => one.status === "rejected")?.reason;
  }
  return {
    discard,
    async commit() {
      let undo: Undo = () => Promise.resolve();
      try {
        undo = await newYaml.value.place();
        await draftHead.value.place();
      } catch (error) {
        // After a torn write the head may already be the new one: its record and its YAML must stay for the next boot.
        if (error instanceof TornWriteError) throw error;
        await undo();
        await discard();
        throw error;
      }
      // The revision is kept; an old record that stays this time does no harm.
      await revisions.forget(id, outdated([...numbers, revision]));
      return { revision, hash, lastModified: new Date(newYaml.value.modifiedMs).toISOString(), incarnation };
    },
  };
}

/** Returns all numbers but the last ones. `numbers`: ascending, the deployed one last. */
function outdated(numbers: readonly number[]): readonly number[] {
  return numbers.slice(0, -revisionsKept);
}
