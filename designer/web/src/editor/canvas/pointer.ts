/** Selects by clicks: one node, one more with Ctrl, all between with Shift. */
import { keyOf } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";

interface Modifiers {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export function clickNode(session: EditorSession, key: string, { ctrlKey, metaKey, shiftKey }: Modifiers): void {
  const { selection } = session.get();
  if (shiftKey) session.select(extended(session, key));
  else if (!ctrlKey && !metaKey) session.select([key]);
  else session.select(selection.includes(key) ? selection.filter((one) => one !== key) : [...selection, key]);
}

/** The steps of one list from the one selected last to this one, which becomes the last; else this one besides. */
export function extended(session: EditorSession, key: string): readonly string[] {
  const { selection, index } = session.get();
  const [from, to] = [index.items.get(selection[0] ?? ""), index.items.get(key)];
  const list = to?.itemPath.slice(0, -1) ?? [];
  if (from?.kind !== "step" || to?.kind !== "step" || keyOf(from.itemPath.slice(0, -1)) !== keyOf(list)) {
    return [...selection.filter((one) => one !== key), key];
  }
  const [first, last] = [Number(from.itemPath.at(-1)), Number(to.itemPath.at(-1))];
  const by = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => keyOf([...list, first + at * by]));
}
