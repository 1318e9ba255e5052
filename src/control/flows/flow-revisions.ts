/** What was deployed before: the revisions that are kept, and one of them to go back to. */
import { AppError } from "../../shared/errors.ts";
import type { StoredRevision } from "../stores/stores.ts";
import type { FlowEntry } from "./flow-register.ts";
import type { RevisionSummary } from "./flow-service.ts";

/** `head`: the revision that the flow's file goes with; null: there is a file but it was never deployed, undefined: no file. */
export function summariesOf(
  kept: readonly StoredRevision[],
  head: StoredRevision | null | undefined,
  entry: FlowEntry | undefined,
): readonly RevisionSummary[] {
  // A flow whose file was removed by hand still runs.
  const current = head === undefined ? entry?.revision : head?.revision;
  return kept.map((record) =>
    record.revision === current
      ? { ...record, state: head?.state ?? record.state, current: true }
      : { ...record, current: false },
  );
}

/** not_found, which names the revisions that there are. */
export function revisionOf(id: string, kept: readonly StoredRevision[], revision: number): StoredRevision {
  const found = kept.find((record) => record.revision === revision);
  if (found !== undefined) return found;
  const others = kept.map((record) => record.revision).join(", ");
  const known = others === "" ? "no revision of it is kept" : `kept are ${others}`;
  throw new AppError("not_found", `there is no revision ${revision} of the flow '${id}': ${known}`);
}
