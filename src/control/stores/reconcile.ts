/** What a flow's file, its revisions and its head add up to after a restart. */
import type { Head } from "./revision-files.ts";
import type { RevisionContent, StoredRevision } from "./stores.ts";

export type Reconciled =
  /** The file is a revision that was kept; the head is moved to it if it points elsewhere. */
  | { readonly kind: "kept"; readonly record: StoredRevision; readonly head: Head }
  /** The file was written by hand, and becomes a new revision. */
  | { readonly kind: "edited"; readonly content: RevisionContent };

/**
 * `records`: the readable ones in ascending order; the head's is among them unless the flow was deleted. If head and
 * file agree, the head is the state. Else it is the newest revision with the file's hash: a keep was interrupted after
 * its rename, or an old version was put back by hand. Else the file was edited by hand, and keeps the head's params,
 * limits and state.
 */
export function reconcile(
  file: { readonly yaml: string; readonly hash: string },
  head: Head | undefined,
  records: readonly StoredRevision[],
): Reconciled {
  const live = head?.deleted ? undefined : head;
  const current = records.find(({ revision }) => revision === live?.revision);
  if (live !== undefined && current?.hash === file.hash) return { kind: "kept", record: current, head: live };

  const last = head?.last ?? 0;
  const same = records.findLast((record) => record.hash === file.hash);
  if (same !== undefined) {
    const interrupted = same.revision > last;
    if (interrupted || live !== undefined) {
      const state = interrupted || live === undefined ? same.state : live.state;
      const moved = { revision: same.revision, last: Math.max(last, same.revision), state, deleted: false };
      return { kind: "kept", record: same, head: moved };
    }
  }
  const state = live?.state ?? "started";
  return {
    kind: "edited",
    content: { yaml: file.yaml, params: current?.params ?? {}, limits: current?.limits ?? {}, state },
  };
}
