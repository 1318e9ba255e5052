/** The keyboard of an open flow, as the table of shortcuts has it. */
import type { Shortcut } from "../app/shortcuts.ts";
import { words } from "../words.ts";
import { saveFlow } from "./save.tsx";
import type { EditorSession } from "./session/session.ts";

export function editorShortcuts(session: EditorSession, isEditable: boolean): readonly Shortcut[] {
  const { keys } = words.editor;
  const reading: readonly Shortcut[] = [
    { keys: "↑ ↓ ← →", title: keys.walk },
    { keys: "Shift+↑ ↓", title: keys.extend },
    { keys: "Ctrl+A", title: keys.all },
    { keys: "Ctrl+C", title: keys.copy },
    { keys: "F2", title: keys.form },
  ];
  if (!isEditable) return reading;
  return [
    { keys: "Ctrl+S", title: keys.save, run: () => void saveFlow(session) },
    { keys: "Ctrl+Z", title: keys.undo, run: session.undo },
    { keys: "Ctrl+Shift+Z", title: keys.redo, run: session.redo },
    { keys: "Ctrl+Y", title: keys.redo, run: session.redo },
    { keys: "a", title: keys.add },
    { keys: "Shift+A", title: keys.addBefore },
    { keys: "i", title: keys.addInside },
    { keys: "b", title: keys.addBranch },
    { keys: "Delete", title: keys.remove },
    { keys: "Alt+↑ ↓", title: keys.move },
    { keys: "Ctrl+D", title: keys.duplicate },
    { keys: "Ctrl+X", title: keys.cut },
    { keys: "Ctrl+V", title: keys.paste },
    ...reading,
  ];
}
