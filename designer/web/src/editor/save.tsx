/** Saves an open flow: a file that was changed on the disk meanwhile is shown as a diff, and never written over unseen. */
import type { Conflict } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { sentenceOf } from "../api/sentence.ts";
import { conflictOf, createFlow, readFlow, writeFlow } from "../api/workspace.ts";
import { optionsText } from "../deploy/options.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { EditorSession } from "./session/session.ts";

/** Whether the disk has what the editor has now. `problem`: why not; absent: the user has chosen so. */
export type Saved = { readonly isSaved: true } | { readonly isSaved: false; readonly problem?: string };

/** Saves the flow, and says what has kept it from that. @returns whether the disk has what the editor has now */
export async function saveFlow(session: EditorSession): Promise<boolean> {
  const saved = await trySaving(session);
  if (!saved.isSaved && saved.problem !== undefined) notify({ kind: "error", text: saved.problem });
  return saved.isSaved;
}

export async function trySaving(session: EditorSession): Promise<Saved> {
  session.settle();
  const { text: yaml, options, file } = session.get();
  try {
    session.saved(await writeFlow(session.id, file.etag, { yaml, options, draft: false }));
    notify({ kind: "done", text: words.editor.saved(session.get().file.name) });
    refreshFlows();
    return { isSaved: true };
  } catch (error) {
    const conflict = conflictOf(error);
    return conflict === undefined ? notSaved(session, error) : await solveConflict(session, conflict);
  }
}

function notSaved({ id }: EditorSession, error: unknown): Saved {
  return { isSaved: false, problem: words.editor.saveFailed(`${id}.yaml`, sentenceOf(error)) };
}

type Choice = "theirs" | "mine";

async function solveConflict(session: EditorSession, conflict: Conflict): Promise<Saved> {
  const { current } = conflict;
  const { text: yaml, options } = session.get();
  const choice = await openDialog<Choice>((close) => (
    <Dialog
      wide
      title={words.editor.conflict}
      onClose={() => close()}
      actions={
        <>
          <Button onClick={() => close()}>{words.editor.goOnEditing}</Button>
          {current !== null && <Button onClick={() => close("theirs")}>{words.editor.takeTheirs}</Button>}
          <Button kind="danger" onClick={() => close("mine")}>
            {current === null ? words.editor.writeAgain : words.editor.writeMine}
          </Button>
        </>
      }
    >
      <p>{current === null ? words.editor.deletedText : words.editor.conflictText}</p>
      {current !== null && <DiffView label={words.editor.conflictDiff} before={current.yaml} after={yaml} />}
      {current !== null && optionsText(current.options) !== optionsText(options) && (
        <DiffView label={words.editor.optionsDiff} before={optionsText(current.options)} after={optionsText(options)} />
      )}
    </Dialog>
  ));
  if (choice === undefined) return { isSaved: false };
  try {
    if (choice === "theirs") {
      takeFile(session, await readFlow(session.id));
      return { isSaved: true };
    }
    if (current === null) {
      session.saved(await createFlow(session.id, { yaml, options }));
      return { isSaved: true };
    }
    // What has been seen is written over, and nothing that came after it.
    session.saved({ ...session.get().file, etag: current.etag });
    return await trySaving(session);
  } catch (error) {
    return notSaved(session, error);
  }
}

/** Puts what the disk has in place of what is edited; undo brings the text back. */
export function takeFile(session: EditorSession, file: Parameters<EditorSession["saved"]>[0]): void {
  session.replaceAll(file.yaml, words.editor.takeTheirs);
  session.setOptions(file.options);
  session.saved(file);
}
