/** The keyboard of the canvas: everything that the mouse can do. */

import { duplicateSelected } from "../actions/clipboard.ts";
import { addBranchTo, branchKinds, moveSelected, removeSelected } from "../actions/edit-steps.ts";
import { insertPlaces } from "../actions/insert-places.ts";
import { currentItem } from "../actions/places.ts";
import { jump, jumpsOfSelected } from "../calls/flow-links.ts";
import type { CanvasContext } from "./context.ts";
import { extended } from "./pointer.ts";
import { nodeBeside } from "./walk.ts";

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Handles a key that was pressed on a node. @returns whether it did something */
export function handleCanvasKey(context: CanvasContext, canvas: HTMLElement, pressed: Pressed): boolean {
  const { session, isEditable } = context;
  const { key, altKey, shiftKey } = pressed;
  const hasControl = pressed.ctrlKey || pressed.metaKey;
  if (altKey && !hasControl && isEditable && /^Arrow(?:Up|Down)$/.test(key)) {
    moveSelected(session, key === "ArrowUp" ? -1 : 1);
    return true;
  }
  if (altKey) return false;
  if (key.startsWith("Arrow") || key === "Home" || key === "End") {
    const from = canvas.querySelector<HTMLElement>(`[data-key="${CSS.escape(session.get().selection.at(-1) ?? "")}"]`);
    const next = nodeBeside(canvas, from ?? undefined, key);
    if (next !== undefined) session.select(shiftKey ? extended(session, next) : [next]);
    return true;
  }
  if (hasControl) return withControl(context, key);
  if (key === "Escape") {
    session.select([]);
    return true;
  }
  if (key === "F2" || key === "e" || key === " ") {
    if (currentItem(session) === undefined) return false;
    context.openForm();
    return true;
  }
  if (key === "f") {
    const [first] = jumpsOfSelected(session);
    if (first !== undefined) jump(session, first);
    return first !== undefined;
  }
  return isEditable && edits(context, canvas, pressed);
}

function withControl({ session, isEditable }: CanvasContext, key: string): boolean {
  if (key === "a") {
    const { index } = session.get();
    session.select([...index.items.values()].filter(({ kind }) => kind === "step").map((item) => item.key));
    return true;
  }
  if (key === "d" && isEditable) {
    duplicateSelected(session);
    return true;
  }
  return false;
}

function edits(context: CanvasContext, canvas: HTMLElement, { key, shiftKey }: Pressed): boolean {
  const { session, pickStep } = context;
  const where = { a: "behind", A: "before", Enter: shiftKey ? "before" : "behind", i: "inside" }[key];
  if (where !== undefined) {
    const place = insertPlaces[where]?.(session);
    const selected = session.get().selection.at(-1) ?? "";
    const node = canvas.querySelector(`[data-key="${CSS.escape(selected)}"]`);
    if (place !== undefined) pickStep(place, node ?? canvas);
    return true;
  }
  if (key === "Delete" || key === "Backspace") {
    removeSelected(session);
    return true;
  }
  if (key === "b") {
    const item = currentItem(session);
    const [kind] = branchKinds[item?.name ?? ""] ?? [];
    if (item !== undefined && kind !== undefined) addBranchTo(session, item, kind);
    return true;
  }
  return false;
}
