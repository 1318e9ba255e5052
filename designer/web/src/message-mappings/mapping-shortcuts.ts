/** The keyboard of an open mapping, as the table of shortcuts has it. */
import type { Shortcut } from "../app/shortcuts.ts";
import { saveMapping } from "../mappings/save.tsx";
import { isDialogOpen } from "../ui/dialogs.tsx";
import { words } from "../words.ts";
import type { Mapper } from "./mapper.ts";

export function mappingShortcuts({ session, picked, isEditable }: Mapper): readonly Shortcut[] {
  const { keys } = words.messageMappings;
  if (!isEditable) return [{ keys: "↑ ↓ ← →", title: keys.tree }];
  return [
    { keys: "Ctrl+S", title: keys.save, run: () => void saveMapping(session) },
    { keys: "Ctrl+Z", title: keys.undo },
    { keys: "Ctrl+Shift+Z", title: keys.redo },
    { keys: "↑ ↓ ← →", title: keys.tree },
    { keys: "Escape", title: keys.drop, run: () => picked.set(undefined) },
    { keys: "Alt+↑ ↓", title: keys.move },
    { keys: "Ctrl+D", title: keys.duplicate },
    { keys: "Delete", title: keys.remove },
  ];
}

/** Undo and redo go over the whole document, but for the message, which is no part of it. @returns ends it */
export function listenForUndo({ session }: Mapper): () => void {
  const listen = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y");
    const isForeign = event.target instanceof HTMLElement && event.target.closest(".message-fields") !== null;
    if (!isAsked || event.defaultPrevented || isForeign || isDialogOpen()) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) session.redo();
    else session.undo();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
