/** Drags steps within the canvas and to other windows of the designer, as YAML. */
import type { DragEvent } from "react";
import { copySelected, pasteAt } from "../actions/clipboard.ts";
import { moveSteps } from "../actions/edit-steps.ts";
import type { Place } from "../actions/paths.ts";
import type { EditorSession } from "../session/session.ts";

/** What is dragged within this page. A browser shows the data of a drag only when it is dropped. */
let dragged: { readonly session: EditorSession; readonly keys: readonly string[] } | undefined;

const type = "text/plain";

export function beginDrag(event: DragEvent, session: EditorSession, key: string): void {
  const { selection } = session.get();
  if (!selection.includes(key)) session.select([key]);
  const { selection: keys } = session.get();
  dragged = { session, keys };
  event.dataTransfer.effectAllowed = "copyMove";
  event.dataTransfer.setData(type, copySelected(session) ?? "");
}

/** Whether what is above a gap can be dropped there. */
export function overGap(event: DragEvent): boolean {
  if (dragged === undefined && !event.dataTransfer.types.includes(type)) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = event.ctrlKey || dragged === undefined ? "copy" : "move";
  return true;
}

/** Moves what was dragged here; with Ctrl, or from another window, it is copied. */
export function dropInGap(event: DragEvent, session: EditorSession, place: Place): void {
  event.preventDefault();
  const mine = dragged?.session === session ? dragged.keys : undefined;
  dragged = undefined;
  if (mine === undefined || event.ctrlKey) pasteAt(session, place, event.dataTransfer.getData(type));
  else moveSteps(session, mine, place);
}

export function endDrag(): void {
  dragged = undefined;
}
