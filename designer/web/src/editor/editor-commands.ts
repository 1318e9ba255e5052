/** What the command palette offers while a flow is open. */
import type { Command } from "../app/commands.ts";
import { words } from "../words.ts";
import { addPart } from "./actions/add-part.ts";
import { jump, jumpsOfSelected } from "./calls/flow-links.ts";
import { deploySession } from "./deploy/deploy-session.ts";
import { panels } from "./panels.ts";
import { pickEntry } from "./picker/pick.tsx";
import { saveFlow } from "./save.tsx";
import type { EditorSession } from "./session/session.ts";

export function editorCommands(
  session: EditorSession,
  isEditable: boolean,
  showPanel: (id: string) => void,
): readonly Command[] {
  const { undoLabel, redoLabel } = session.get();
  const group = words.editor.title;
  const shown = panels.map(
    ({ id, title }): Command => ({
      id: `panel ${id}`,
      title: words.editor.showPanel(title),
      group,
      icon: "right",
      run: () => showPanel(id),
    }),
  );
  // The one that the key follows is the first of them.
  const jumps = jumpsOfSelected(session).map(
    (one, at): Command => ({
      id: `follow ${at}`,
      title: one.title,
      group,
      icon: "right",
      ...(at === 0 && { keys: "f" }),
      run: () => jump(session, one),
    }),
  );
  if (!isEditable) return [...jumps, ...shown];
  const add = (): void => {
    void pickEntry("element").then((picked) => {
      if (picked !== undefined) addPart(session, picked.entry.name);
    });
  };
  return [
    { id: "save", title: words.editor.save, group, icon: "save", keys: "Ctrl+S", run: () => void saveFlow(session) },
    {
      id: "deploy",
      title: words.deploy.action,
      group,
      icon: "deploy",
      keys: "Ctrl+Shift+Enter",
      run: () => void deploySession(session),
    },
    ...(undoLabel === undefined
      ? []
      : [{ id: "undo", title: words.editor.undo(undoLabel), group, icon: "undo", run: session.undo } as const]),
    ...(redoLabel === undefined
      ? []
      : [{ id: "redo", title: words.editor.redo(redoLabel), group, icon: "redo", run: session.redo } as const]),
    { id: "add part", title: words.editor.addRoute, group, icon: "plus", run: add },
    ...jumps,
    ...shown,
  ];
}
