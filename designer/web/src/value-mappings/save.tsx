/** Installs what was edited: a mapping that somebody else has changed meanwhile is shown as a difference, and never written over unseen. */
import { ApiError } from "../../../../src/client/errors.ts";
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { type Installed, isConflict, readMapping, writeMapping } from "./mappings-api.ts";
import { draftOf, type MappingSession, textOf } from "./session.ts";

/** @returns whether the runtime has what the editor has now */
export async function saveMapping(session: MappingSession): Promise<boolean> {
  const { draft, installed } = session.get();
  const { target, id } = session;
  try {
    const { answer, installed: now } = await writeMapping(target, id, textOf(draft), installed?.etag ?? null);
    session.saved(now, draft);
    const { warnings } = answer;
    notify(
      warnings.length === 0
        ? { kind: "done", text: words.valueMappings.saved(id, answer.revision) }
        : { kind: "warn", text: words.valueMappings.savedWith(id, warnings.map(({ message }) => message).join(" · ")) },
    );
    return true;
  } catch (error) {
    if (isConflict(error)) return solveConflict(session);
    notify({ kind: "error", text: `${words.valueMappings.saveFailed} ${sentenceOf(error)}` });
    return false;
  }
}

type Choice = "theirs" | "mine";

async function solveConflict(session: MappingSession): Promise<boolean> {
  const { target, id } = session;
  let current: Installed | undefined;
  try {
    current = await readMapping(target, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) {
      notify({ kind: "error", text: `${words.valueMappings.saveFailed} ${sentenceOf(error)}` });
      return false;
    }
  }
  const choice = await openDialog<Choice>((close) => (
    <ConflictDialog current={current} mine={textOf(session.get().draft)} close={close} />
  ));
  if (choice === undefined) return false;
  if (choice === "theirs" && current !== undefined) {
    takeInstalled(session, current);
    return true;
  }
  // What has been seen is written over, and nothing that came after it.
  if (current === undefined) session.removed();
  else session.based(current);
  return saveMapping(session);
}

interface ConflictDialogProps {
  readonly current: Installed | undefined;
  readonly mine: string;
  readonly close: (choice?: Choice) => void;
}

function ConflictDialog({ current, mine, close }: ConflictDialogProps) {
  const { valueMappings: texts } = words;
  return (
    <Dialog
      wide
      title={texts.conflict}
      onClose={() => close()}
      actions={
        <>
          <Button onClick={() => close()}>{words.editor.goOnEditing}</Button>
          {current !== undefined && <Button onClick={() => close("theirs")}>{texts.takeTheirs}</Button>}
          <Button kind="danger" onClick={() => close("mine")}>
            {current === undefined ? texts.writeAgain : texts.writeMine}
          </Button>
        </>
      }
    >
      <p>{current === undefined ? texts.deletedText : texts.conflictText}</p>
      {current !== undefined && (
        <DiffView label={texts.conflictDiff} before={textOf(draftOf(current.text))} after={mine} />
      )}
    </Dialog>
  );
}

/** Puts what the runtime has in place of what is edited; undo brings that back. */
export function takeInstalled(session: MappingSession, installed: Installed): void {
  const draft = draftOf(installed.text);
  session.replace(draft, words.valueMappings.takeTheirs);
  session.saved(installed, draft);
}
