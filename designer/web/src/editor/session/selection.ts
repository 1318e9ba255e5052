/** Keeps the selection on the same items while the text around them changes. */
import type { ChangeSet } from "@codemirror/state";
import type { ItemIndex } from "./items.ts";

/**
 * An item is known again by the place where it begins, or else by its path. One that is gone leaves the item at its
 * path, or its neighbour before, so that the focus is never lost.
 */
export function followSelection(
  selection: readonly string[],
  before: ItemIndex,
  after: ItemIndex,
  changes: ChangeSet,
): readonly string[] {
  const next = selection.flatMap((key) => {
    const item = before.items.get(key);
    if (item === undefined) return after.items.has(key) ? [key] : [];
    const { from: begin } = item.range;
    const from = begin > changes.length ? undefined : changes.mapPos(begin, 1);
    const moved = from === undefined ? undefined : after.byStart.get(`${item.kind}:${from}`);
    if (moved !== undefined && after.items.get(moved)?.name === item.name) return [moved];
    return after.items.has(key) ? [key] : [];
  });
  return [...new Set(next)];
}
