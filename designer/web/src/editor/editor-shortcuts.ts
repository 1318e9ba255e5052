/** The keyboard of an open flow, as the table of shortcuts has it. */
import type { Shortcut } from "../app/shortcuts.ts";
import { isDialogOpen } from "../ui/dialogs.tsx";
import { words } from "../words.ts";
import { deploySession } from "./deploy/deploy-session.ts";
import { saveFlow } from "./save.tsx";
import type { EditorSession } from "./session/session.ts";

interface Keyboard {
  readonly mayEdit: boolean;
  /** A mapping is open beside, whose keys they are. */
  readonly isBeside: boolean;
}

export function editorShortcuts(session: EditorSession, { mayEdit, isBeside }: Keyboard): readonly Shortcut[] {
  const { keys } = words.editor;
  const deploying: Shortcut = {
    ...{ keys: "Ctrl+Shift+Enter", title: words.deploy.action },
    run: () => void deploySession(session),
  };
  if (isBeside) return [deploying];
  const reading: readonly Shortcut[] = [
    { keys: "↑ ↓ ← →", title: keys.walk },
    { keys: "Shift+↑ ↓", title: keys.extend },
    { keys: "Ctrl+A", title: keys.all },
    { keys: "Ctrl+C", title: keys.copy },
    { keys: "F2", title: keys.form },
    { keys: "f", title: keys.follow },
  ];
  if (!mayEdit) return reading;
  return [
    { keys: "Ctrl+S", title: keys.save, run: () => void saveFlow(session) },
    deploying,
    { keys: "Ctrl+Z", title: keys.undo },
    { keys: "Ctrl+Shift+Z", title: keys.redo },
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

/** Undo and redo go over the whole flow, but for fields that are no part of it, such as a message to try. @returns ends it */
export function listenForUndo(session: EditorSession): () => void {
  const listen = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y");
    if (!isAsked || event.defaultPrevented || isDialogOpen() || isForeignField(event.target)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) session.redo();
    else session.undo();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

function isForeignField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest(".form") !== null) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
