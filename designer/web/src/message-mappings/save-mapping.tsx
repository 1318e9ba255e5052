/** Saves an open mapping: one that was changed on the runtime meanwhile is shown as a diff, and never written over unseen. */
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import {
  isCode,
  isConflict,
  type MappingFile,
  mappingsOf,
  type PutAnswer,
  putMapping,
  readMapping,
} from "./mapping-api.ts";
import type { MappingSession } from "./session.ts";

/** @returns whether the runtime has what the editor has now */
export async function saveMapping(session: MappingSession): Promise<boolean> {
  return save(session, session.get().file.etag);
}

/** `over`: the version that is written over; undefined: the mapping is made anew. */
async function save(session: MappingSession, over: string | undefined): Promise<boolean> {
  const { target, id } = session;
  const { text, json } = session.get();
  if (json.errors.length > 0) {
    notify({ kind: "error", text: words.messageMappings.refused.json });
    return false;
  }
  try {
    const { answer, etag } = await putMapping(target, id, text, over);
    session.saved({ text, etag });
    report(id, answer);
    void mappingsOf(target).refresh();
    return true;
  } catch (error) {
    if (isConflict(error)) return solveConflict(session);
    notify({ kind: "error", text: `${words.messageMappings.saveFailed} ${sentenceOf(error)}` });
    return false;
  }
}

function report(id: string, { warnings, tests }: PutAnswer): void {
  const text = warnings.map(({ message }) => message).join("; ");
  if (text === "") notify({ kind: "done", text: words.messageMappings.saved(id, tests.passed) });
  else notify({ kind: "warn", text: words.messageMappings.savedWith(id, text) });
}

type Choice = "theirs" | "mine";

async function solveConflict(session: MappingSession): Promise<boolean> {
  const { target, id } = session;
  let current: MappingFile | undefined;
  try {
    current = await readMapping(target, id);
  } catch (error) {
    if (!isCode(error, "not_found")) {
      notify({ kind: "error", text: `${words.messageMappings.saveFailed} ${sentenceOf(error)}` });
      return false;
    }
  }
  const choice = await openDialog<Choice>((close) => (
    <Dialog
      wide
      title={words.messageMappings.conflict}
      onClose={() => close()}
      actions={
        <>
          <Button onClick={() => close()}>{words.editor.goOnEditing}</Button>
          {current !== undefined && <Button onClick={() => close("theirs")}>{words.messageMappings.theirs}</Button>}
          <Button kind="danger" onClick={() => close("mine")}>
            {current === undefined ? words.editor.writeAgain : words.editor.writeMine}
          </Button>
        </>
      }
    >
      <p>{current === undefined ? words.messageMappings.deletedText : words.messageMappings.conflictText}</p>
      {current !== undefined && (
        <DiffView label={words.messageMappings.conflictDiff} before={current.text} after={session.get().text} />
      )}
    </Dialog>
  ));
  if (choice === undefined) return false;
  if (choice === "mine") return save(session, current?.etag);
  if (current === undefined) return false;
  session.replaceAll(current.text, words.messageMappings.did.theirs);
  session.saved(current);
  return true;
}
