/** The keyboard of an open value mapping, as the table of shortcuts has it. */
import type { Shortcut } from "../app/shortcuts.ts";
import { saveMapping } from "../mappings/save.tsx";
import { isDialogOpen } from "../ui/dialogs.tsx";
import { words } from "../words.ts";
import type { MappingSession } from "./session.ts";

export function mappingShortcuts(session: MappingSession, isEditable: boolean): readonly Shortcut[] {
  const { keys } = words.valueMappings;
  const reading: readonly Shortcut[] = [
    { keys: "↑ ↓ ← →", title: keys.walk },
    { keys: "Shift+↑ ↓ ← →", title: keys.extend },
    { keys: "Ctrl+A", title: keys.all },
    { keys: "Shift+Space", title: keys.row },
    { keys: "Ctrl+Space", title: keys.column },
    { keys: "Ctrl+C", title: keys.copy },
    { keys: "Esc Tab", title: keys.leave },
  ];
  if (!isEditable) return reading;
  return [
    { keys: "Ctrl+S", title: keys.save, run: () => void saveMapping(session) },
    { keys: "Ctrl+Z", title: words.editor.keys.undo },
    { keys: "Ctrl+Shift+Z", title: words.editor.keys.redo },
    { keys: "F2", title: keys.edit },
    { keys: "Enter", title: keys.enter },
    { keys: "Delete", title: keys.clear },
    { keys: "Ctrl+X", title: keys.cut },
    { keys: "Ctrl+V", title: keys.paste },
    { keys: "Ctrl+D", title: keys.fill },
    { keys: "Alt+↑ ↓", title: keys.addRow },
    { keys: "Ctrl+Delete", title: keys.removeRows },
    ...reading,
  ];
}

/** Undo and redo go over the whole mapping, but for fields that are being typed into. @returns ends it */
export function listenForUndo(session: MappingSession): () => void {
  const listen = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y");
    if (!isAsked || event.defaultPrevented || isDialogOpen() || isField(event.target)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) session.redo();
    else session.undo();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
