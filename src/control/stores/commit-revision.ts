/**
 * How a new revision becomes the flow: everything is written beside what is there, and two renames then make it the flow. The
 * record is on the disk before the YAML's rename, and the YAML before the head's.
 */
import { type Draft, type Move, together, type Undo } from "./durable-files.ts";
import { optionsOf } from "./flow-options.ts";
import type { Head, RevisionFiles } from "./revision-files.ts";
import type { FlowChange } from "./sets.ts";
import { moveOf, type Staged } from "./staged-change.ts";
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
  /** The renames that make it the flow, for one who makes them together with others. Throws store_failed when one is not possible. */
  moves(): readonly Move[];
  /** Called when somebody else has made the moves. */
  readonly kept: Kept;
  /** Deletes records that are no longer kept, as far as the disk allows. */
  forgetOld(): Promise<void>;
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
  const { yaml, state, set } = content;
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
    revisions.addRecord(id, {
      revision,
      hash,
      savedAt,
      state,
      ...optionsOf(content),
      ...(set !== undefined && { set }),
      yaml,
      incarnation,
    }),
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
  const kept = { revision, hash, lastModified: new Date(newYaml.value.modifiedMs).toISOString(), incarnation };
  const forgetOld = () => revisions.forget(id, outdated([...numbers, revision]));
  return {
    discard,
    moves: () => [newYaml.value, draftHead.value].map(moveOf),
    kept,
    forgetOld,
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
      await forgetOld();
      return kept;
    },
  };
}

/** Returns all numbers but the last ones. `numbers`: ascending, the deployed one last. */
function outdated(numbers: readonly number[]): readonly number[] {
  return numbers.slice(0, -revisionsKept);
}

/** Writes the change of a flow as one of several that are made together. Of a removal the file goes, and the revisions stay. */
export async function stageRevision(
  revisions: RevisionFiles,
  { id, content, keepState }: FlowChange,
  place: YamlPlace & { readonly path: string },
): Promise<Staged<Kept | undefined>> {
  if (content === null) return stageRemoval(revisions, id, { path: place.path, keepState });
  const draft = await draftRevision(revisions, id, content, place);
  try {
    return { moves: draft.moves(), discard: draft.discard, finish: () => draft.kept, settle: draft.forgetOld };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function stageRemoval(
  revisions: RevisionFiles,
  id: string,
  { path, keepState = false }: { readonly path: string; readonly keepState: boolean | undefined },
): Promise<Staged<undefined>> {
  const [numbers, head] = await together([revisions.numbers(id), revisions.head(id).catch(ignoreDamage)]);
  const last = head?.last ?? numbers.at(-1) ?? 0;
  const { revision = 0, incarnation = 0 } = head ?? {};
  const buried = { revision, last, state: "started", deleted: true, incarnation } as const;
  const gone: Head = { ...buried, ...(keepState && { keepsState: true }) };
  const draft = last === 0 ? undefined : await revisions.draftHead(id, gone);
  try {
    return {
      // First the YAML: a flow that is gone from the disk does not come back.
      moves: [{ unlink: path }, ...(draft === undefined ? [] : [moveOf(draft)])],
      discard: async () => draft?.discard(),
      finish: () => undefined,
      settle: async () => undefined,
    };
  } catch (error) {
    await draft?.discard();
    throw error;
  }
}
