/** Where steps go, seen from what is selected. */
import type { Item } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";
import type { Place } from "./paths.ts";

/** The selected items in the order of the text; those inside of another selected one are left out. */
export function selectedItems(session: EditorSession): readonly Item[] {
  const { index, selection } = session.get();
  const chosen = new Set(selection);
  return [...index.items.values()].filter((item) => {
    if (!chosen.has(item.key)) return false;
    for (let above = item.parent; above !== undefined; above = index.items.get(above)?.parent) {
      if (chosen.has(above)) return false;
    }
    return true;
  });
}

/** The item that the form shows. */
export function currentItem(session: EditorSession): Item | undefined {
  const { index, selection } = session.get();
  return index.items.get(selection.at(-1) ?? "");
}

/** Behind a step, or at the beginning of a route or a branch; without a selection at the end of the first route. */
export function placeBehind(session: EditorSession): Place | undefined {
  const item = currentItem(session) ?? [...session.get().index.items.values()].find(({ kind }) => kind === "route");
  if (item === undefined) return undefined;
  if (item.kind === "step") return { stepsPath: item.itemPath.slice(0, -1), index: Number(item.itemPath.at(-1)) + 1 };
  const { stepsPath, count = 0 } = item;
  if (stepsPath === undefined) return undefined;
  return { stepsPath, index: item.kind === "route" ? count : 0 };
}

/** The end of the steps inside of what is selected; undefined for a step that holds none. */
export function placeInside(session: EditorSession): Place | undefined {
  const item = currentItem(session);
  if (item?.stepsPath !== undefined) return { stepsPath: item.stepsPath, index: item.count ?? 0 };
  const { index } = session.get();
  const branch = [...index.items.values()].find(({ kind, parent }) => kind === "branch" && parent === item?.key);
  return branch?.stepsPath === undefined ? undefined : { stepsPath: branch.stepsPath, index: branch.count ?? 0 };
}

/** Before a step; before the first of a route or a branch. */
export function placeBefore(session: EditorSession): Place | undefined {
  const item = currentItem(session);
  if (item?.kind !== "step") return placeBehind(session);
  return { stepsPath: item.itemPath.slice(0, -1), index: Number(item.itemPath.at(-1)) };
}
