/** An open mapping without unsaved edits follows its home; for one with some it is said that there is another version by now. */
import { useEffect } from "react";
import { words } from "../words.ts";
import { readAt } from "./base.ts";
import type { OpenMapping } from "./open-mapping.ts";
import type { MappingRow } from "./state.ts";

/** @returns whether its home has another version than the one that is edited */
export function useFollow(session: OpenMapping, { entry, summary }: MappingRow, isDirty: boolean): boolean {
  const { home, etag } = session.now().base;
  const hash = home === "workspace" ? entry?.hash : summary?.hash;
  const isOther = hash !== undefined && hash !== "" && etag !== undefined && !etag.includes(hash);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is followed, too
  useEffect(() => {
    if (!isOther || isDirty) return undefined;
    const abort = new AbortController();
    readAt(session, home, abort.signal).then(
      (now) => {
        const isNew = now.etag !== session.now().base.etag;
        if (!abort.signal.aborted && isNew && !session.now().isDirty) session.take(now, words.mappings.theirs[home]);
      },
      // The next look at the list tries again.
      () => undefined,
    );
    return () => abort.abort();
  }, [session, isOther, isDirty, home, hash]);
  return isOther;
}
